/** What no index replaces, on a real server: found, gone once the printed rewrite runs instead, with the same results. */
import { type Document } from 'mongodb';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { expressionFilter } from '../../checks/expression-filter.js';
import { fullCount } from '../../checks/full-count.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { unselectiveFilter } from '../../checks/unselective-filter.js';
import type { Finding } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun, total } from '../support/judged-run.js';
import type { Run } from '../support/queries/query-rewrite.js';
import { order, REWRITES } from '../support/queries/rewrites.js';
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

interface Judged {
  readonly findings: readonly Finding[];
  readonly result: unknown;
  /** Documents per execution. */
  readonly examined: number;
}

const client = sharedClient();
const database = freshDatabase(client);
/** The documents as they are at the beginning of each test. */
const planted = freshDatabase(client).collection('planted');

beforeAll(async () => {
  await planted.insertMany(Array.from({ length: DOCUMENTS }, (_, number) => order(number)));
});
beforeEach(async () => {
  await database.dropCollection('docs');
  await planted.aggregate([{ $out: { db: database.databaseName, coll: 'docs' } }]).toArray();
});
/** What is found of the workload, its result, and how much it examined. */
async function judged(run: Run): Promise<Judged> {
  const docs = database.collection('docs');
  const ran = await judgedRun(database, () => run(database), { only: docs, times: EXECUTIONS, checks: CHECKS });
  expect(ran.skipped).toEqual([]);
  return { ...ran, examined: total(ran.entries, 'docsExamined') / EXECUTIONS };
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

it.each(REWRITES)('$what', async ({ check, path, severity, run, prepare, rewrite, values }) => {
  const before = await judged(run);
  expect(before.findings.map((each) => [each.check, each.path, each.severity])).toEqual([[check, path, severity]]);
  const codeOf = (position: number) => before.findings[0]?.remedy.steps[position]?.code ?? '';
  for (const position of prepare) await runShellCode(client, codeOf(position), values);
  const after = await judged(() => runShellCode(client, codeOf(rewrite), values));
  expect(inOrder(after.result)).toEqual(inOrder(before.result));
  expect(after.examined).toBeLessThan(before.examined / 10);
  expect(after.findings).toEqual([]);
});

it('a count of whether there are any: by one that stops at the first', async () => {
  const before = await judged((on) => on.collection('docs').countDocuments({}));
  const after = await judged(() => runShellCode(client, before.findings[0]?.remedy.steps[2]?.code ?? ''));
  expect([before.result, before.examined]).toEqual([DOCUMENTS, DOCUMENTS]);
  expect([after.result, after.examined]).toEqual([1, 1]);
});
