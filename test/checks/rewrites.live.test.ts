/** What no index replaces, on a real server: found, gone once the printed rewrite runs instead, with the same results. */
import { randomBytes } from 'node:crypto';
import { MongoClient, type Db, type Document } from 'mongodb';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { expressionFilter } from '../../checks/expression-filter.js';
import { fullCount } from '../../checks/full-count.js';
import { inMemorySort } from '../../checks/in-memory-sort.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { unselectiveFilter } from '../../checks/unselective-filter.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { sharedReplicaSetUri } from '../support/database.js';
import { runRemedies } from '../support/remedy.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 11_000;
const EXECUTIONS = 3;
const CHECKS = [
  fullCount,
  expressionFilter,
  unselectiveFilter,
  caseInsensitiveRegex,
  collectionScan,
  poorTargeting,
  inMemorySort,
];

type Run = (database: Db) => Promise<unknown>;

interface Case {
  readonly what: string;
  readonly check: string;
  readonly path: string | null;
  readonly severity: 'error' | 'warning' | 'info';
  readonly run: Run;
  /** Positions of the steps whose statements are run once, such as that of an index, and of the one that asks anew. */
  readonly prepare: readonly number[];
  readonly rewrite: number;
  /** For the placeholders of the statements. */
  readonly values: Document;
}

const CASES: readonly Case[] = [
  {
    what: 'a count without a condition, by the metadata',
    check: 'full-count',
    path: null,
    severity: 'warning',
    run: (database) => database.collection('docs').countDocuments({}),
    prepare: [],
    rewrite: 0,
    values: {},
  },
  {
    what: 'a count without a condition, by the keys of the _id index',
    check: 'full-count',
    path: null,
    severity: 'warning',
    run: (database) => database.collection('docs').countDocuments(),
    prepare: [],
    rewrite: 1,
    values: {},
  },
  {
    what: 'a pattern for a whole value, by equality',
    check: 'unselective-filter',
    path: 'sku',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ sku: /SKU77-blue/ })
        .toArray(),
    prepare: [2],
    rewrite: 0,
    values: { skuValue: 'SKU77-blue' },
  },
  {
    what: 'a pattern for a beginning, beside a negation, by its anchor',
    check: 'unselective-filter',
    path: 'sku',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ sku: /^.*SKU77-/, status: { $ne: 'gone' } })
        .toArray(),
    prepare: [2],
    rewrite: 1,
    values: { skuBeginning: /^SKU77-/, statusValue: 'gone' },
  },
  {
    what: 'a pattern for a word, by a text index',
    check: 'unselective-filter',
    path: 'title',
    severity: 'warning',
    run: (database) => database.collection('docs').find({ title: /n77\b/ }).toArray(),
    prepare: [3],
    rewrite: 4,
    values: { words: 'n77' },
  },
  {
    what: '$nor, by $nin',
    check: 'unselective-filter',
    path: 'status',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $nor: [{ status: 'sent' }, { status: 'returned' }] })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { statusValues: ['sent', 'returned'] },
  },
  {
    what: 'a list in $expr, by $in',
    check: 'expression-filter',
    path: 'number',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $expr: { $in: ['$number', [1, 5, 9]] } })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { numberValues: [1, 5, 9] },
  },
  {
    what: 'a day in $expr, by its bounds',
    check: 'expression-filter',
    path: 'at',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $expr: { $eq: [{ $dateToString: { date: '$at', format: '%Y-%m-%d' } }, '2020-10-13'] } })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { atFrom: new Date('2020-10-13'), atTo: new Date('2020-10-14') },
  },
  {
    what: 'a beginning in $expr, by an anchored pattern',
    check: 'expression-filter',
    path: 'sku',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $expr: { $regexMatch: { input: '$sku', regex: '^SKU77-' } } })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { skuBeginning: /^SKU77-/ },
  },
  {
    what: 'arithmetic in $expr, by a stored field',
    check: 'expression-filter',
    path: 'number',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $expr: { $eq: [{ $mod: ['$number', 5_000] }, 7] } })
        .toArray(),
    prepare: [0, 1],
    rewrite: 2,
    values: { value: 5_000, computedValue: 7 },
  },
  {
    what: 'a script that compares with a value, by equality',
    check: 'expression-filter',
    path: 'number',
    severity: 'warning',
    run: (database) => database.collection('docs').find({ $where: 'this.number == 7' }).toArray(),
    prepare: [1],
    rewrite: 0,
    values: { numberValue: 7 },
  },
  {
    what: 'a script that compares two fields, by a stored field',
    check: 'expression-filter',
    path: 'total',
    severity: 'warning',
    run: (database) =>
      database.collection('docs').find({ $where: 'function() { return this.total < this.paid; }' }).toArray(),
    prepare: [1, 2],
    rewrite: 3,
    values: {},
  },
];

interface Judged {
  readonly findings: readonly Finding[];
  readonly result: unknown;
  /** Documents per execution. */
  readonly examined: number;
}

const document = (number: number): Document => ({
  _id: number,
  number,
  sku: `SKU${number}-${['red', 'green', 'blue'][number % 3]}`,
  title: `order n${number} of a customer`,
  at: new Date(1.6e12 + number * 600_000),
  total: number % 977,
  paid: number % 50 === 0 ? (number % 977) + 1 : number % 977,
  status: number % 100 === 0 ? 'open' : ['sent', 'returned'][number % 2],
});

const client = new MongoClient(sharedReplicaSetUri());
let database: Db;

beforeEach(async () => {
  database = client.db(`test_${randomBytes(6).toString('hex')}`);
  const documents = Array.from({ length: DOCUMENTS }, (_, number) => document(number));
  await database.collection('docs').insertMany(documents);
});
afterEach(async () => {
  await database.dropDatabase();
});
afterAll(() => client.close());

/** What is found of the workload, its result, and how much it examined. */
async function judged(run: Run): Promise<Judged> {
  await database.collection('system.profile').drop();
  let result: unknown;
  await recordOperations(database, async () => {
    for (let execution = 0; execution < EXECUTIONS; execution += 1) result = await run(database);
  });
  const entries = await database
    .collection('system.profile')
    .find({ ns: `${database.databaseName}.docs` })
    .toArray();
  const documents = entries.reduce((sum, { docsExamined }) => sum + Number(docsExamined ?? 0), 0);
  const report = await lint({ uri: sharedReplicaSetUri(), include: [database.databaseName], checks: CHECKS });
  expect(report.skipped).toEqual([]);
  return { findings: report.findings, result, examined: documents / EXECUTIONS };
}

/** Documents by their ids: they come in the order of another index, and some get a field. */
function inOrder(result: unknown): unknown {
  return Array.isArray(result) ? (result as Document[]).map(({ _id }) => Number(_id)).toSorted(byNumber) : result;
}

function byNumber(one: number, other: number): number {
  return one - other;
}

const neitherSentNorReturned: Run = (on) =>
  on
    .collection('docs')
    .find({ status: { $nin: ['sent', 'returned'] } })
    .toArray();

it('$nin that leaves few: by the command of collection-scan, which creates an index', async () => {
  const before = await judged(neitherSentNorReturned);
  expect(before.findings.map((each) => [each.check, each.path])).toEqual([['collection-scan', 'status_1']]);
  await runRemedies(client, before.findings);
  const after = await judged(neitherSentNorReturned);
  expect(inOrder(after.result)).toEqual(inOrder(before.result));
  expect([before.examined, after.examined]).toEqual([DOCUMENTS, DOCUMENTS / 100]);
  expect(after.findings).toEqual([]);
});

it.each(CASES)('$what', async ({ check, path, severity, run, prepare, rewrite, values }) => {
  const before = await judged(run);
  expect(before.findings.map((each) => [each.check, each.path, each.severity])).toEqual([[check, path, severity]]);
  const codeOf = (position: number) => before.findings[0]?.remedy.steps[position]?.code ?? '';
  for (const position of prepare) await runShellCode(client, codeOf(position), values);
  const after = await judged(() => runShellCode(client, codeOf(rewrite), values));
  expect(inOrder(after.result)).toEqual(inOrder(before.result));
  expect(after.examined).toBeLessThan(before.examined / 10);
  expect(after.findings).toEqual([]);
});
