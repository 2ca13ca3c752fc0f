import { resolve } from 'node:path';
import { placeOf } from '../config/config-errors.js';
import { withEnvironment } from '../config/environment.js';
import type { LoadedConfig } from '../config/load-config.js';
import { enabledChecks } from '../findings/check-settings.js';
import { LintError } from '../lint-error.js';
import { packageInfo } from '../package-root.js';
import { applyPolicy, todayInUtc, type Policy, type ConfiguredGlob } from '../policy/apply-policy.js';
import { exitCode, type ExitCode } from '../policy/exit-code.js';
import { metricsOf, metricsOfFailed, type TargetMetrics } from '../report/metrics.js';
import { failuresOf } from '../report/run-failure.js';
import type { TargetReport } from '../report/target-reports.js';
import type { RunPart } from '../run-part.js';
import { MS_PER_MINUTE } from '../time-units.js';
import { anchorOf } from './anchor.js';
import type { Io } from './io.js';
import { keepLastReport } from './last-report.js';
import type { LintedTarget, LintedTargets } from './lint-targets.js';
import { beginNews, notificationUrl, notify, type Channel, type Delivery } from './notify.js';
import { assertRoomForTargets, drawingOf, NO_ALIAS, renderedOutputs } from './report-outputs.js';
import { baselineOf, updateBaseline } from './run-baseline.js';
import type { TimeLimit } from './run-news.js';
import { ownerPolicy } from './run-owners.js';
import type { RunSettings } from './run-settings.js';
import { sourceDrawing } from './source-folders.js';
import { assertWritable, writeReports } from './write-reports.js';

/** Reports are written, and sent. */
const ENDING: TimeLimit = {
  kind: 'limit',
  of: 'command',
  milliseconds: 10 * MS_PER_MINUTE,
  why: 'its reports were not written and sent within 10 minutes',
};

/** In ms. */
const TIMEOUT = 10_000;

const PACKAGES = ['exporter-metrics-otlp-http', 'resources', 'sdk-metrics'].map((name) => `@opentelemetry/${name}`);

/**
 * Sends the metrics of a run to a collector by OTLP over HTTP, as JSON: the gauges that `--format prometheus` writes. What the
 * SDK takes from the environment, such as `OTEL_EXPORTER_OTLP_HEADERS`, holds.
 *
 * @param url of the collector's metrics: `http://localhost:4318/v1/metrics`
 * @returns what sends them, and says why it could not, or null
 * @throws LintError if it is no address, or the SDK is not installed
 */
async function otlpSender(url: string): Promise<(targets: readonly TargetReport[]) => Promise<string | null>> {
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

type ReportSettings = Pick<RunSettings, 'config' | 'resolved'>;

/**
 * Lints all targets, writes the reports, and decides the exit code.
 * @param part which part of the targets they are, if other runs lint the rest
 * @throws LintError for every error of the settings that can be known before anything is read
 */
export async function reportTargets(
  settings: ReportSettings,
  targets: readonly LintedTarget['target'][],
  lintAll: (baseline: Policy['baseline']) => Promise<LintedTargets>,
  io: Io,
  part?: RunPart,
): Promise<ExitCode> {
  const { config, resolved } = settings;
  const options = resolved.values;
  const say = (line: string) => void io.stderr.write(`${line}\n`);
  const outputs = renderedOutputs(options.format, config.formats, resolved.origins.get('format') ?? 'default');
  if (targets.length > 1) assertRoomForTargets(outputs);
  const aliases = targets.map(({ alias }) => alias ?? NO_ALIAS);
  await assertWritable(outputs, aliases, io);
  const delivery = deliveryOf(settings, io);
  const sendMetrics = options.otlp === undefined ? null : await otlpSender(options.otlp);
  const reportUrl = reportAddress(options.reportUrl, io.env);
  const policyOwners = ownerPolicy(settings);
  const before = await baselineOf(options, io.cwd());
  const drawing = {
    ...drawingOf(options),
    ...(part !== undefined && { part }),
    anchor: await anchorOf(settings, io),
    ...(await sourceDrawing(options, io.cwd())),
  };
  const policy = { ...policyOf(settings, before), ...policyOwners, isOfPart: options.shard !== undefined };
  const named = outputs.map(({ format, file }) => ({ format: format.name, file }));
  io.note?.({ kind: 'settings', settings: { outputs: named, aliases, drawing, policy } });
  const { linted, keep, claims } = await lintAll(before);
  io.note?.(ENDING);
  const runs = linted.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : [outcome]));
  const faults = linted.flatMap(({ outcome }) => (typeof outcome === 'string' ? [outcome] : []));
  const reports = applyPolicy(runs, policy);
  const unwritten = await writeReports(byTarget(linted, reports), outputs, io, drawing);
  io.note?.({ kind: 'reported' });
  await keepLastReport(byTarget(linted, reports), io, options);
  const failed = targets.length - reports.filter((report) => failuresOf(report).length === 0).length;
  const news = (also: readonly string[]) => ({
    reports,
    faults: [...faults, ...also],
    reportUrl,
    targets: { total: targets.length, failed },
  });
  const sending = delivery === null ? null : { ...delivery, claims };
  const begun = sending === null ? null : await beginNews(sending, news(unwritten), config.owners);
  begun?.lines.forEach(say);
  unwritten.push(...(await updateBaseline(options, before, reports, io.cwd())));
  unwritten.forEach(say);
  const unsentMetrics = (await sendMetrics?.(byTarget(linted, reports))) ?? null;
  if (unsentMetrics !== null) say(unsentMetrics);
  const unkept = await keep(byTarget(linted, reports));
  unkept.forEach(say);
  if (sending !== null) (await notify(sending, news(unwritten), config.owners, begun?.begun)).forEach(say);
  faults.push(...unwritten, ...unkept);
  const findings = reports.flatMap((report) => report.findings);
  const skipped = reports.flatMap((report) => report.skipped);
  const failures = reports.flatMap(failuresOf);
  return exitCode({ findings, skipped, failures, faults }, { ...options, acceptFindings: options.updateBaseline });
}

/** All news goes to `notify`, and to each channel what is its owner's. Messages that could not be sent wait beside a file. */
function deliveryOf({ config, resolved }: ReportSettings, io: Io): Delivery | null {
  const { notify: address, notifyFormat, notifyWhen, baseline, history } = resolved.values;
  const channels = [
    ...(address === undefined ? [] : [{ owner: null, url: notificationUrl(address), format: notifyFormat }]),
    ...channelsOf(config, io),
  ];
  if (channels.length === 0) return null;
  const file = baseline ?? history;
  const outbox = file === undefined ? null : `${resolve(io.cwd(), file)}.unsent.jsonl`;
  return { channels, outbox, always: notifyWhen === 'always' };
}

function channelsOf({ file, values }: ReportSettings['config'], { env }: Io): Channel[] {
  if (file === null) return [];
  return (values.channels ?? []).map(({ owner, notify: address, notifyFormat: format }, index) => {
    const text = withEnvironment(address, file, ['channels', index, 'notify'], env);
    return { owner, url: notificationUrl(text, `the channel of ${owner}`), format };
  });
}

/** What is suppressed, and what counts, by the configuration. */
export function policyOf({ config, resolved }: ReportSettings, baseline: Policy['baseline']): Policy {
  const { checks, settings, suppressions } = config;
  const enabled = enabledChecks(checks, settings).map(({ id }) => id);
  const by = resolved.origins.get('minConfidence') ?? 'default';
  const minConfidence = { confidence: resolved.values.minConfidence, by };
  const globs = configuredGlobs(config);
  return { checks: enabled, settings, suppressions, baseline, today: todayInUtc(), minConfidence, globs };
}

function byTarget(
  linted: readonly LintedTarget[],
  reports: readonly NonNullable<TargetReport['report']>[],
): TargetReport[] {
  return linted.map(({ target: { alias }, outcome }) => {
    const ofTarget = alias === undefined ? {} : { target: alias };
    return typeof outcome === 'string'
      ? { alias: alias ?? NO_ALIAS, report: null, failed: { ...ofTarget, message: outcome, at: new Date() } }
      : { alias: alias ?? NO_ALIAS, report: reports.find(({ target }) => target === alias) ?? null };
  });
}

/** The globs over namespaces in the configuration file itself; those of plugins may be meant for other clusters. */
export function configuredGlobs({ file, values, owners }: LoadedConfig): ConfiguredGlob[] {
  if (file === null) return [];
  const each = (
    key: string,
    path: readonly PropertyKey[],
    entries: readonly { readonly glob?: string | undefined }[] = [],
  ) =>
    entries.flatMap(({ glob }, index): ConfiguredGlob[] =>
      glob === undefined ? [] : [{ glob, key, place: placeOf(file, [...path, index]) }],
    );
  return [
    ...each('expect', ['expect'], values.expect),
    ...(values.targets ?? []).flatMap(({ expect }, index) => each('expect', ['targets', index, 'expect'], expect)),
    ...each('owners', ['owners'], owners),
    ...Object.entries(values.checks ?? {}).flatMap(([id, setting]) =>
      typeof setting === 'object' ? each(`checks.${id}`, ['checks', id, 'namespaces'], setting.namespaces) : [],
    ),
  ];
}

/**
 * Where people find the report: the address that is set, or the page of the job that runs, on GitHub or GitLab. Null
 * if neither is known.
 * @throws LintError if what is set is no address of a page, or holds a password
 */
export function reportAddress(set: string | undefined, env: Io['env']): string | null {
  if (set !== undefined) return pageAddress(set);
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, CI_JOB_URL: job } = env;
  if (server !== undefined && repository !== undefined && run !== undefined)
    return `${server}/${repository}/actions/runs/${run}`;
  return job ?? null;
}

function pageAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new LintError('The address for --report-url is not a URL of the web.');
  if (url.username !== '' || url.password !== '')
    throw new LintError('The address for --report-url holds a user or password, and would be shown: leave them out.');
  return url.href;
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
