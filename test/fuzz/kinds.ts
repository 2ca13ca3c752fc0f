import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MongoServerError, type Document } from 'mongodb';
import { stringify } from 'yaml';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { runCaptured } from '../support/captured-io.js';
import { PHASES } from '../support/wire/phases.js';
import { rewritten } from '../support/wire/reply-treatments.js';
import { WireProxy } from '../support/wire/wire-proxy.js';
import { routerLine, slowLine } from '../support/workload/log-text.js';
import { evidenceText } from './evidence-text.js';
import { triedMcp } from './mcp.js';
import { mutated, mutatedText } from './mutation.js';
import { LIMITS, linted, problemsOf, type Tried } from './outcome.js';
import { triedRules } from './rules.js';
import type { FuzzedShop } from './shop.js';
import { triedSource, triedTsconfig } from './source.js';

/** Runs mongolint on one input, and says what is wrong with what came of it. */
export type Kind = (shop: FuzzedShop, random: SeededRandom) => Promise<Tried>;

/** Handshakes, heartbeats, and the server's own bookkeeping. */
const NOT_MUTATED = new Set(['hello', 'ismaster', 'isMaster', 'endSessions', 'killCursors', 'ping']);

/** A document that the server's index refuses. */
const PARALLEL_ARRAYS = 171;

const isMutated = (command: Document) => !NOT_MUTATED.has(Object.keys(command)[0] ?? '');

export const KINDS: Readonly<Record<string, Kind>> = {
  replies: async (shop, random) => {
    const seed = random.below(2 ** 31);
    const rate = random.choose([0.03, 0.1, 0.3]);
    const sent = new Map<string, number>();
    const reply = rewritten((answer, command) => {
      const [name = ''] = Object.keys(command);
      const key = `${name} ${JSON.stringify(command[name])} ${Object.keys(command['pipeline']?.[0] ?? {})[0]}`;
      const nth = sent.get(key) ?? 0;
      sent.set(key, nth + 1);
      const own = new SeededRandom(seed ^ createHash('sha1').update(`${key} ${nth}`).digest().readInt32LE());
      return own.chance(rate) ? mutatedReply(answer, own) : answer;
    });
    const proxy = await WireProxy.start({ uri: shop.uri, faults: [{ on: isMutated, reply }] });
    try {
      const history = join(shop.folder, 'of-replies.history.jsonl');
      await Promise.all([history, `${history}.declared.jsonl`].map((each) => rm(each, { force: true })));
      const kept = random.chance(0.5) ? ['--history', history] : [];
      if (random.chance(0.6)) return await linted(shop, random, [proxy.uri, ...kept, ...LIMITS]);
      const file = join(shop.folder, 'collected.evidence.jsonl');
      const pseudonyms = random.chance(0.4) ? ['--pseudonyms'] : [];
      await rm(file, { force: true });
      const argv = ['collect', proxy.uri, '--output', file, ...pseudonyms, ...LIMITS];
      const collected = await runCaptured(argv, { MONGOLINT_PSEUDONYMS_SECRET: 'a secret of fuzzing' }, shop.folder);
      const problems = problemsOf(collected, false);
      if (!existsSync(file)) return { problems, stderr: collected.stderr };
      const judged = await runCaptured(['judge', file, '--format', 'json', '--verbose'], {}, shop.folder);
      const refused = /damaged|cut off/.test(judged.stderr) ? ['judge refuses what collect wrote'] : [];
      return {
        problems: [...problems, ...refused, ...problemsOf(judged, true)],
        stderr: collected.stderr + judged.stderr,
      };
    } finally {
      await proxy.stop();
    }
  },

  evidence: async (shop, random) => {
    const file = join(shop.folder, 'mutated.evidence.jsonl');
    const changed = random.below(shop.evidence.length);
    const lines = shop.evidence.map((line, index) => (index === changed ? mutated(line, random, 'json') : line));
    const text = random.chance(0.1) ? mutatedText(evidenceText(lines), random) : evidenceText(lines);
    await writeFile(file, random.chance(0.1) ? gzipSync(text) : text);
    const verb = random.chance(0.2) ? ['compare', shop.evidenceFile, file] : ['judge', file];
    const production = random.chance(0.1) && verb[0] === 'judge' ? ['--production', file] : [];
    return linted(shop, random, [...verb, ...production]);
  },

  baseline: async (shop, random) => {
    const file = join(shop.folder, 'mutated-baseline.json');
    await writeFile(file, mutatedLines(shop.baseline, random));
    const update = random.chance(0.2) ? ['--update-baseline'] : [];
    return linted(shop, random, ['judge', shop.evidenceFile, '--baseline', file, ...update]);
  },

  history: async (shop, random) => {
    const file = join(shop.folder, 'mutated-history.jsonl');
    await writeFile(file, mutatedLines(shop.history, random));
    return linted(shop, random, [shop.uri, '--history', file, '--include', 'shop.orders', ...LIMITS]);
  },

  declared: async (shop, random) => {
    const file = join(shop.folder, 'declared-history.jsonl');
    await writeFile(file, shop.history);
    await writeFile(`${file}.declared.jsonl`, mutatedLines(shop.declared, random));
    return linted(shop, random, [shop.uri, '--history', file, '--include', 'shop.orders', ...LIMITS]);
  },

  state: async (shop, random) => {
    const { uri, collection, documents } = shop.state;
    const changed = random.below(documents.length);
    const inserted = documents.map((document, index) =>
      index === changed ? mutatedState(document, random) : document,
    );
    await collection.deleteMany({});
    try {
      await collection.insertMany(inserted, { bypassDocumentValidation: true });
    } catch (error) {
      if ((error as MongoServerError).code !== PARALLEL_ARRAYS) throw error;
      return { problems: [], stderr: '' };
    }
    const update = random.chance(0.2) ? ['--update-baseline'] : [];
    const argv = [shop.uri, '--state', uri, '--state-on-linted', '--include', 'shop.orders', ...update, ...LIMITS];
    return linted(shop, random, argv);
  },

  report: async (shop, random) => {
    const file = join(shop.folder, 'mutated-report.json');
    const text = JSON.stringify(mutated(JSON.parse(shop.report) as unknown, random, 'json'));
    await writeFile(file, random.chance(0.1) ? mutatedText(text, random) : text);
    return linted(shop, random, ['report', file]);
  },

  configuration: async (shop, random) => {
    const tree = mutated(CONFIGURATION, random, 'json');
    const isYaml = random.chance(0.5);
    const text = isYaml ? yamlOf(tree) : JSON.stringify(tree);
    const file = join(shop.folder, `mutated.config.${isYaml ? 'yaml' : 'json'}`);
    await writeFile(file, random.chance(0.3) ? mutatedText(text, random) : text);
    return linted(shop, random, ['judge', shop.evidenceFile, '--config', file]);
  },

  rules: triedRules,

  source: (shop, random) => triedSource(shop.folder, random),

  tsconfig: (shop, random) => triedTsconfig(shop.folder, random),

  mcp: triedMcp,

  profiler: async (shop, random) => {
    const seed = random.below(2 ** 31);
    const reply = rewritten((answer) => ofManyEntries(answer, new SeededRandom(seed)));
    const proxy = await WireProxy.start({ uri: shop.uri, faults: [{ on: PHASES.profiler, reply }] });
    try {
      return await linted(shop, random, [proxy.uri, '--include', 'shop.{orders,customers,buyers}', ...LIMITS]);
    } finally {
      await proxy.stop();
    }
  },

  logs: async (shop, random) => {
    const lines = Array.from({ length: 30 }, () => mutatedLine(random.choose(LOG), random));
    const file = join(shop.folder, 'mutated.log');
    const text = lines.join('\n');
    await writeFile(file, random.chance(0.2) ? gzipSync(text) : text);
    return linted(shop, random, [shop.uri, '--log', file, '--include', 'shop.{orders,customers}', ...LIMITS]);
  },
};

/** What says that it is a reply stays: other than that, nobody would read it. Of a batch, mostly documents change. */
function mutatedReply(answer: Document, random: SeededRandom): Document {
  const { ok, cursor, ...rest } = answer;
  const batch = cursor?.firstBatch === undefined ? 'nextBatch' : 'firstBatch';
  const documents: unknown = cursor?.[batch];
  if (!Array.isArray(documents)) return { ...mutated(rest, random, 'bson'), ok };
  const changed = random.chance(0.05)
    ? mutated({ [batch]: documents as unknown[] }, random, 'bson')
    : { [batch]: documents.map((each: unknown) => (random.chance(0.4) ? mutated(each, random, 'bson') : each)) };
  return { ...answer, cursor: { ...cursor, ...changed } };
}

/** Five times the entries of a profile, each changed. */
function ofManyEntries(answer: Document, random: SeededRandom): Document {
  const { cursor } = answer;
  const batch = cursor?.firstBatch === undefined ? 'nextBatch' : 'firstBatch';
  const entries: readonly Document[] = cursor?.[batch] ?? [];
  const changed = [1, 2, 3, 4, 5].flatMap(() => entries.map((entry) => mutated(entry, random, 'bson')));
  return { ...answer, cursor: { ...cursor, [batch]: changed } };
}

/** Very deep data is beyond the writer; as JSON, it is YAML all the same. */
function yamlOf(tree: unknown): string {
  try {
    return stringify(tree, { aliasDuplicateObjects: false });
  } catch {
    return JSON.stringify(tree);
  }
}

/** Its line as a line of a file, or the document itself; two `_id`s are never the same. */
function mutatedState({ _id, ...document }: Document, random: SeededRandom): Document {
  if (random.chance(0.3)) return { ...mutated(document, random, 'bson'), _id };
  const { line } = document;
  return { ...document, _id, line: mutatedLine(String(line), random) };
}

function mutatedLines(text: string, random: SeededRandom): string {
  if (random.chance(0.2)) return mutatedText(text, random);
  const lines = text.trimEnd().split('\n');
  const at = random.below(lines.length);
  return `${lines.map((line, index) => (index === at ? mutatedLine(line, random) : line)).join('\n')}\n`;
}

function mutatedLine(line: string, random: SeededRandom): string {
  if (random.chance(0.2)) return mutatedText(line, random);
  try {
    return JSON.stringify(mutated(JSON.parse(line) as unknown, random, 'json')) ?? '';
  } catch {
    // A line of JSON that stands on several lines.
    return mutatedText(line, random);
  }
}

const JOIN = { $lookup: { from: 'customers', localField: 'customer_id', foreignField: 'number', as: 'customers' } };
const LOG = [
  slowLine({ find: 'orders', filter: { total: 5 }, sort: { number: -1 }, skip: 20 }, { docsExamined: 400 }),
  slowLine(
    { aggregate: 'orders', pipeline: [{ $match: { a: { $in: [1, 2] } } }, JOIN], cursor: {} },
    { docsExamined: 4e5 },
  ),
  slowLine({ q: { number: 1 }, u: { $push: { lines: { $each: [1], $slice: -5 } } } }, { type: 'update', nModified: 1 }),
  slowLine({ getMore: 1, collection: 'orders' }, { originatingCommand: { find: 'orders', filter: {} }, cursorid: 7 }),
  routerLine({ find: 'orders', filter: { total: 5 } }, 2),
];

const CONFIGURATION = {
  include: ['shop.*'],
  exclude: ['*.tmp_*'],
  sampleSize: 500,
  maxTime: '1min',
  checks: { 'unused-index': 'info', 'unbounded-array': { severity: 'error', thresholds: { elements: 5 } } },
  suppressions: [
    { check: 'unbounded-array', namespace: 'shop.orders', reason: 'known', expires: '2030-01-01', owner: 'a' },
  ],
  expect: { 'shop.orders': 1_000_000 },
  owners: [{ namespace: 'shop.*', owner: 'team' }],
  failOn: 'warning',
};
