/** How mongolint speaks: plain technical English, without the phrases of its first edition. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import {
  commentsInCode,
  filesBelow,
  linesOf,
  sentencesOf,
  textsInCode,
  textsInPage,
  type WrittenText,
} from '../support/texts.js';

/** Phrases that a DBA would not write, each with what to write instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    /(?:^|[.:;(] )Where (?!to\b|are\b|is\b|do\b|does\b|did\b|it reads|it stands|from\b)[^?]*$/,
    '"if": "where" is for places',
  ],
  [
    /, where (?:it|they|there|that|this|the|a|an|no|none|not|nothing|one|some|any|all|each|most|many|few) /,
    '"if" or a sentence of its own: "where" is for places',
  ],
  [
    /\bonly where\b|\bexcept where\b|\beven where\b|\balso where\b|\bunless where\b|\bbe it\b/i,
    '"only if", "except if", "even if", "also if"',
  ],
  [
    /\btrue where\b|\bfalse where\b|\bnull where\b|\babsent where\b|\bpresent where\b|\bempty where\b/i,
    '"true if", "null if", "absent if"',
  ],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix"'],
  [/\bheed(?:s|ed|ing)?\b/i, '"consider", "take into account", "follow"'],
  [/\b(?:tell|tells|told) of\b/i, '"show", "report", "record"'],
  [/\btold\b(?! apart)/i, '"reported", "known", "recorded"'],
  [/\banew\b/i, '"again"'],
  [/\bnone is\b|\bis none that\b|\bno other\b(?! than)/i, 'a sentence that says what is, not what is not'],
  [/\bthat which\b/i, '"what", "the one that"'],
  [/\bless those\b/i, '"without those", "except those"'],
  [/\bin silence\b/i, '"silently"'],
  [/\bturn the reference\b|\breference round\b/i, '"reverse the reference"'],
  [/\blean(?:s|ing)? on\b/i, '"dominated by", "relies on"'],
  [/\bleaves? out all\b/i, '"excludes every"'],
  [/\bthat (?:was|were) wanted\b|\bthan they want\b/i, '"to return": reads 12,000 documents to return 30'],
  [/\bwas not looked at\b|\bnot looked at\b/i, '"was not checked"'],
  [/\bto put right\b/i, '"to fix"'],
  [/\bnot judged in full\b/i, '"not fully judged"'],
  [/\bcome back on\b/i, '"run again after"'],
  [/\bthe present (?:key|index|value|size|state)\b/i, '"the current key"'],
  [/\bwherefore\b|\bthereof\b|\bhitherto\b|\bwhereof\b|\blikewise\b|\bbesides\b/i, 'plain words: "so", "also", "too"'],
];

/** Words beyond which a sentence must be read twice. STYLE asks for 25; here is the line that no message may cross. */
const LONGEST_SENTENCE = 30;

const ROOMS = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/${name}`);
const CODE = [
  ...ROOMS.map((room) => [room, filesBelow(room, '.ts')] as const),
  ['src', filesBelow('src', '.ts').filter((file) => file.split('/').length === 2)] as const,
  ['checks', filesBelow('checks', '.ts')] as const,
];
const PAGES = [
  ...filesBelow('checks', '.md'),
  ...filesBelow('docs', '.md'),
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
];

/** Names of variables, functions and types over which a native reader stumbles, each with what to write instead. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:un)?told\b(?! apart)|\btold[A-Z]\w*|\b\w*Told\b(?! apart)|\bTold[A-Z]\w*|\b(?:[A-Z]+_)*(?:UN)?TOLD\b/g,
    'known, reported',
  ],
  [/\bLetPass\w*|\bletPassed\b/g, 'exempt'],
  [/\b\w*[bB]elied\w*/g, 'contradicted'],
  [
    /\bspareCompiling\w*|\bareMost[A-Z]\w*|\bsaysNothingAgainst\w*/g,
    'reduceCompilation, mostlyOlder, isConsistentWith',
  ],
];

/** What opens a comment in which the noun that it is about is missing. */
const OPENINGS = /^\s*Of (?!course\b)/;

function phrasesIn(texts: readonly WrittenText[]): string[] {
  return texts.flatMap(({ file, line, text }) =>
    sentencesOf(text).flatMap((sentence) =>
      PHRASES.flatMap(([phrase, better]) => {
        const found = phrase.exec(sentence);
        return found === null ? [] : [`${file}:${line}: "${sentence.slice(0, 120)}": write ${better}`];
      }),
    ),
  );
}

function longSentencesIn(texts: readonly WrittenText[]): string[] {
  return texts.flatMap(({ file, line, text }) =>
    sentencesOf(text)
      .map((sentence) => ({
        sentence,
        words: sentence.split(/\s+/).filter((word) => /\p{L}{2}|\p{N}/u.test(word)).length,
      }))
      .filter(({ words }) => words > LONGEST_SENTENCE)
      .map(({ sentence, words }) => `${file}:${line}: ${words} words: "${sentence}"`),
  );
}

describe.each(CODE)('the texts of %s', (_, files) => {
  const [texts, comments] = [files.flatMap(textsInCode), files.flatMap(commentsInCode)];

  it('use no phrase that must be read twice', () => {
    expect(phrasesIn(texts).join('\n')).toBe('');
  });

  it('have no sentence above 30 words', () => {
    expect(longSentencesIn(texts).join('\n')).toBe('');
  });

  it('use no name that must be read twice', () => {
    const found = files.flatMap((file) => {
      const source = readFileSync(join(packageRoot(), file), 'utf8');
      return NAMES.flatMap(([name, better]) =>
        [...source.matchAll(name)].map(([which]) => `${file}: ${which}: write ${better}`),
      );
    });
    expect(found.join('\n')).toBe('');
  });

  it('are commented without such phrases, and none begins with "Of"', () => {
    const headless = comments.filter(({ text }) => OPENINGS.test(text));
    expect(
      [...phrasesIn(comments), ...headless.map(({ file, line, text }) => `${file}:${line}:${text}`)].join('\n'),
    ).toBe('');
  });
});

/** Lines of comments among all lines of the sources that are not blank. */
const MOST_COMMENTS = 0.12;

describe('the comments of src/', () => {
  it('are less than an eighth of its lines: they say why, and what figures mean', () => {
    const files = filesBelow('src', '.ts');
    const lines = files
      .map(linesOf)
      .reduce((sum, each) => ({ all: sum.all + each.all, comments: sum.comments + each.comments }));
    expect(lines.comments / lines.all).toBeLessThan(MOST_COMMENTS);
  });
});

describe.each(PAGES)('%s', (page) => {
  it('uses no phrase that must be read twice, and no sentence above 30 words', () => {
    const texts = textsInPage(page);
    expect([...phrasesIn(texts), ...longSentencesIn(texts)].join('\n')).toBe('');
  });
});

describe('a text', () => {
  it.each([
    'Where no index serves it, the join scans.',
    'The key is unique, where it is sharded.',
    'Mend the line.',
    'A count that was not looked at.',
    `${'word '.repeat(LONGEST_SENTENCE + 1)}.`,
  ])('is found fault with: %s', (text) => {
    const texts = [{ file: 'x', line: 1, text }];
    expect([...phrasesIn(texts), ...longSentencesIn(texts)]).toHaveLength(1);
  });

  it.each(['Where it reads', 'If no index serves it, the join scans.', 'What stands where?', 'The index on `where`.'])(
    'is fine: %s',
    (text) => {
      expect(phrasesIn([{ file: 'x', line: 1, text }])).toEqual([]);
    },
  );
});
