import type { Collection, Db, Document } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { type LintOptions } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { lintShared } from './linted-collection.js';

/** What an application ran on the shared replica set, and what is found of it. */
export interface JudgedRun<Result> extends Report {
  /** That of the last execution. */
  readonly result: Result;
  /** What the profiler has of it; of the collection alone, if it was judged alone. */
  readonly entries: readonly Document[];
}

interface JudgedRunOptions extends Pick<LintOptions, 'checks' | 'settings' | 'expect'> {
  readonly times?: number;
  /** The only collection that is judged; all of the database unless given. */
  readonly only?: Collection | undefined;
}

/** Runs something a number of times and lints what the profiler recorded of it, and of nothing that ran before. */
export async function judgedRun<Result>(
  database: Db,
  run: () => Promise<Result>,
  { times = 1, only, ...options }: JudgedRunOptions,
): Promise<JudgedRun<Result>> {
  const profile = database.collection('system.profile');
  await profile.drop();
  let result: Result | undefined;
  await recordOperations(database, async () => {
    for (let execution = 0; execution < times; execution += 1) result = await run();
  });
  const include = [only?.namespace ?? `${database.databaseName}.*`];
  const report = await lintShared({ include, ...options });
  const entries = await profile.find({ ns: only?.namespace ?? { $ne: profile.namespace } }).toArray();
  return { ...report, result: result as Result, entries };
}

/** The sum of a figure over entries of the profiler. */
export function total(entries: readonly Document[], figure: 'docsExamined' | 'keysExamined'): number {
  return entries.reduce((sum, entry) => sum + Number(entry[figure] ?? 0), 0);
}
