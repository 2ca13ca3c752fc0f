/** Evidence that earlier versions collected is judged by this one. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeEvidence } from '../../../src/lint/judge-evidence.js';
import { reportSchema } from '../../../src/report/report.js';
import { writtenReport } from '../../../src/report/skipped.js';

const FILES = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.evidence.jsonl.gz'),
);
/** Bytes of the file, gzipped. */
const MOST_PER_COLLECTION = 10_000;

describe('recorded evidence', () => {
  it('is there', () => expect(FILES.length).toBeGreaterThanOrEqual(2));

  it.each(FILES)('%s is judged', async (name) => {
    const file = join(import.meta.dirname, name);
    const { report } = await judgeEvidence({ file });
    expect(() => reportSchema.parse(writtenReport(report))).not.toThrow();
    expect(report.failures).toEqual([]);
    expect(new Set(report.findings.map(({ check }) => check)).size).toBeGreaterThan(15);
    // As `lint --include`: what relates it to collections that are left out is theirs.
    const { namespace } = report.collections[0]!;
    const { report: narrowed } = await judgeEvidence({ file, include: [namespace] });
    expect(narrowed.findings.filter((finding) => finding.namespace !== namespace)).toEqual([]);
    expect(statSync(file).size / report.collections.length).toBeLessThan(MOST_PER_COLLECTION);
  });
});
