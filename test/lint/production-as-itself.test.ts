/** A run that is joined with its own evidence is judged as it is by itself: nothing is lost or found by the join alone. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import type { Report } from '../../src/report/report.js';

const rows = ({ findings }: Report) =>
  findings.map(({ check, severity, confidence, namespace, path }) => [check, severity, confidence, namespace, path]);
const collections = ({ collections: all }: Report) => all.map(({ namespace, documents }) => [namespace, documents]);

describe.each(['replica-set', 'sharded'])('the evidence of a cluster, %s', (name) => {
  const file = join(packageRoot(), `test/evidence/recorded/v1/${name}.evidence.jsonl.gz`);

  it('comes to the same findings at its own size', async () => {
    const { report: alone } = await judgeEvidence({ file });
    const { report: joined } = await judgeEvidence({ file, production: file });
    expect(rows(joined)).toEqual(rows(alone));
    expect(collections(joined)).toEqual(collections(alone));
    expect(joined.findings.length).toBeGreaterThan(10);
    expect(joined.production?.collections).toBeGreaterThan(30);
  });
});
