import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SeededRandom } from '../../src/demo/seeded-random.js';
import { evidenceText } from './evidence-text.js';
import { mutated, mutatedText } from './mutation.js';
import { linted, type Tried } from './outcome.js';
import type { FuzzedShop } from './shop.js';

const RULES = [
  { id: 'names', reason: 'Names are short.', glob: 'shop.*', severity: 'error', name: '[a-z]+' },
  { id: 'audit', reason: 'Who and when.', fields: { number: ['int'], 'lines[].at': ['date'], tags: [] } },
  { id: 'exact', reason: 'Money is exact.', glob: '*', forbiddenTypes: ['double', 'int'] },
  {
    id: 'asked',
    reason: 'It is asked.',
    indexes: [{ key: { total: 1, number: -1 } }, { key: { slug: 1 }, unique: true }],
  },
  {
    id: 'small',
    reason: 'It is read whole.',
    maximum: { documents: 5, documentBytes: 100, collectionBytes: 9, indexes: 1 },
  },
];

const PLUGIN = {
  meta: { name: 'odd', version: '1.0.0' },
  checks: [
    {
      id: 'one',
      title: 'T',
      summary: 's',
      docs: 'https://example.com/',
      appliesTo: ['collection', 'view', 'timeseries'],
      needs: ['documents'],
      uses: ['indexes'],
      thresholds: { most: { default: 5, unit: 'documents', description: 'd', source: 's' } },
    },
    {
      id: 'all',
      scope: 'cluster',
      title: 'T',
      summary: 's',
      docs: 'https://example.com/',
      needs: ['storage'],
      clusterNeeds: [],
      thresholds: {},
    },
  ],
  formats: [{ name: 'own', description: 'd', extension: 'txt' }],
  configs: { all: { checks: { 'odd/one': 'error' } } },
};

const PROBLEM = {
  severity: 'warning',
  confidence: 'high',
  path: 'lines[].at',
  message: 'It is odd.',
  evidence: { source: 'sample', window: 'all', count: 5 },
  remedy: { steps: [{ text: 'Do it.', command: { db: 'shop', command: { createIndexes: 'orders', indexes: [] } } }] },
};

/** Patterns and globs that an engine which goes back would never end with, and such as are none. */
const PATTERNS = [
  '(a+)+',
  '(a|a)*b',
  '(.*)*x',
  '(?:a?){500}a{500}',
  '(?=a)',
  '(a)\\1',
  '[',
  'x{1001}',
  '\\p{Greek}+',
  '(?i)A',
  '',
  `${'*'.repeat(20)}b`,
  '*a'.repeat(20),
  '{a,b,{c,d}}*',
  '{1..100000000}',
  '[!a-',
  '!(a|*b)',
  '**/**/**',
  '\\',
];
/** In place of the name of a collection. */
const FOREIGN = [`${'a'.repeat(45)}!`, 'a.'.repeat(60), '__proto__', 'constructor', '(a+)+', '\u202e', '*'.repeat(20)];
/** What a check of a plugin does. */
const BODIES = [
  'return problems',
  'return problems',
  'return problems',
  'return problems[0]',
  'return [null, undefined, 5]',
  'throw null',
  'throw Object.create(null)',
  'throw new RangeError("x".repeat(1e6))',
  'return Promise.reject(5)',
  'return new Proxy([], { get() { throw 5; } })',
  'const all = []; all.push(all); return all',
  'return 5n',
  '',
  'return new Array(1e5).fill(problems[0])',
  'if (subject.collection) subject.collection.name = 5; return problems',
];

let inputs = 0;

/** House rules, of the configuration and of a file that it extends, and a plugin, on a collection of a foreign name. */
export async function triedRules(shop: FuzzedShop, random: SeededRandom): Promise<Tried> {
  const at = (name: string) => join(shop.folder, name);
  // A module is loaded once by its path.
  const plugin = `odd-${(inputs += 1)}.mjs`;
  const patterned = () =>
    RULES.map((rule) => ({
      ...rule,
      ...(random.chance(0.3) && { name: random.choose(PATTERNS) }),
      ...(random.chance(0.3) && { glob: random.choose(PATTERNS) }),
    }));
  const changed = <Value>(value: Value, chance: number) =>
    random.chance(chance) ? mutated(value, random, 'json') : value;
  const shared = JSON.stringify(changed({ rules: patterned(), checks: { 'odd/one': 'info' } }, 0.4));
  const configuration = {
    extends: ['./shared.rules.json', 'odd/all'],
    rules: patterned(),
    include: [random.choose([...PATTERNS, 'shop.*'])],
    plugins: [`./${plugin}`],
    checks: { 'house/names': 'info', 'odd/one': { severity: 'error', thresholds: { most: 1 } } },
  };
  await writeFile(at(plugin), moduleOf(changed(PLUGIN, 0.3), changed([PROBLEM, PROBLEM], 0.6), random));
  await writeFile(at('shared.rules.json'), random.chance(0.1) ? mutatedText(shared, random) : shared);
  await writeFile(at('rules.config.json'), JSON.stringify(changed(configuration, 0.6)));
  const foreign = JSON.stringify(random.choose(FOREIGN)).slice(1, -1);
  const lines = shop.evidence.map(
    (line) => JSON.parse(JSON.stringify(line).replaceAll(/(?<=["./])orders(?=["./])/g, () => foreign)) as unknown,
  );
  await writeFile(at('foreign.evidence.jsonl'), evidenceText(lines));
  try {
    return await linted(shop, random, ['judge', at('foreign.evidence.jsonl'), '--config', at('rules.config.json')]);
  } finally {
    await rm(at(plugin));
  }
}

function moduleOf(plugin: unknown, problems: unknown, random: SeededRandom): string {
  const render = random.choose(['return "own"', 'return 5', 'throw null', 'report.findings.length = 0; return ""']);
  return `
const plugin = ${parsed(plugin)}, problems = ${parsed(problems)};
for (const check of Object.values(plugin?.checks ?? [])) if (check instanceof Object) check.judge = function (subject) { ${random.choose(BODIES)}; };
for (const format of Object.values(plugin?.formats ?? [])) if (format instanceof Object) format.render = (report) => { ${render}; };
export default plugin;
`;
}

function parsed(value: unknown): string {
  return `JSON.parse(${JSON.stringify(JSON.stringify(value) ?? 'null')})`;
}
