import type { Db } from 'mongodb';
import { expect } from 'vitest';
import { reportSchema, type Report } from '../../src/report/report.js';
import { runCaptured } from './captured-io.js';

/** What a report says, but for times and for what the run itself took. */
export function verdictsOf({ findings, skipped, summary }: Report) {
  return { findings, skipped, found: summary.findings, collections: summary.collections };
}

/** The report of a command line that prints JSON. */
export async function reportOf(argv: readonly string[], env: Record<string, string> = {}): Promise<Report> {
  const { stdout, stderr } = await runCaptured([...argv, '--format', 'json', '--fail-on', 'never'], env);
  expect(stderr).not.toContain('failed');
  return reportSchema.parse(JSON.parse(stdout));
}

/** The script that `mongolint collect --script` prints, with its exit code. */
export async function printedScript(argv: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCaptured(['collect', '--script', ...argv]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

const posts = (count: number) => Array.from({ length: count }, (_, number) => ({ number, text: 'x'.repeat(30) }));

/** Threads without a bound on their posts, and an index that begins as another one does. */
export async function plantLongArrays(database: Db): Promise<void> {
  const threads = database.collection<object>('threads');
  await threads.insertMany(
    Array.from({ length: 40 }, (_, number) => ({ author: number % 7, posts: posts(200 + number * 60) })),
  );
  await threads.createIndexes([{ key: { author: 1 } }, { key: { author: 1, _id: 1 } }]);
}
