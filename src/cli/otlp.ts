import { packageInfo } from '../files/package-root.js';
import { formatDuration } from '../format.js';
import { LintError } from '../lint-error.js';
import { metricsOf, metricsOfFailed, type TargetMetrics } from '../report/metrics.js';
import type { TargetReport } from '../report/target-reports.js';

/** In ms. */
const TIMEOUT = 10_000;

/** What the SDK says then, and no code. */
const TIMED_OUT = /timed out|timeout/i;

const PACKAGES = ['exporter-metrics-otlp-http', 'resources', 'sdk-metrics'].map((name) => `@opentelemetry/${name}`);

/**
 * Sends the metrics of a run to a collector by OTLP over HTTP, as JSON: the gauges that `--format prometheus` writes. What the
 * SDK takes from the environment, such as `OTEL_EXPORTER_OTLP_HEADERS`, holds.
 *
 * @param url of the collector's metrics: `http://localhost:4318/v1/metrics`
 * @returns what sends them, and says why it could not, or null
 * @throws LintError if it is no address, or the SDK is not installed
 */
export async function otlpSender(url: string): Promise<(targets: readonly TargetReport[]) => Promise<string | null>> {
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new LintError('--otlp takes the address of a collector, such as http://localhost:4318/v1/metrics.');
  const { MeterProvider, PeriodicExportingMetricReader, OTLPMetricExporter, resourceFromAttributes } =
    await loadedSdk();
  return async (targets) => {
    const { name, version } = packageInfo();
    const exporter = new OTLPMetricExporter({ url, timeoutMillis: TIMEOUT });
    const reader = new PeriodicExportingMetricReader({ exporter });
    const resource = resourceFromAttributes({ 'service.name': name, 'service.version': version });
    const meter = new MeterProvider({ resource, readers: [reader] }).getMeter(name, version);
    for (const [metric, { help, values }] of byName(targets))
      meter.createObservableGauge(metric, { description: help }).addCallback((result) => {
        for (const { labels, value } of values) result.observe(value, labels);
      });
    const { resourceMetrics } = await reader.collect();
    const fault = await new Promise<string | null>((settle) => {
      exporter.export(resourceMetrics, ({ code, error }) => settle(code === 0 ? null : reasonOf(error)));
    });
    await exporter.shutdown();
    return fault === null ? null : `The metrics could not be sent by OTLP: ${fault}.`;
  };
}

/** One gauge of a name has the samples of all targets. */
function byName(targets: readonly TargetReport[]) {
  const all = new Map<string, { help: string; values: { labels: TargetMetrics['common']; value: number }[] }>();
  for (const { report, failed } of targets) {
    const own = report !== null ? metricsOf(report) : failed !== undefined ? metricsOfFailed(failed) : null;
    const { metrics, common } = own ?? { metrics: [], common: {} };
    for (const { name, help, samples } of metrics) {
      const of = all.get(name) ?? { help, values: [] };
      of.values.push(...samples.map(({ labels, value }) => ({ labels: { ...common, ...labels }, value })));
      all.set(name, of);
    }
  }
  return all;
}

/** Not the message: it may quote the answer, or the address. */
function reasonOf(error: Error | undefined): string {
  const code = error !== undefined && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `HTTP ${code}`;
  if (typeof code === 'string') return code;
  if (TIMED_OUT.test(error?.message ?? '')) return `no answer within ${formatDuration(TIMEOUT)}`;
  return error?.name ?? 'it was refused';
}

async function loadedSdk() {
  try {
    const [{ MeterProvider, PeriodicExportingMetricReader }, { OTLPMetricExporter }, { resourceFromAttributes }] =
      await Promise.all([
        import('@opentelemetry/sdk-metrics'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
        import('@opentelemetry/resources'),
      ]);
    return { MeterProvider, PeriodicExportingMetricReader, OTLPMetricExporter, resourceFromAttributes };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new LintError(`--otlp needs packages beside mongolint: npm install ${PACKAGES.join(' ')}.`, { cause: error });
  }
}
