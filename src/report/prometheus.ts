import { metricsOf, metricsOfFailed, type Labels, type Metric } from './metrics.js';
import type { Report } from './report.js';
import type { FailedTarget } from './target-reports.js';

/**
 * The report in Prometheus' text format, for the node exporter's textfile collector or a Pushgateway. All metrics are
 * gauges of the last run; `mongolint_run_timestamp_seconds` tells its age. Severities and reasons without an entry are
 * written as 0, so that an alert on them does not lose its series.
 */
export function renderPrometheus(report: Report): string {
  const { metrics, common } = metricsOf(report);
  return textOf(metrics, common);
}

export function renderFailedPrometheus(failed: FailedTarget): string {
  const { metrics, common } = metricsOfFailed(failed);
  return textOf(metrics, common);
}

function textOf(metrics: readonly Metric[], common: Labels): string {
  return `${metrics.map((metric) => metricLines(metric, common).join('\n')).join('\n')}\n`;
}

function metricLines({ name, help, samples }: Metric, common: Labels): string[] {
  const described = [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
  return described.concat(samples.map(({ labels, value }) => `${name}${labelText({ ...common, ...labels })} ${value}`));
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
