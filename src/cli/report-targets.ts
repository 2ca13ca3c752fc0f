import { placeOf } from '../config/config-errors.js';
import { withEnvironment } from '../config/environment.js';
import type { LoadedConfig } from '../config/load-config.js';
import { enabledChecks } from '../findings/check-settings.js';
import { LintError } from '../lint-error.js';
import { applyPolicy, todayInUtc, type Policy, type ConfiguredGlob } from '../policy/apply-policy.js';
import { exitCode, type ExitCode } from '../policy/exit-code.js';
import { failuresOf } from '../report/run-failure.js';
import type { TargetReport } from '../report/target-reports.js';
import type { RunPart } from '../run-part.js';
import { MS_PER_MINUTE } from '../time-units.js';
import { anchorOf } from './anchor.js';
import type { Io } from './io.js';
import type { Keeping } from './keeping.js';
import { keepLastReport } from './last-report.js';
import type { LintedTarget, LintedTargets } from './lint-targets.js';
import { keepNews, notificationUrl, notify, type Channel, type Delivery } from './notify.js';
import { otlpSender } from './otlp.js';
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

type ReportSettings = Pick<RunSettings, 'config' | 'resolved'>;

/** What is done with targets. */
interface TargetsTask {
  lintAll(baseline: Policy['baseline']): Promise<LintedTargets>;
  readonly keeping: Keeping;
  /** Which part of the targets they are, if other runs lint the rest. */
  readonly part?: RunPart | undefined;
}

/**
 * Lints all targets, writes the reports, and decides the exit code.
 * @throws LintError for every error of the settings that can be known before anything is read
 */
export async function reportTargets(
  settings: ReportSettings,
  targets: readonly LintedTarget['target'][],
  { lintAll, keeping, part }: TargetsTask,
  io: Io,
): Promise<ExitCode> {
  const { config, resolved } = settings;
  const options = resolved.values;
  const say = (line: string) => void io.stderr.write(`${line}\n`);
  const outputs = renderedOutputs(options.format, config.formats, resolved.origins.get('format') ?? 'default');
  if (targets.length > 1) assertRoomForTargets(outputs);
  const aliases = targets.map(({ alias }) => alias ?? NO_ALIAS);
  await assertWritable(outputs, aliases, io);
  const delivery = deliveryOf(settings, keeping, io);
  const sendMetrics = options.otlp === undefined ? null : await otlpSender(options.otlp);
  const reportUrl = reportAddress(options.reportUrl, io.env);
  const policyOwners = ownerPolicy(settings);
  const before = await baselineOf(options, keeping.baseline);
  const drawing = {
    ...drawingOf(options),
    ...(part !== undefined && { part }),
    anchor: await anchorOf(settings, io),
    ...(await sourceDrawing(options, io.cwd())),
  };
  const policy = { ...policyOf(settings, before), ...policyOwners, isOfPart: options.shard !== undefined };
  const named = outputs.map(({ format, file }) => ({ format: format.name, file }));
  io.note?.({ kind: 'settings', settings: { outputs: named, aliases, drawing, policy } });
  const { linted, keep } = await lintAll(before);
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
  const kept = delivery === null ? null : await keepNews(delivery, news(unwritten), config.owners);
  kept?.lines.forEach(say);
  unwritten.push(...(await updateBaseline(options, keeping.baseline, reports)));
  unwritten.forEach(say);
  const unsentMetrics = (await sendMetrics?.(byTarget(linted, reports))) ?? null;
  if (unsentMetrics !== null) say(unsentMetrics);
  const unkept = await keep(byTarget(linted, reports));
  unkept.forEach(say);
  unwritten.push(...unkept);
  if (delivery !== null && kept !== null) (await notify(delivery, news(unwritten), config.owners, kept)).forEach(say);
  faults.push(...unwritten);
  const findings = reports.flatMap((report) => report.findings);
  const skipped = reports.flatMap((report) => report.skipped);
  const failures = reports.flatMap(failuresOf);
  return exitCode({ findings, skipped, failures, faults }, { ...options, acceptFindings: options.updateBaseline });
}

/** All news goes to `notify`, and to each channel what is its owner's. */
function deliveryOf({ config, resolved }: ReportSettings, { unsent }: Keeping, io: Io): Delivery | null {
  const { notify: address, notifyFormat, notifyWhen } = resolved.values;
  const channels = [
    ...(address === undefined ? [] : [{ owner: null, url: notificationUrl(address), format: notifyFormat }]),
    ...channelsOf(config, io),
  ];
  if (channels.length === 0) return null;
  return { channels, unsent, always: notifyWhen === 'always' };
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
