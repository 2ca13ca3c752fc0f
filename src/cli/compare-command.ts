import { resolve } from 'node:path';
import type { DriftComparison } from '../drift/drift-comparison.js';
import type { DriftSide } from '../drift/drift.js';
import type { Finding } from '../finding.js';
import { enabledChecks } from '../findings/check-settings.js';
import { fingerprint } from '../findings/stamp.js';
import { plural } from '../format.js';
import { type MappedDatabase, mappedNamespace } from '../inventory/namespace-glob.js';
import { LintError } from '../lint-error.js';
import { judgeEvidence } from '../lint/judge-evidence.js';
import { applyPolicy, todayInUtc, type Policy } from '../policy/apply-policy.js';
import type { BaselineEntry } from '../policy/baseline-file.js';
import { updatedBaseline } from '../policy/baseline.js';
import { exitCode, EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { judgedIn, type TargetRun } from '../policy/judged.js';
import { ownersIn } from '../policy/ownership.js';
import type { Report } from '../report/report.js';
import { failureSentences, failuresOf } from '../report/run-failure.js';
import { terminalText } from '../text/terminal-text.js';
import { assertMapped, begunDrift, driftObserver, globsBefore, mapped, mappedDatabases } from './begun-drift.js';
import { flagOf } from './command-option.js';
import type { Io } from './io.js';
import { NO_ALIAS } from './report-outputs.js';
import { reportedRun } from './reported-run.js';
import type { RunOptions } from './run-options.js';
import { ownerPolicy } from './run-policy.js';
import { loadedSettings, type LoadedSettings } from './run-settings.js';
import { isEvidenceFile, readSavedReport } from './saved-run.js';
import { withShownErrors } from './shown-errors.js';
import { reportsOf } from './write-reports.js';

/** One side of a comparison. */
interface ComparedRun extends TargetRun {
  /** Ids of the checks that it was judged by. */
  readonly checks: readonly string[];
  /** True if the run's globs are known, and so whether a collection that is not there was looked for. */
  readonly isScopeKnown: boolean;
}

/**
 * Reports the newer of two runs against the older one: what is new, worse, better, fixed, gone, and not seen this time. Each is
 * a file of evidence, which is judged now, or a saved report. What is new fails, as it does against a baseline.
 */
export function compareCommand(
  [older, newer]: readonly [older: string, newer: string],
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  return withShownErrors('', flags, io, async () => {
    const settings = await loadedSettings(flags, io);
    const options = settings.resolved.values;
    return reportedRun(settings, { aliases: [NO_ALIAS] }, io, async () => {
      const { report, before } = await comparedRuns([older, newer], settings, flags, io);
      for (const sentence of failureSentences(report)) io.stderr.write(`${terminalText(sentence)}\n`);
      const end = (faults: readonly string[]) => {
        const { findings, skipped, drift } = report;
        const unsure = newButNotJudgedBefore(report, before, settings.config.settings);
        if (unsure > 0)
          io.stderr.write(`${plural(unsure, 'new finding')} may be old: ${older} did not judge what they are about.\n`);
        if (failuresOf(before.report).length === 0)
          return exitCode({ findings, skipped, failures: failuresOf(report), faults, drift }, options);
        io.stderr.write(`${older}: this run was incomplete: findings reported as new may be old.\n`);
        return EXIT_CODES.fault;
      };
      return { reports: reportsOf([{ alias: NO_ALIAS, report }], options), before: before.report, end };
    });
  });
}

/** The report of the newer of two runs, with what differs from the older one, and the older run. */
export async function comparedRuns(
  [older, newer]: readonly [older: string, newer: string],
  settings: LoadedSettings,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<{ readonly report: Report; readonly before: ComparedRun }> {
  // The map of the configuration is for production.
  const databases = mappedDatabases(flags.map);
  const drift = await begunDrift([older, newer], { ...settings.resolved.values, databases }, io);
  const comparing = { ...settings, drift, databases };
  const before = await comparedRun(older, 'old', comparing, flags, io);
  if (drift !== null) assertMapped(drift, older);
  const run = await comparedRun(newer, 'new', comparing, flags, io);
  const named = [before.report, run.report].flatMap(ownersIn);
  const policy = {
    ...policyOf(settings, run, updatedBaseline([], [before.report])),
    ...ownerPolicy(settings, named),
  };
  const compared = comparedReport(run, policy);
  return { report: drift === null ? compared : { ...compared, drift: drift.result() }, before };
}

/** What is new although the older run did not look for it. */
function newButNotJudgedBefore({ findings }: Report, before: ComparedRun, settings: Policy['settings']): number {
  const inUse = { checks: before.checks, settings: before.isScopeKnown ? settings : {} };
  const wasJudged = judgedIn(before, inUse);
  const added = findings.filter(({ baseline, suppressed }) => {
    return suppressed === undefined && baseline?.status === 'new' && baseline.severityBefore === null;
  });
  return added.filter(({ check, namespace }) => !wasJudged(check, namespace)).length;
}

interface CompareSettings extends LoadedSettings {
  /** Null unless both runs are evidence. */
  readonly drift: DriftComparison | null;
  /** Names in the older run, and what they are called in the newer one. */
  readonly databases: readonly MappedDatabase[];
}

/** A saved report was judged when it was written. */
const NEEDS_EVIDENCE = ['include', 'exclude', 'check', 'skipCheck', 'severity'] as const;

async function comparedRun(
  file: string,
  side: DriftSide,
  settings: CompareSettings,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ComparedRun> {
  if (await isEvidenceFile(file, io)) return judgedRun(file, side, settings, io);
  const ignored = NEEDS_EVIDENCE.find((name) => flags[name] !== undefined);
  if (ignored !== undefined) throw new LintError(`${flagOf(ignored)} has no effect on a saved report, as ${file} is.`);
  return savedRun(file, io);
}

async function judgedRun(
  file: string,
  side: DriftSide,
  { config: { checks, settings }, resolved, expect, isNarrowed, drift, databases: mapping }: CompareSettings,
  io: Io,
): Promise<ComparedRun> {
  const databases = side === 'old' ? mapping : [];
  const globs = globsBefore(resolved.values, databases);
  const observer = drift === null ? {} : { observer: driftObserver(drift, side, globs) };
  const given = { file: resolve(io.cwd(), file), checks, settings, expect, ...globs, ...observer };
  const { report, include, exclude, ...run } = await judgeEvidence(given);
  return {
    report: withMappedDatabases(report, databases),
    include: mapped(include, databases),
    exclude: mapped(exclude, databases),
    isNarrowed: isNarrowed || run.isNarrowed,
    checks: enabledChecks(checks, settings).map(({ id }) => id),
    isScopeKnown: true,
  };
}

async function savedRun(file: string, io: Io): Promise<ComparedRun> {
  const { target: _, ...report } = await readSavedReport(file, io);
  const checks = (report.checks ?? []).map(({ check }) => check);
  return { report, include: [], exclude: [], isNarrowed: true, checks, isScopeKnown: false };
}

function policyOf({ config }: LoadedSettings, run: ComparedRun, baseline: readonly BaselineEntry[]): Policy {
  const { settings, suppressions } = config;
  const isJudgedNow = run.isScopeKnown;
  return {
    checks: run.checks,
    // A saved report was judged, and its findings suppressed, by the settings of its own run.
    settings: isJudgedNow ? settings : {},
    suppressions: isJudgedNow ? suppressions : [],
    baseline,
    today: todayInUtc(),
  };
}

/** A collection that a saved report does not list may exist: it does not report what was asked for. */
function comparedReport(run: ComparedRun, policy: Policy): Report {
  const [report] = applyPolicy([run], policy) as [Report];
  const { gone = [], summary } = report;
  if (run.isScopeKnown || gone.length === 0 || summary.baseline === undefined) return report;
  const notJudged = summary.baseline.notJudged + gone.length;
  return { ...report, gone: [], summary: { ...summary, baseline: { ...summary.baseline, gone: 0, notJudged } } };
}

/** The report as that of a cluster whose databases have other names: a finding gets the fingerprint that it has there. */
export function withMappedDatabases(report: Report, databases: readonly MappedDatabase[]): Report {
  if (databases.length === 0) return report;
  const name = (namespace: string) => mappedNamespace(namespace, databases);
  const fingerprintOf = ({ check, path }: Pick<Finding, 'check' | 'path'>, namespace: string) =>
    fingerprint(check, name(namespace), path);
  const renamed = new Map(report.findings.map((one) => [one.fingerprint, fingerprintOf(one, one.namespace)]));
  return {
    ...report,
    ...(report.topShapes !== undefined && {
      topShapes: report.topShapes.map((shape) => ({
        ...shape,
        namespace: name(shape.namespace),
        findings: shape.findings.map((known) => renamed.get(known) ?? known),
      })),
    }),
    findings: report.findings.map((finding) => ({
      ...finding,
      namespace: name(finding.namespace),
      fingerprint: fingerprintOf(finding, finding.namespace),
      ...(finding.furtherReasons !== undefined && {
        furtherReasons: finding.furtherReasons.map((reason) => ({
          ...reason,
          ...(reason.namespace !== undefined && { namespace: name(reason.namespace) }),
          fingerprint: fingerprintOf(reason, reason.namespace ?? finding.namespace),
        })),
      }),
    })),
    skipped: report.skipped.map((entry) => ({
      ...entry,
      ...(entry.namespace !== undefined && { namespace: name(entry.namespace) }),
      ...(entry.namespaces !== undefined && { namespaces: entry.namespaces.map(name) }),
    })),
    collections: report.collections.map((one) => ({ ...one, namespace: name(one.namespace) })),
  };
}
