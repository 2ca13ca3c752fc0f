import { describe, expect, it } from 'vitest';
import { terminalData, terminalJson, terminalText } from '../../src/text/terminal-text.js';
import * as fc from '../support/fast-check.js';
import { UNPRINTABLE } from '../support/report/unprintable.js';

describe('terminalText', () => {
  it.each([
    ['a colour', 'a\u001b[31mred', String.raw`a\x1B[31mred`],
    ['a link (OSC 8)', '\u001b]8;;http://x\u0007', String.raw`\x1B]8;;http://x\x07`],
    ['a control sequence of C1', '\u009b31m', String.raw`\x9B31m`],
    ['line breaks and tabs', 'a\r\nb\tc', String.raw`a\x0D\x0Ab\x09c`],
    ['delete', 'a\u007f', String.raw`a\x7F`],
    ['Arabic letter mark', 'a\u061cb', String.raw`a\u{061C}b`],
    ['left-to-right and right-to-left marks', '\u200e\u200f', String.raw`\u{200E}\u{200F}`],
    [
      'embeddings and overrides',
      '\u202a\u202b\u202c\u202d\u202e',
      String.raw`\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}`,
    ],
    ['isolates', '\u2066\u2067\u2068\u2069', String.raw`\u{2066}\u{2067}\u{2068}\u{2069}`],
    [
      'zero-width characters',
      'a\u200b\u200c\u200d\u2060\ufeffb',
      String.raw`a\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}b`,
    ],
    ['soft hyphen', 'a\u00adb', String.raw`a\xADb`],
    ['line and paragraph separators', '\u2028\u2029', String.raw`\u{2028}\u{2029}`],
    ['lone surrogates', 'a\ud800b\udfff', String.raw`a\u{D800}b\u{DFFF}`],
    ['a letter that is blank', 'a\u3164', String.raw`a\u{3164}`],
    ['code points that are no characters', '\ufffe\u{1ffff}', String.raw`\u{FFFE}\u{1FFFF}`],
    ['tag characters', 'a\u{e0041}', String.raw`a\u{E0041}`],
    ['a backslash that looks like an escape', String.raw`\x1B \u{202E}`, String.raw`\x5Cx1B \x5Cu{202E}`],
  ])('escapes %s', (_, text, expected) => {
    expect(terminalText(text)).toBe(expected);
  });

  it.each([
    ['ASCII', 'shop.orders[].items'],
    ['Japanese', 'shop.カタログ.価格'],
    ['accents, composed and combining', 'cafe\u0301 é'],
    ['Arabic and Hebrew', 'سعر מחיר'],
    ['emoji', '🎉 ❤️ 1️⃣ 🇩🇪'],
    ['emoji with joiners', '👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['backslashes', String.raw`^a\d+\x$`],
  ])('leaves %s as it is', (_, text) => {
    expect(terminalText(text)).toBe(text);
  });

  it('prints nothing that acts or hides', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(terminalText(text)).not.toMatch(UNPRINTABLE);
      }),
    );
  });

  it('keeps different texts different, those that look like escapes too', () => {
    const text = fc.array(fc.constantFrom('\\', 'x', '1', 'B', '\u001b', 'u', '{', '2028', '}', '\u2028'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(terminalText(one.join('')) === terminalText(other.join(''))).toBe(one.join('') === other.join(''));
      }),
      {
        numRuns: 500,
        examples: [
          [['\\', 'x', '1', 'B'], ['\u001b']],
          [['\\', 'u', '{', '2028', '}'], ['\u2028']],
        ],
      },
    );
  });
});

describe('terminalData', () => {
  it('escapes every text in plain data, names of keys included', () => {
    expect(terminalData({ 'a\u0007': ['b\u0007', { c: 'd\u0007' }], n: 1, yes: true, no: null })).toEqual({
      [String.raw`a\x07`]: [String.raw`b\x07`, { c: String.raw`d\x07` }],
      n: 1,
      yes: true,
      no: null,
    });
  });
});

describe('terminalJson', () => {
  it('escapes without changing the values', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = terminalJson(JSON.stringify({ [text]: text }, null, 2));
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ [text]: text })));
        expect(json.replaceAll('\n', '')).not.toMatch(UNPRINTABLE);
      }),
    );
  });
});
