import { packageInfo } from '../files/package-root.js';
import type { Finding } from '../finding.js';
import { SEVERITIES } from '../finding/severity.js';
import { separated } from '../findings/further-reasons.js';
import { groupedBy } from '../grouped-by.js';
import { SKIP_REASONS } from '../presence.js';
import { terminalText } from '../text/terminal-text.js';
import { MS_PER_SECOND } from '../time-units.js';
import { arrayGrowthOf } from './array-growth.js';
import { statusOf } from './finding-status.js';
import { printableReport } from './printable-report.js';
import type { Report } from './report.js';
import { failuresOf } from './run-failure.js';
import { countOf } from './skipped.js';
import type { FailedTarget } from './target-reports.js';

export type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** A gauge of the last run. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Metrics of a target, and the labels that all of them have. */
export interface TargetMetrics {
  readonly metrics: readonly Metric[];
  /** Two targets may be scraped from one machine. */
  readonly common: Labels;
}

export function metricsOf(report: Report): TargetMetrics {
  const safe = printableReport(report);
  const metrics = [...runMetrics(safe), ...findingMetrics(safe), ...growthMetrics(safe), ...coverageMetrics(safe)];
  return { metrics, common: safe.target === undefined ? {} : { target: safe.target } };
}

export function metricsOfFailed({ target, at }: FailedTarget): TargetMetrics {
  const metrics = [upMetric(false), buildInfo(packageInfo()), endMetric(at.getTime())];
  return { metrics, common: target === undefined ? {} : { target: terminalText(target) } };
}

function buildInfo({ version }: Report['tool']): Metric {
  return gauge('mongolint_build_info', 'Version of mongolint; the value is always 1.', [
    { labels: { version }, value: 1 },
  ]);
}

function endMetric(finished: number): Metric {
  return single('mongolint_run_timestamp_seconds', 'When the run ended, as Unix time.', finished / MS_PER_SECOND);
}

function upMetric(isLinted: boolean): Metric {
  return single('mongolint_up', '1 if the target was linted to the end, 0 if it was not.', isLinted ? 1 : 0);
}

function runMetrics(report: Report): Metric[] {
  const { tool, cluster, startedAt, finishedAt } = report;
  const [started, finished] = [Date.parse(startedAt), Date.parse(finishedAt)];
  const { topology, version, name } = cluster;
  return [
    upMetric(failuresOf(report).length === 0),
    buildInfo(tool),
    gauge('mongolint_cluster_info', 'The cluster that was linted; the value is always 1.', [
      { labels: { topology, version, ...(name !== null && { name }) }, value: 1 },
    ]),
    endMetric(finished),
    single('mongolint_run_duration_seconds', 'How long the run took.', (finished - started) / MS_PER_SECOND),
  ];
}

function findingMetrics({ summary, findings, fixed }: Report): Metric[] {
  const bySeverity = SEVERITIES.map((severity) => ({ labels: { severity }, value: summary.findings[severity] }));
  const { baseline } = summary;
  return [
    gauge('mongolint_findings', 'Findings that are not suppressed, by severity.', bySeverity),
    gauge(
      'mongolint_namespace_findings',
      'Findings by check, severity, namespace and status: found, new or known to the baseline, or suppressed.',
      counted(findings.map(labelsOf)),
    ),
    single('mongolint_findings_suppressed', 'Findings that are suppressed.', summary.suppressed),
    ...(baseline === undefined
      ? []
      : [
          single(
            'mongolint_findings_new',
            'Findings that are not in the baseline, or less severe in it.',
            baseline.new,
          ),
          single('mongolint_findings_known', 'Findings that are in the baseline.', baseline.known),
          single(
            'mongolint_findings_gone',
            'Findings of the baseline whose collection no longer exists.',
            baseline.gone ?? 0,
          ),
          single(
            'mongolint_findings_still_there',
            'Findings of the baseline that the sample of the run missed, and a direct search found.',
            baseline.stillThere ?? 0,
          ),
          single(
            'mongolint_findings_not_seen',
            'Findings of the baseline that the sample of the run may have missed.',
            baseline.notSeen ?? 0,
          ),
          single(
            'mongolint_findings_fixed',
            'Findings of the baseline that the run would have shown, and did not.',
            fixed?.length ?? baseline.fixed,
          ),
          single(
            'mongolint_findings_unclear',
            'Findings of the baseline that could not be checked again.',
            baseline.notJudged,
          ),
        ]),
  ];
}

function labelsOf(finding: Finding): Labels {
  const { check, severity, namespace, owner = null } = finding;
  return { check, severity, namespace, status: statusOf(finding), ...(owner !== null && { owner }) };
}

/** Measured growth, of suppressed findings too: that it is accepted makes it no slower. */
function growthMetrics({ findings }: Report): Metric[] {
  const grown = findings.flatMap(separated).flatMap(({ namespace, path, evidence }) => {
    const growth = arrayGrowthOf(evidence);
    return growth === null || path === null ? [] : [{ array: { namespace, path }, growth }];
  });
  const rates = grown.flatMap(({ array, growth }): Sample[] => [
    { labels: { ...array, of: 'typical' }, value: growth.elementsPerDay },
    { labels: { ...array, of: 'largest' }, value: growth.largestElementsPerDay },
  ]);
  const days = grown.flatMap(({ array, growth: { forecastDays } }) =>
    Object.entries(forecastDays).flatMap(([limit, { typical, largest }]) => [
      ...untilSamples({ ...array, limit, of: 'typical' }, typical),
      ...untilSamples({ ...array, limit, of: 'largest' }, largest),
    ]),
  );
  return [
    gauge(
      'mongolint_array_growth_elements_per_day',
      'Elements per day by which an array with a finding grows, in a typical document and where it is largest.',
      onceEach(rates),
    ),
    gauge(
      'mongolint_growth_days_until',
      'Days between which an array with a finding reaches a limit at the measured rate, in 90 of 100 cases or more.',
      onceEach(days),
    ),
  ];
}

function untilSamples(labels: Labels, range: readonly [earliest: number, latest: number] | null): Sample[] {
  if (range === null) return [];
  const [earliest, latest] = range;
  return [
    { labels: { ...labels, bound: 'earliest' }, value: earliest },
    { labels: { ...labels, bound: 'latest' }, value: latest },
  ];
}

/** Should two findings be on one array, its series are still written once. */
function onceEach(samples: readonly Sample[]): Sample[] {
  return [...new Map(samples.map((sample) => [JSON.stringify(sample.labels), sample])).values()];
}

function coverageMetrics({ summary, skipped, collections }: Report): Metric[] {
  const sampled = collections.filter((collection) => collection.sampled !== null && collection.sampled.documents > 0);
  const byReason = SKIP_REASONS.map((reason) => ({
    labels: { reason },
    value: skipped.reduce((sum, entry) => sum + (entry.reason === reason ? countOf(entry) : 0), 0),
  }));
  return [
    single('mongolint_databases', 'Databases in which collections were linted.', summary.databases),
    single(
      'mongolint_collections',
      'Collections, views and time-series collections that were linted.',
      summary.collections,
    ),
    single('mongolint_collections_sampled', 'Collections of which documents were read.', sampled.length),
    single('mongolint_documents_sampled', 'Documents that were read.', summary.documentsSampled),
    single('mongolint_sampled_bytes', 'BSON bytes of the documents that were read.', summary.bytesSampled),
    single('mongolint_checks_ran', 'Enabled checks that judged at least one collection.', summary.checks.ran),
    single('mongolint_checks_skipped', 'Enabled checks that could not judge everything.', summary.checks.skipped),
    gauge('mongolint_skipped', 'What was enabled and could not be judged, by reason.', byReason),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, samples };
}

function single(name: string, help: string, value: number): Metric {
  return gauge(name, help, [{ labels: {}, value }]);
}

/** How often each set of labels occurs. */
function counted(all: readonly Labels[]): Sample[] {
  const alike = groupedBy(all, (labels) => JSON.stringify(labels));
  return [...alike.values()].map((group) => ({ labels: group[0] ?? {}, value: group.length }));
}
