import { describe, expect, it } from 'vitest';
import { prosePartsOf } from '../../src/report/text-layout.js';

/** The parts as one text, code in «». */
function shown(text: string): string {
  return prosePartsOf(text)
    .map((part) => (part.code ? `«${part.text}»` : part.text))
    .join('');
}

describe('prosePartsOf', () => {
  it.each([
    ['plain words', 'no code', 'no code'],
    [
      'names in a sentence',
      "Move `posts` to `threads_posts`, and (`a.b`) too: `c`'s.",
      "Move «posts» to «threads_posts», and («a.b») too: «c»'s.",
    ],
    ['a name at both ends', '`a` and `b`', '«a» and «b»'],
    ['a name with a backtick in it', '`a`b` grows', '`a`b` grows'],
    ['a name that is a backtick', '``` grows', '``` grows'],
    ['a plural', 'holds `_id`s of users, and `_id`s', 'holds «_id»s of users, and «_id»s'],
    ['a name with a backtick before its last letter', '`a`s` grows', '`a`s` grows'],
    ['a command', 'drop it: `db.c.drop()`. Then', 'drop it: «db.c.drop()». Then'],
    ['one backtick', "it's `odd", "it's `odd"],
    ['nothing between', '`` here', '`` here'],
  ])('tells %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('loses nothing', () => {
    for (const text of ['`a` `b`', '`a`b`c`', ' `x` '])
      expect(
        prosePartsOf(text)
          .map((part) => (part.code ? `\`${part.text}\`` : part.text))
          .join(''),
      ).toBe(text);
  });
});
