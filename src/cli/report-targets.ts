import { withEnvironment } from '../config/config-file.js';
import { LintError } from '../lint-error.js';
import { applyPolicy, type Policy } from '../policy/apply-policy.js';
import type { ExitCode, ExitPolicy } from '../policy/exit-code.js';
import type { TargetRun } from '../policy/judged.js';
import type { Report } from '../report/report.js';
import { failuresOf } from '../report/run-failure.js';
import type { RunPart } from '../report/run-part.js';
import type { TargetReport } from '../report/target-reports.js';
import { MS_PER_MINUTE } from '../time-units.js';
import { FleetTally } from './fleet-tally.js';
import type { Io } from './io.js';
import type { Keeping } from './keeping.js';
import { keepLastReport } from './last-report.js';
import { keepNews, notificationUrl, notify, type Channel, type Delivery } from './notify.js';
import { otlpSender } from './otlp.js';
import { NO_ALIAS } from './report-outputs.js';
import { reportedRun } from './reported-run.js';
import type { TimeLimit } from './run-news.js';
import { baselineOf, policyOf, updateBaseline } from './run-policy.js';
import type { ReportSettings, RunTarget } from './run-settings.js';
import { reportsOf } from './write-reports.js';

/** Reports are written, and sent. */
const ENDING: TimeLimit = {
  kind: 'limit',
  of: 'command',
  milliseconds: 10 * MS_PER_MINUTE,
  why: 'its reports were not written and sent within 10 minutes',
};

/** What is done with targets. */
interface TargetsTask {
  /** Reads and judges them. What the next run is compared with is kept once this one was reported. */
  judge(baseline: Policy['baseline']): Promise<JudgedTargets>;
  readonly keeping: Keeping;
  /** Which part of the targets they are, if other runs lint the rest. */
  readonly part?: RunPart | undefined;
}

export interface JudgedTargets {
  /** In the order of the targets: the run of each, or the line that says why there is none. */
  readonly outcomes: readonly (TargetRun | string)[];
  /** Returns lines on what could not be kept. */
  keep?(reports: readonly TargetReport[]): Promise<readonly string[]>;
}

/**
 * Judges all targets, writes their reports, sends and keeps what is new, and decides the exit code.
 * @throws LintError for every error of the settings that can be known before anything is read
 */
export async function reportTargets(
  settings: ReportSettings,
  targets: readonly Pick<RunTarget, 'alias'>[],
  { judge, keeping, part }: TargetsTask,
  io: Io,
): Promise<ExitCode> {
  const { config, resolved } = settings;
  const options = resolved.values;
  const say = (line: string) => void io.stderr.write(`${line}\n`);
  const aliases = targets.map(({ alias }) => alias ?? NO_ALIAS);
  return reportedRun(settings, { aliases, part }, io, async (outputs, drawing) => {
    const delivery = deliveryOf(settings, keeping, io);
    const sendMetrics = options.otlp === undefined ? null : await otlpSender(options.otlp);
    const reportUrl = reportAddress(options.reportUrl, io.env);
    const before = await baselineOf(options, keeping.baseline);
    const policy = { ...policyOf(settings, before), isOfPart: options.shard !== undefined };
    const named = outputs.map(({ format, file }) => ({ format: format.name, file }));
    io.note?.({ kind: 'settings', settings: { outputs: named, aliases, drawing, policy } });
    const { outcomes, keep } = await judge(before);
    io.note?.(ENDING);
    const faults = outcomes.filter((outcome) => typeof outcome === 'string');
    const reports = applyPolicy(
      outcomes.filter((outcome) => typeof outcome !== 'string'),
      policy,
    );
    const written = byTarget(targets, outcomes, reports);
    const exitPolicy = { ...options, acceptFindings: options.updateBaseline };
    const end = async (unwritten: readonly string[]) => {
      io.note?.({ kind: 'reported' });
      await keepLastReport(written, io, options);
      const failed = targets.length - reports.filter((report) => failuresOf(report).length === 0).length;
      const news = (also: readonly string[]) => ({
        reports,
        faults: [...faults, ...also],
        reportUrl,
        targets: { total: targets.length, failed },
      });
      const kept = delivery === null ? null : await keepNews(delivery, news(unwritten), config.owners);
      kept?.lines.forEach(say);
      const lost = await updateBaseline(options, keeping.baseline, reports);
      const unsentMetrics = (await sendMetrics?.(written)) ?? null;
      if (unsentMetrics !== null) say(unsentMetrics);
      lost.push(...((await keep?.(written)) ?? []));
      lost.forEach(say);
      const all = [...unwritten, ...lost];
      if (delivery !== null && kept !== null) (await notify(delivery, news(all), config.owners, kept)).forEach(say);
      return exitCodeOf(written, all, exitPolicy);
    };
    return { reports: reportsOf(written, exitPolicy), end };
  });
}

function exitCodeOf(targets: readonly TargetReport[], faults: readonly string[], policy: ExitPolicy): ExitCode {
  const tally = new FleetTally(policy);
  for (const target of targets) tally.add(target);
  return tally.exitCode(faults);
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

function byTarget(
  targets: readonly Pick<RunTarget, 'alias'>[],
  outcomes: readonly (TargetRun | string)[],
  reports: readonly Report[],
): TargetReport[] {
  return targets.map(({ alias }, index) => {
    const outcome = outcomes[index];
    if (typeof outcome !== 'string')
      return { alias: alias ?? NO_ALIAS, report: reports.find(({ target }) => target === alias) ?? null };
    const failed = { ...(alias !== undefined && { target: alias }), message: outcome, at: new Date() };
    return { alias: alias ?? NO_ALIAS, report: null, failed };
  });
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
    throw new LintError('The address for --report-url is not a web address.');
  if (url.username !== '' || url.password !== '')
    throw new LintError('The address for --report-url holds a user or password, and would be shown: leave them out.');
  return url.href;
}
