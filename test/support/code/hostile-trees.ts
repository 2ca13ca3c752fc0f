import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A tree of source that somebody made so that a reader breaks, and what must be said of it. */
export interface HostileTree {
  readonly what: string;
  /** By name. A function makes what is no text. */
  readonly files: Readonly<Record<string, string | ((path: string) => unknown)>>;
  /** What the output has beside the place in the good file. */
  readonly says?: RegExp;
  /** Files that are counted as read or unread; all that `files` names if absent. */
  readonly counted?: number;
}

export const DRIVER = `import { MongoClient } from 'mongodb';
const db = new MongoClient(process.env.URI).db('shop');
const orders = db.collection('orders');
`;
const MONGOOSE = `import mongoose, { Schema } from 'mongoose';\n`;
/** The line of the place that must be found, whatever lies beside it. */
export const GOOD_PLACE = 'good.js:4 orders.find: by good';

/** Below the size at which a file counts as a bundle, and in lines as people write them. */
const DEEP = 20_000;
const deep = (before: string, inner: string, after = '') => inLines(before) + inner + inLines(after);
const inLines = (text: string) => `${text.repeat(8)}\n`.repeat(DEEP / 8);
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const sized = (bytes: number) => async (path: string) => {
  await writeFile(path, '');
  await truncate(path, bytes);
};
const UNREAD = /^hostile\.\w+ was not read: /m;

/** Nesting that ends the parser's stack, or ours: it costs the file. */
const NESTED: readonly (readonly [what: string, text: string, extension?: string])[] = [
  ['negations', deep('!', 'a')],
  ['sums', deep('a+', 'a')],
  ['conditions', deep('a?b:', 'c')],
  ['arrow functions', deep('a=>', 'a')],
  ['tagged templates', deep('a`${', 'a', '}`')],
  ['types', `type A = ${deep('Array<', 'a', '>')};`, 'ts'],
  ['operators of types', `type A = ${deep('keyof ', 'a')};`, 'ts'],
  ['conditional types', `type A = ${deep('a extends b ? c : ', 'd')};`, 'ts'],
  ['arrays', deep('[', '', ']')],
  ['blocks', deep('{', '', '}')],
  ['calls', deep('f(', '', ')')],
  ['statements', deep('if(a)', ';')],
  ['awaits', `async () => ${deep('await ', 'a')}`],
  ['instances', deep('new ', 'a')],
  ['assignments', deep('a=', 'a')],
  ['elements of a page', deep('<a>', '', '</a>')],
  ['labels', lines(DEEP, (index) => `a${index}:`) + ';'],
  ['groups of an expression', `/${deep('(', 'a', ')')}/`],
  ['classes', deep('class extends ', 'a', '{}')],
];

/** What the process that reads can't hold, or what is no file. */
const FILES: readonly HostileTree[] = [
  { what: 'twenty that break the parser', files: many(20, () => deep('!', 'a')), says: /^1 file read, 20 not\./m },
  { what: 'one of 3 MB', files: { 'hostile.js': '//'.padEnd(3_000_000, 'x') }, says: UNREAD },
  { what: 'one of 10 GB', files: { 'hostile.js': sized(10e9) }, says: UNREAD },
  {
    what: 'bytes that are not UTF-8',
    files: { 'hostile.js': (path) => writeFile(path, Buffer.from([0xff, 0xfe, 0, 1, 0xc3])) },
  },
  {
    what: 'a name that is not UTF-8',
    files: { odd: named('/h\xff.js') },
    counted: 1,
    says: /^h.*\.js was not read: its name is not UTF-8\.$/m,
  },
  {
    what: 'a folder whose name is not UTF-8',
    files: { odd: named('/h\xff/a.js') },
    counted: 1,
    says: /^h.* was not read: its name is not UTF-8\.$/m,
  },
  {
    what: 'a name with a line break',
    files: { 'a\nb.js': 'const = ;' },
    says: /was not read: it has a syntax error\.$/m,
  },
  { what: 'a pipe', files: { 'hostile.js': (path) => execFileSync('mkfifo', [path]) }, counted: 0 },
  { what: 'a link to an endless device', files: { 'hostile.js': (path) => symlink('/dev/zero', path) }, counted: 0 },
  { what: 'links in a circle', files: { 'sub/hostile': (path) => symlink('..', path) }, counted: 0 },
  { what: '600 folders within one another', files: { [`${'deep/'.repeat(600)}a.js`]: 'a;' } },
  { what: '3,000 empty files', files: many(3_000, () => '') },
];

/** What names the ways to other files. */
const CONFIGURATIONS: readonly HostileTree[] = [
  ['of 600 KB of \\"', '\\"'.repeat(300_000)],
  ['of a string without an end', `{"a": "${'\\"'.repeat(300_000)}`],
  ['of half a million blanks', `{"a": 1,${' '.repeat(500_000)}x}`],
  ['of comments without an end', '/*'.repeat(300_000)],
  ['of slashes', '/'.repeat(600_000)],
  ['of nested lists', deep('[', '', ']')],
  ['with a prototype', '{"__proto__": {"compilerOptions": 1}, "compilerOptions": {"paths": {"__proto__": ["x"]}}}'],
  ['of other types', '{"compilerOptions": {"baseUrl": [], "paths": {"a": 1, "b": [1, null], "c": null}}}'],
  ['of a number', '7'],
].map(([what, text]) => ({
  what: `a tsconfig ${what}`,
  files: { 'tsconfig.json': text as string, 'package.json': text as string },
  counted: 0,
}));

const MORE_CONFIGURATIONS: readonly HostileTree[] = [
  {
    what: 'a tsconfig of 5 GB',
    files: { 'tsconfig.json': sized(5e9) },
    counted: 1,
    says: /^tsconfig\.json was not read: it is larger than /m,
  },
  {
    what: 'a package.json of 5 GB',
    files: { 'a/package.json': sized(5e9), 'a/a.js': 'a;' },
    says: /^a\/package\.json was not read: it is larger than /m,
  },
  {
    what: 'a tsconfig that is a pipe',
    files: { 'tsconfig.json': (path) => execFileSync('mkfifo', [path]) },
    counted: 0,
  },
  { what: 'a tsconfig that is a folder', files: { 'tsconfig.json/a.js': 'a;' } },
  {
    what: 'a tsconfig of 20,000 paths, and as many imports',
    counted: 1,
    files: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: { paths: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`@p${i}*`, ['x/*']])) },
      }),
      'hostile.js': lines(20_000, (index) => `import a${index} from '@q${index}';`),
    },
  },
  {
    what: 'an import of a megabyte',
    files: { 'hostile.js': `import '@${'a/'.repeat(500_000)}';\nrequire('${'b'.repeat(900_000)}');` },
  },
];

const doubling = (first: string, next: (name: string) => string) =>
  `${DRIVER}const a0 = ${first};\n${lines(60, (index) => `const a${index + 1} = ${next(`a${index}`)};`)}\n`;

/** Few lines that stand for more than any memory holds. */
const GROWING: readonly (readonly [what: string, text: string, says?: RegExp])[] = [
  [
    'lists of twice a list',
    `${doubling('[1]', (a) => `[...${a}, ...${a}]`)}orders.find({ $in: a60 });`,
    /^hostile\.js:65 /m,
  ],
  [
    'objects of twice an object',
    `${doubling('{ x: 1 }', (a) => `{ x: ${a}, y: ${a} }`)}orders.find(a60);`,
    /^hostile\.js:65 /m,
  ],
  [
    'texts of twice a text',
    `${doubling("'abc'", (a) => `${a} + ${a}`)}db.collection(a60).find({ a: 1 });`,
    /^hostile\.js:65 \?\.find/m,
  ],
  [
    'templates of twice a text',
    `${doubling("'abc'", (a) => `\`\${${a}}\${${a}}\``)}orders.find({ [a60]: 1 });`,
    /^hostile\.js:65 /m,
  ],
  [
    'lists joined with themselves',
    `${doubling('[1]', (a) => `${a}.concat(${a})`)}orders.aggregate(a60);`,
    /^hostile\.js:65 /m,
  ],
  [
    'choices of choices',
    `${doubling('{ x: 1 }', (a) => `b ? { ...${a}, [c]: 1 } : { y: ${a} }`)}orders.find(a60);`,
    /^hostile\.js:65 /m,
  ],
  [
    'functions that call twice',
    `${DRIVER}const a0 = () => ({ x: 1 });\n${lines(60, (i) => `const a${i + 1} = () => ({ x: a${i}(), y: a${i}() });`)}\norders.find(a60());`,
    /^hostile\.js:65 /m,
  ],
  [
    'a schema of schemas',
    `${MONGOOSE}const s0 = { x: Number };\n${lines(8, (i) => `const s${i + 1} = { ${Array.from({ length: 300 }, (_, f) => `f${f}: s${i}`).join(', ')} };`)}\nexport const M = mongoose.model('M', new Schema(s8));`,
  ],
  [
    '40,000 pushes',
    `${DRIVER}const list = [];\n${lines(40_000, (i) => `list.push({ a${i}: 1 });`)}\norders.aggregate(list);`,
    /^hostile\.js:40005 /m,
  ],
  [
    '40,000 fields, one by one',
    `${DRIVER}const filter = {};\n${lines(40_000, (i) => `filter.a${i} = 1;`)}\norders.find(filter);`,
    /^hostile\.js:40005 /m,
  ],
  [
    'one field 40,000 times',
    `${DRIVER}const filter = {};\n${lines(40_000, () => 'if (a) filter.a = { $gt: b };')}\norders.find(filter);`,
    /^hostile\.js:40005 /m,
  ],
  [
    '40,000 spreads of one object',
    `${DRIVER}const part = { ${Array.from({ length: 1_000 }, (_, i) => `a${i}: 1`).join(', ')} };\norders.find({ ${'...part, '.repeat(40_000)} });`,
    /^hostile\.js:5 /m,
  ],
  ['a list of a million', `${DRIVER}orders.find({ a: { $in: [${'1,'.repeat(900_000)}] } });`, /^hostile\.js:4 /m],
  ['30,000 cursors of one name', DRIVER + lines(30_000, () => '{ const found = orders.find({ a: 1 }); }')],
  ['a chain of 500 sorts', `${DRIVER}orders.find({ a: 1 })${'.sort({ a: 1 })'.repeat(500)};`, /^hostile\.js:4 /m],
  [
    'a name of a megabyte',
    `${DRIVER}db.collection('${'x'.repeat(1_000_000)}').find({ ${'y'.repeat(500_000)}: 1 });`,
    /^hostile\.js:4 \?\.find: (?!.*y{1000})/m,
  ],
];

/** Calls that know one another. */
const CALLING: readonly HostileTree[] = [
  {
    what: 'a helper of 2,150 callers',
    files: {
      'hostile.js': `${DRIVER}export function byKey(key) { return orders.find({ [key]: 1 }); }\n${lines(2_150, (i) => `byKey('a${i}');`)}`,
    },
    says: /^hostile\.js:4 orders\.find[^]*^hostile\.js:4 has 150 more callers/m,
  },
  {
    what: 'a helper that may be none, of 2,150 callers',
    files: {
      'hostile.js': `${DRIVER}export function found(list, key) { return list.find(key); }\n${lines(2_150, (i) => `found(orders, { a${i}: 1 });`)}`,
    },
    says: /^hostile\.js:2004 orders\.find: by a1999; [^]*^hostile\.js:4 has 150 more callers/m,
  },
  {
    what: 'a thousand helpers of one name',
    files: {
      'hostile.js':
        DRIVER +
        lines(1_000, (i) => `const o${i} = { byKey(filter) { return orders.find(filter); } };`) +
        lines(40_000, (i) => `\no${i % 1_000}.byKey({ a: 1 });`),
    },
  },
  {
    what: '2,000 places in a helper of 200 callers',
    files: {
      'hostile.js': `${DRIVER}function all(filter) {\n${lines(2_000, () => 'orders.find(filter);')}\n}\n${lines(200, () => 'all({ a: 1 });')}`,
    },
  },
  {
    what: 'functions that call one another',
    files: {
      'hostile.js': `${DRIVER}const f = (a) => g(a), g = (a) => f(a);\norders.find(f({ a: 1 }));\nclass A { get x() { return this.x; } }\norders.find(new A().x);`,
    },
    says: /^hostile\.js:5 /m,
  },
  {
    what: 'modules in a circle',
    files: {
      'a.js': `export * from './b.js';\nimport { x } from './b.js';\nexport const y = x;`,
      'b.js': `export * from './a.js';\nexport { y as x } from './a.js';`,
    },
  },
  {
    what: 'a chain of 3,000 modules',
    files: {
      ...many(3_000, (i) => `export * from './h${i + 1}.js';`),
      'hostile.js': `import { x } from './h0.js';\nx.find({ a: 1 });`,
    },
  },
  {
    what: 'a type of 3,000 objects that name one another',
    files: {
      'hostile.ts': `${DRIVER}interface Data { [name: string]: Data }\nconst make = (of: Data): Data => ({ of, again: of.again });\n${lines(3_000, (i) => `const a${i}: Data = { b: make(a${i + 1}), c: make(a${(i * 7) % 3_000}) };`)}\n${lines(3_000, (i) => `const f${i} = (given: Data) => given.x.update({ a: 1 }, { $set: given.y });`)}`,
    },
    says: /^hostile\.ts:3006 \?\.update/m,
  },
  {
    what: 'a table that 2,000 places build',
    files: {
      'hostile.js': `${DRIVER}${lines(2_000, (i) => `const g${i} = (key, of) => { const from = of.state[key]; of.table[key] = make(from, { state: { n${i}: {} } }); };`)}\n${lines(2_000, (i) => `const h${i} = (of) => of.table.n${i}.find({ a: 1 });`)}`,
    },
    says: /^hostile\.js:2004 \?\.find/m,
  },
  {
    what: 'names of the prototype',
    files: {
      'hostile.js': `${DRIVER}orders.find({ __proto__: { a: 1 }, constructor: 1, toString: 2, hasOwnProperty: 3 });\nconst c = { ['__proto__']: 1 };\norders.find(c);`,
    },
    says: /^hostile\.js:4 orders\.find: by /m,
  },
  {
    what: 'functions of the names of methods',
    files: {
      'hostile.js': `${MONGOOSE}discriminator('a', b);\nmodel('a', 'b');\nindex();\nfind();\nsave();\nnew model();`,
    },
  },
  {
    what: 'half a million blanks in a comment',
    files: {
      'hostile.js': `// mongolint-ignore${' '.repeat(500_000)}x\n/* mongolint-ignore a:${' '.repeat(500_000)}*/\n/*${'* '.repeat(250_000)}x*/`,
    },
  },
  {
    what: '50,000 comments',
    files: { 'hostile.js': lines(50_000, () => '// mongolint-ignore unindexed-query: we know') },
  },
  {
    what: 'an expression that takes for ever',
    files: { 'hostile.js': `${DRIVER}orders.find({ a: /^(a+)+$/, b: new RegExp('(x+x+)+y') });` },
    says: /^hostile\.js:4 orders\.find: by a, b/m,
  },
];

export const HOSTILE_TREES: readonly HostileTree[] = [
  ...NESTED.map(([what, text, extension = 'js']) => ({
    what: `100,000 ${what}`,
    files: { [`hostile.${extension}`]: text },
  })),
  ...FILES,
  ...CONFIGURATIONS,
  ...MORE_CONFIGURATIONS,
  ...GROWING.map(([what, text, says]) => ({
    what,
    files: { 'hostile.js': text },
    ...(says !== undefined && { says }),
  })),
  ...CALLING,
];

function many(count: number, text: (index: number) => string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`h${index}.js`, text(index)]));
}

/** Of Latin-1, below the folder. */
function named(name: string) {
  return async (path: string) => {
    const file = Buffer.concat([Buffer.from(dirname(path)), Buffer.from(name, 'latin1')]);
    await mkdir(file.subarray(0, file.lastIndexOf('/')), { recursive: true });
    await writeFile(file, 'a;');
  };
}

/** Writes the tree, beside a file that is as it should be. */
export async function writeTree({ files }: HostileTree, folder: string): Promise<void> {
  await writeFile(join(folder, 'good.js'), `${DRIVER}orders.find({ good: 1 });\n`);
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await (typeof content === 'string' ? writeFile(path, content) : content(path));
  }
}

/** What is wrong with the output of `mongolint code`; nothing if all is as it must be. */
export function faultsOf({ files, says, counted }: HostileTree, code: number | null, stdout: string): string[] {
  const summary = /^([\d,]+) files? read(?:, ([\d,]+) not)?(?:, ([\d,]+) minified [a-z ]+)?\./m.exec(stdout);
  const [, read = '', unread = '0', generated = '0'] = summary ?? [];
  const counts = [read, unread, generated].map((count) => Number(count.replaceAll(',', '')));
  const expected = 1 + (counted ?? Object.keys(files).length);
  return [
    ...(code === 0 ? [] : [`It ended with ${code}.`]),
    ...(stdout.includes(`${GOOD_PLACE}\n`) ? [] : ['The good place is not there.']),
    ...(counts.reduce((sum, each) => sum + each, 0) === expected
      ? []
      : [`${read} read, ${unread} not and ${generated} left out are not ${expected}.`]),
    ...(says === undefined || says.test(stdout) ? [] : [`It does not say ${says}.`]),
  ];
}
