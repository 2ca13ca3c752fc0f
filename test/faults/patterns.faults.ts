import { beforeAll, describe, expect, it } from 'vitest';
import { folderWith } from '../support/config-folder.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { runLinter } from '../support/faults/linter-process.js';

const faulty = useFaultyShop();

/** Names that somebody else gave: an engine that goes back tries all ways of reading them. */
const NAMES = [`${'a'.repeat(45)}!`, 'ab'.repeat(60), `${'x'.repeat(100)}0`, `${'a_'.repeat(50)}é`];
const STARS = '*a'.repeat(20);

beforeAll(async () => {
  const shop = faulty.shop.client.db('shop');
  await Promise.all(NAMES.map((name) => shop.collection(name).insertOne({ a: 1 })));
});

const rule = (name: string) => `rules:\n  - { id: named, reason: We agreed., name: '${name}' }\n`;

/** How many of the names break a rule: what must happen was written down before any of it ran. */
const RULES: readonly (readonly [pattern: string, breaking: number])[] = [
  ['(a+)+', 4],
  ['(a|a)*', 4],
  ['(a*)*b', 4],
  ['(x+x+)+y', 4],
  ['(x+x+)+0', 3],
  ['([a-z]+)*', 3],
  ['(ab|a|b)*', 3],
  ['(?:a?){50}a{50}', 4],
  ['(([a-z])+.)+[A-Z]([a-z])+', 4],
  ['(.*)*', 0],
  ['(?:(?:(?:(?:a*)*)*)*)*!', 3],
  ['.{1,1000}', 0],
  ['(\\p{L}|_)+', 2],
  ['[a-z_éx0!]*', 0],
];

describe('a house rule on foreign names', () => {
  it.each(RULES)('judges all of them: %s', async (pattern, breaking) => {
    const cwd = await folderWith({ 'mongolint.config.yaml': rule(pattern) });
    const report = await faulty.lint({ exit: [1], report: true, keeps: ['shop.orders', 'shop.threads'] }, { cwd });
    const found = report?.findings.filter(({ check, namespace }) => check === 'house/named' && isOdd(namespace));
    expect(found).toHaveLength(breaking);
  });

  it.each(['(?!tmp_).*', '(a)\\1', '(?<=a)b', '(', 'a{1,5000}', '((a{100}){100}){100}'])(
    'is refused with its line: %s',
    async (pattern) => {
      const cwd = await folderWith({ 'mongolint.config.yaml': rule(pattern) });
      const { code, stderr } = await runLinter({ uri: faulty.shop.uri, cwd });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(
          /^mongolint\.config\.yaml:2: rules\[0\]\.name: is not a regular expression as RE2/,
        ),
      });
    },
  );
});

/** Of globs: as arguments, or as a configuration. */
const ARGUMENTS: readonly (readonly [what: string, ...args: string[]])[] = [
  ['twenty stars', '--exclude', `shop.${STARS}?!?`],
  ['groups that overlap', '--exclude', `shop.${'*(a|aa)'.repeat(10)}?!?`],
  ['groups in groups', '--exclude', 'shop.+(+(+(+(a|aa))))?!?'],
  ['all but all but all', '--exclude', 'shop.!(!(!(!(a*)*)*)*)?!?'],
  ['twenty alternatives', '--exclude', `shop.${'{a,aa}'.repeat(20)}?!?`],
  ['a whole line of stars', '--exclude', `shop.${'*'.repeat(900)}?!?`],
  ['twenty stars among others', '--include', 'shop', '--include', `shop.${STARS}!`],
  ['stars on the ids of checks', '--check', `${'*?'.repeat(8)}*`],
];
const CONFIGURATIONS: readonly (readonly [what: string, text: string])[] = [
  ['settings of a check', `checks: { unbounded-array: { namespaces: [{ glob: 'shop.${STARS}!?', severity: off }] } }`],
  ['owners by namespace', `owners: [{ glob: 'shop.${STARS}!', owner: a }]`],
  ['owners by application', `owners: [{ appName: '${STARS}!', owner: a }]`],
  ['expected sizes', `expect: [{ glob: 'shop.${STARS}!?', documents: 7 }]`],
  ['suppressions by namespace', `suppressions: [{ check: '*', namespace: 'shop.${STARS}!?', reason: none }]`],
  ['suppressions by path', `suppressions: [{ check: '*', path: '${STARS}!?', reason: none }]`],
];

describe('a glob on foreign names', () => {
  it.each(ARGUMENTS)('costs no finding of others: %s', async (_, ...args) => {
    await faulty.lint({ exit: [1], report: true, keeps: ['shop.orders', 'shop.threads'] }, { args });
  });

  it.each(CONFIGURATIONS)('costs no finding of others in %s', async (_, text) => {
    const cwd = await folderWith({ 'mongolint.config.yaml': `${text}\n` });
    await faulty.lint({ exit: [1], report: true, keeps: ['shop.orders', 'shop.threads'] }, { cwd });
  });

  it.each(['[', '{a', 'a)', '*'.repeat(1_001), '(('.repeat(400)])('is refused in a line: %s', async (glob) => {
    const { code, stderr } = await runLinter({ uri: faulty.shop.uri, args: ['--exclude', `shop.${glob}`] });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: [^\n]+\n$/) });
  });
});

function isOdd(namespace: string): boolean {
  return NAMES.some((name) => namespace === `shop.${name}`);
}
