/** What no index replaces, on a real server: found, gone once the printed rewrite runs instead, with the same results. */
import { randomBytes } from 'node:crypto';
import { MongoClient, type Db, type Document } from 'mongodb';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { fullCount } from '../../checks/full-count.js';
import { inMemorySort } from '../../checks/in-memory-sort.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { sharedReplicaSetUri } from '../support/database.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 11_000;
const EXECUTIONS = 3;
const CHECKS = [fullCount, collectionScan, poorTargeting, inMemorySort];

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
];

const document = (number: number): Document => ({ _id: number, number, status: ['open', 'paid'][number % 2] });

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

/** What is found of the workload, its result, and the documents or keys that it examined, whichever is more. */
async function judged(
  run: Run,
): Promise<{ findings: readonly Finding[]; result: unknown; documents: number; keys: number }> {
  await database.collection('system.profile').drop();
  let result: unknown;
  await recordOperations(database, async () => {
    for (let execution = 0; execution < EXECUTIONS; execution += 1) result = await run(database);
  });
  const entries = await database
    .collection('system.profile')
    .find({ ns: `${database.databaseName}.docs` })
    .toArray();
  const sumOf = (figure: string) => entries.reduce((sum, entry) => sum + Number(entry[figure] ?? 0), 0) / EXECUTIONS;
  const report = await lint({ uri: sharedReplicaSetUri(), include: [database.databaseName], checks: CHECKS });
  expect(report.skipped).toEqual([]);
  return { findings: report.findings, result, documents: sumOf('docsExamined'), keys: sumOf('keysExamined') };
}

it.each(CASES)('$what', async ({ check, path, severity, run, prepare, rewrite, values }) => {
  const before = await judged(run);
  expect(before.findings.map((each) => [each.check, each.path, each.severity])).toEqual([[check, path, severity]]);
  const codeOf = (position: number) => before.findings[0]?.remedy.steps[position]?.code ?? '';
  for (const position of prepare) await runShellCode(client, codeOf(position), values);
  const after = await judged(() => runShellCode(client, codeOf(rewrite), values));
  expect(after.result).toEqual(before.result);
  expect(after.documents).toBeLessThan(before.documents / 10);
  expect(after.findings).toEqual([]);
});
