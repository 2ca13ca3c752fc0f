import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HistoryFile, type HistoryRecord } from '../../../src/growth/history-file.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { temporaryFolder } from '../temporary-folder.js';

export const NOW = Date.parse('2026-03-01T12:00:00Z');

export function record(daysAgo: number): HistoryRecord {
  return {
    schemaVersion: 1,
    at: new Date(NOW - daysAgo * MS_PER_DAY).toISOString(),
    collections: [{ namespace: 'shop.products', uuid: '00112233445566778899aabbccddeeff', documents: 3 }],
  };
}

export async function newFile(): Promise<string> {
  return join(await temporaryFolder(), 'history.jsonl');
}

export async function addTo(file: string, ...records: readonly HistoryRecord[]): Promise<void> {
  for (const one of records) {
    const history = await HistoryFile.open(file);
    await history.add(one);
  }
}

export async function recordsIn(file: string): Promise<readonly HistoryRecord[]> {
  return (await HistoryFile.open(file)).records;
}

/** Moves the runs of a history into the past, the last one by a day, those before it by a day more each: a test can't wait. */
export async function putADayApart(file: string): Promise<void> {
  const [header, ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
  const records = lines.map((line, index) => {
    const at = new Date(Date.now() - (lines.length - index) * MS_PER_DAY).toISOString();
    return JSON.stringify({ ...(JSON.parse(line) as HistoryRecord), at });
  });
  await writeFile(file, [header, ...records, ''].join('\n'));
}
