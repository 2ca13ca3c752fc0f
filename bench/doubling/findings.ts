import { applyPolicy, type Policy } from '../../src/policy/apply-policy.js';
import { updatedBaseline } from '../../src/policy/baseline.js';
import { fingerprint } from '../../src/findings/stamp.js';
import type { Finding } from '../../src/finding.js';
import { REPORT_FORMATS } from '../../src/report/formats.js';
import type { TargetRun } from '../../src/policy/judged.js';
import type { Report } from '../../src/report/report.js';
import { judgedRun } from './judged-run.js';
import type { Dimension } from './measured-phases.js';
import { recordedLines, replicatedRun } from './replicated-cluster.js';

/** As it is published: the page has its style and script only there. */
const { renderReport } = (await import(
  new URL('../../bundle/index.js', import.meta.url).href
)) as typeof import('../../src/index.js');
const COLLECTIONS = 85;
const TODAY = '2026-11-21';

/**
 * Findings of the recorded cluster, again and again under other names of databases, and what is made of them. So many that
 * the processor's caches hold none of the sizes: else the smallest is measured from a cache, and the largest from memory.
 */
export async function findingsDimension(sizes: readonly number[]): Promise<Dimension> {
  const recorded = await recordedReport();
  return {
    name: 'findings',
    sizes,
    begin(size) {
      const { run, policy } = acceptedRun(recorded, size);
      return {
        'suppress, and compare with a baseline': () => applyPolicy([run], policy),
        'update the baseline': () => updatedBaseline(policy.baseline ?? [], [run.report]),
      };
    },
  };
}

/** The same findings, written in each format. */
export async function formatsDimension(sizes: readonly number[]): Promise<Dimension> {
  const recorded = await recordedReport();
  return {
    name: 'findings that are written',
    sizes,
    begin(size) {
      const { run, policy } = acceptedRun(recorded, size);
      const [judged] = applyPolicy([run], policy) as [Report];
      return Object.fromEntries(REPORT_FORMATS.map(({ name }) => [`write ${name}`, () => renderReport(judged, name)]));
    },
  };
}

async function recordedReport(): Promise<Report> {
  return judgedRun(replicatedRun(await recordedLines(), COLLECTIONS));
}

/** A run with so many findings, half of which a baseline knows. */
function acceptedRun(recorded: Report, size: number): { run: TargetRun; policy: Policy } {
  const report = withFindings(recorded, size);
  const known = {
    ...report,
    findings: report.findings.map((each, index) => (index % 2 === 0 ? each : atAnotherPath(each))),
  };
  const suppressions = [{ namespace: '*.orders*', check: 'unused-index', reason: 'known' }];
  const policy: Policy = {
    checks: recorded.checks?.map(({ check }) => check) ?? [],
    settings: {},
    suppressions: suppressions as unknown as Policy['suppressions'],
    baseline: updatedBaseline([], [known]),
    today: TODAY,
  };
  return { run: { report, include: [], exclude: [], isNarrowed: false }, policy };
}

/** The report of a cluster with so many findings, on as many collections as they need. */
function withFindings(recorded: Report, size: number): Report {
  const copies = Math.ceil(size / recorded.findings.length);
  const all = Array.from({ length: copies }, (_, copy) => copyOf(recorded, copy));
  return {
    ...recorded,
    findings: all.flatMap(({ findings }) => findings).slice(0, size),
    skipped: all.flatMap(({ skipped }) => skipped),
    collections: all.flatMap(({ collections }) => collections),
  };
}

/** What is there no more. */
function atAnotherPath(finding: Finding): Finding {
  return withFingerprint({ ...finding, path: `${finding.path}.before` });
}

function copyOf(report: Report, copy: number): Report {
  const renamed = JSON.parse(JSON.stringify(report).replaceAll(/\b(demo|shop)\./g, `$1_${copy}.`)) as Report;
  return { ...renamed, findings: renamed.findings.map(withFingerprint) };
}

function withFingerprint(finding: Finding): Finding {
  return { ...finding, fingerprint: fingerprint(finding.check, finding.namespace, finding.path) };
}
