import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Nights } from '../../src/cli/nights.js';
import { historyIn } from '../../src/growth/history-file.js';
import type { Report } from '../../src/report/report.js';
import { addTo, newFile, record } from '../support/growth/history-files.js';
import { reportOf } from '../support/report/sample-report.js';

const target = { options: {} } as Parameters<Nights['with']>[0];

const cluster = { topology: 'standalone', version: '6.0.5', name: null, tier: null, readFrom: 'primary' } as const;

describe('what a run came to', () => {
  it('costs no report if the history was damaged meanwhile, and the fault is named', async () => {
    const file = await newFile();
    await writeFile(file, 'no history\n');
    const nights = new Nights(() => historyIn(file));
    const report = reportOf({ cluster });
    expect(await nights.with(target, report)).toBe(report);
    expect(nights.faults).toEqual([expect.stringContaining(`${file} is not a history file of mongolint`)]);
  });

  it('has no size if one of a collection is unknown', async () => {
    const file = await newFile();
    const nights = new Nights(() => historyIn(file));
    await addTo(file, record(1));
    const known = { kind: 'collection', documents: 10, size: 100 };
    const nightOf = async (startedAt: string, size: number | null) => {
      const collections = [known, { ...known, size }] as Report['collections'];
      return (await nights.with(target, { ...reportOf({ cluster }), startedAt, collections })).nights?.at(-1);
    };
    expect(await nightOf(record(1).at, 50)).toBeUndefined();
    await nights.keep();
    expect(await nightOf(record(0).at, 50)).toMatchObject({ documents: 20, bytes: 150 });
    expect(await nightOf(record(0).at, null)).toMatchObject({ documents: 20, bytes: null });
  });
});
