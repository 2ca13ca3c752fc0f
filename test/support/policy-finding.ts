import type { Finding } from '../../src/finding.js';
import { fingerprint } from '../../src/findings/stamp.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import type { TargetRun } from '../../src/policy/judged.js';
import { reportOf, sampledCollection, type ReportParts } from './report/sample-report.js';

/** A finding, an error unless changed, whose fingerprint is that of its check, namespace and path. */
export function policyFinding(changes: Partial<Finding> = {}): Finding {
  const { check = 'unbounded-array', namespace = 'shop.orders', path = 'items' } = changes;
  return {
    check,
    severity: 'error',
    confidence: 'high',
    namespace,
    path,
    title: 'Unbounded array',
    message: 'It grows.',
    ...(changes.evidence === undefined && { restsOn: ['sample'] }),
    evidence: { source: 'sample', window: '10 of 10 documents' },
    remedy: reportedRemedy({ steps: [{ text: 'Cap it.' }] }),
    docs: `checks/${check}.md`,
    fingerprint: fingerprint(check, namespace, path),
    ...changes,
  };
}

/** A run of one target over these collections, with what it found and skipped. */
export function policyRun(
  namespaces: readonly string[],
  parts: ReportParts = {},
  scope: Partial<TargetRun> = {},
): TargetRun {
  const report = reportOf({ ...parts, collections: namespaces.map((namespace) => sampledCollection(namespace)) });
  return { report, include: [], exclude: [], isNarrowed: false, ...scope };
}
