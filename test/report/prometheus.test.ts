import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { describe, expect, it } from 'vitest';
import type { FindingEvidence } from '../../src/finding.js';
import { renderPrometheus } from '../../src/report/prometheus.js';
import { terminalText } from '../../src/text/terminal-text.js';
import { growthReport } from '../support/report/growth-report.js';
import {
  ALL_REPORTS,
  baselineReport,
  hostileReport,
  HOSTILE_NAMES,
  PIPELINE_REPORTS,
} from '../support/report/pipeline-reports.js';
import { richReport } from '../support/report/rich-report.js';
import { findingOf, reportOf } from '../support/report/sample-report.js';

const GROWTH = 'mongolint_array_growth_elements_per_day';
const UNTIL = 'mongolint_growth_days_until';

/** The samples of a metric, as the parser reads them. */
function samplesOf(text: string, metric: string): { value: string; labels?: Record<string, string> }[] {
  return parsePrometheusTextFormat(text).find(({ name }) => name === metric)?.metrics ?? [];
}

describe('renderPrometheus', () => {
  it.each(PIPELINE_REPORTS)('renders the %s report as in its golden file', async (name, report) => {
    await expect(renderPrometheus(report)).toMatchFileSnapshot(`golden/${name}.prom`);
  });

  it.each(ALL_REPORTS)(
    'describes every metric of the %s report once, as a gauge, and repeats no series',
    (_, report) => {
      const text = renderPrometheus(report);
      const families = parsePrometheusTextFormat(text);
      expect(families.map(({ name }) => name)).toEqual(
        [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name]) => name),
      );
      expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
      for (const { help, metrics } of families) {
        expect(help).toMatch(/\.$/);
        expect(metrics.every(({ value }) => Number.isFinite(Number(value)))).toBe(true);
        expect(new Set(metrics.map(({ labels }) => JSON.stringify(labels))).size).toBe(metrics.length);
      }
      for (const line of text.trimEnd().split('\n'))
        expect(line).toMatch(/^(# (HELP|TYPE) )?mongolint_[a-z_]+(\{.*\})? \S/);
    },
  );

  it('counts findings by severity, zero included, and by check and namespace', () => {
    const text = renderPrometheus(richReport());
    expect(samplesOf(text, 'mongolint_findings')).toEqual([
      { value: '2', labels: { severity: 'error' } },
      { value: '2', labels: { severity: 'warning' } },
      { value: '1', labels: { severity: 'info' } },
    ]);
    expect(samplesOf(text, 'mongolint_namespace_findings')).toContainEqual({
      value: '1',
      labels: { check: 'bloated-document', severity: 'warning', namespace: 'legacy.sessions', status: 'suppressed' },
    });
    expect(samplesOf(text, 'mongolint_skipped')).toContainEqual({ value: '0', labels: { reason: 'connection' } });
    expect(samplesOf(text, 'mongolint_skipped')).toContainEqual({ value: '8', labels: { reason: 'privilege' } });
  });

  it('tells when the run ended and how long it took, in seconds', () => {
    const text = renderPrometheus(richReport());
    expect(samplesOf(text, 'mongolint_run_timestamp_seconds')).toEqual([{ value: '1770088039.34' }]);
    expect(samplesOf(text, 'mongolint_run_duration_seconds')).toEqual([{ value: '8.22' }]);
  });

  it('compares with the baseline, and names the target in every series', () => {
    const text = renderPrometheus(baselineReport());
    for (const [metric, value] of [
      ['new', '2'],
      ['known', '3'],
      ['fixed', '1'],
      ['unclear', '1'],
    ]) {
      expect(samplesOf(text, `mongolint_findings_${metric}`)).toEqual([{ value, labels: { target: 'staging' } }]);
    }
    const unnamed = parsePrometheusTextFormat(text).flatMap(({ metrics }) =>
      metrics.filter(({ labels }) => labels?.['target'] !== 'staging'),
    );
    expect(unnamed).toEqual([]);
  });

  it('tells how fast arrays grow, of suppressed findings too', () => {
    const [comments, readings, tags] = [
      { namespace: 'shop.tickets', path: 'comments' },
      { namespace: 'iot.devices', path: 'shifts[].readings' },
      { namespace: 'shop.products', path: 'tags' },
    ];
    expect(samplesOf(renderPrometheus(growthReport()), GROWTH)).toEqual([
      { value: '2.04', labels: { ...comments, of: 'typical' } },
      { value: '6.5', labels: { ...comments, of: 'largest' } },
      { value: '96', labels: { ...readings, of: 'typical' } },
      { value: '101.4', labels: { ...readings, of: 'largest' } },
      { value: '0.31', labels: { ...tags, of: 'typical' } },
      { value: '0.4', labels: { ...tags, of: 'largest' } },
    ]);
  });

  it('tells between which days each limit is reached, as far as there is a forecast', () => {
    const readings = growthReport().findings.find(({ path }) => path === 'shifts[].readings');
    const of = { namespace: 'iot.devices', path: 'shifts[].readings', limit: '16 MB', of: 'largest' };
    const samples = samplesOf(renderPrometheus(reportOf({ findings: [findingOf(readings)] })), UNTIL);
    expect(samples.filter(({ labels }) => labels?.['limit'] === '16 MB')).toEqual([
      { value: '58', labels: { ...of, bound: 'earliest' } },
      { value: '74', labels: { ...of, bound: 'latest' } },
    ]);
  });

  it('tells the growth that is a further reason of another finding', () => {
    const [first] = growthReport().findings;
    const { namespace: _, ...reason } = findingOf(first);
    const longest = { ...findingOf(first), check: 'unbounded-array', evidence: { source: 'sample', window: 'all' } };
    const report = reportOf({ findings: [{ ...longest, furtherReasons: [reason] }] });
    expect(samplesOf(renderPrometheus(report), GROWTH)).toHaveLength(2);
  });

  it.each<[string, Record<string, Exclude<FindingEvidence[string], undefined>>]>([
    ['a rate is a text', { elementsPerDay: '2.04' }],
    ['a rate is negative', { largestElementsPerDay: -1 }],
    ['a range has one end', { elementsPerDayRange: [1.8] }],
    ['a length is missing', { typicalLength: null }],
    ['a forecast is no range', { forecastDays: { '200 elements': { typical: 68, largest: null } } }],
  ])('tells no growth where %s', (_, figures) => {
    const finding = findingOf(growthReport().findings[0]);
    const evidence: FindingEvidence = { ...finding.evidence, ...figures };
    expect(samplesOf(renderPrometheus(reportOf({ findings: [{ ...finding, evidence }] })), GROWTH)).toEqual([]);
  });

  it('writes the growth of one array once', () => {
    const [finding] = growthReport().findings;
    const report = reportOf({ findings: [findingOf(finding), findingOf({ ...finding, check: 'unbounded-array' })] });
    expect(samplesOf(renderPrometheus(report), GROWTH)).toHaveLength(2);
  });

  it('gives hostile names back as they are shown everywhere else', () => {
    const namespaces = samplesOf(renderPrometheus(hostileReport()), 'mongolint_namespace_findings').map(
      ({ labels }) => labels?.['namespace'],
    );
    expect(new Set(namespaces)).toEqual(new Set(HOSTILE_NAMES.map((name) => `shop.${terminalText(name)}`)));
  });
});
