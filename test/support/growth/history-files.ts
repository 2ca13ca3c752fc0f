import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { HistoryFile } from '../../../src/evidence/growth/history/history-file.js';
import type { HistoryRecord } from '../../../src/evidence/growth/history/history-record.js';
import { summarize } from '../../../src/evidence/growth/history/quantile-summary.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { temporaryFolder } from '../temporary-folder.js';

export const NOW = Date.parse('2026-03-01T12:00:00Z');

export function record(daysAgo: number): HistoryRecord {
  return {
    schemaVersion: 1,
    at: new Date(NOW - daysAgo * MS_PER_DAY).toISOString(),
    collections: [
      {
        namespace: 'shop.products',
        uuid: '00112233445566778899aabbccddeeff',
        documents: 3,
        complete: true,
        sizes: summarize([100, 200, 300]),
        arrays: [{ path: 'reviews', lengths: summarize([1, 2, 3]) }],
      },
    ],
  };
}

export async function newFile(): Promise<string> {
  return join(await temporaryFolder(), 'history.jsonl');
}

export async function addTo(file: string, ...records: readonly HistoryRecord[]): Promise<void> {
  for (const one of records) {
    const history = await HistoryFile.open(file);
    await history.add(one);
    await history.close();
  }
}

/** What runs measured; their grades are records of their own. */
export async function recordsIn(file: string): Promise<readonly HistoryRecord[]> {
  const history = await HistoryFile.open(file);
  await history.close();
  return history.records.filter(({ graded }) => graded === undefined);
}

/** A lock as a process leaves it that was killed. */
export async function leaveLock(file: string, holder: object = {}): Promise<void> {
  const ended = spawn(process.execPath, ['-e', '']);
  await new Promise((done) => ended.on('exit', done));
  const { processes } = JSON.parse(await lockOf(file)) as { processes: unknown };
  await writeFile(
    `${file}.lock`,
    JSON.stringify({ token: 'other', pid: ended.pid, host: hostname(), processes, ...holder }),
  );
}

/** The content of the lock that this process takes. */
async function lockOf(file: string): Promise<string> {
  const history = await HistoryFile.open(`${file}.other`);
  const content = await readFile(`${file}.other.lock`, 'utf8');
  await history.close();
  return content;
}
