import { readBounded } from '../bounded-file.js';
import { fileFault } from '../file-fault.js';
import { groupedBy } from '../grouped-by.js';
import { applyPolicy } from '../policy/apply-policy.js';
import { EXIT_CODES } from '../policy/exit-code.js';
import type { TargetRun } from '../policy/judged.js';
import { REPORT_FORMATS } from '../report/formats.js';
import type { SavedReports } from '../report/read-reports.js';
import type { TargetReport } from '../report/target-reports.js';
import { unfinishedReport } from '../report/unfinished-report.js';
import type { Io, TextStream } from './io.js';
import { ProcessOutputs } from './process-outputs.js';
import { NO_ALIAS } from './report-outputs.js';
import type { Outcome } from './run-news.js';
import { keptLine, parseSpool, removeSpool, type SpooledSettings, type SpoolEntry } from './spool.js';
import { writeReports } from './write-reports.js';

/** What a spool holds, as the run would have reported it. */
export interface UnfinishedRun {
  readonly settings: SpooledSettings;
  readonly targets: readonly TargetReport[];
  /** True if it had begun to write its reports. */
  readonly isWriting: boolean;
}

/** Ends this process in place of a command that did not end by itself, with a report of what it found if it could not. */
export async function endUnfinished(outcome: Outcome, spool: string | null, process: NodeJS.Process): Promise<never> {
  const { stdout, stderr, env } = process;
  const outputs = new ProcessOutputs(process);
  const isBroken = outcome.kind === 'broken';
  if (isBroken) stderr.write(`mongolint could not finish the run, because ${outcome.why}.`);
  try {
    if (!isBroken && spool !== null) await keepIfFound(spool, stderr);
    else if (isBroken) await reportInstead(spool, outcome.why, { stdout, stderr, env, cwd: () => process.cwd() });
  } catch (error) {
    stderr.write(` What was found is lost: ${fileFault(error)}.\n`);
  }
  return process.exit(await outputs.written(isBroken ? EXIT_CODES.fault : outcome.exitCode));
}

async function keepIfFound(spool: string, stderr: TextStream): Promise<void> {
  const run = await readRun(spool, 'it was stopped');
  const isFound = run?.targets.some(({ report }) => (report?.collections.length ?? 0) > 0) === true;
  if (isFound) stderr.write(keptLine(spool));
  else removeSpool(spool);
}

/** Writes the reports that a run was asked for by what it kept, `why` it could not in half a sentence. */
export async function reportInstead(spool: string | null, why: string, io: Io): Promise<void> {
  const run = spool === null ? null : await readRun(spool, why);
  if (spool === null || run === null) {
    io.stderr.write(' Nothing was found until then.\n');
    if (spool !== null) removeSpool(spool);
    return;
  }
  if (run.isWriting) return void io.stderr.write(` Reports may be missing. ${keptLine(spool)}`);
  io.stderr.write(' The report holds what was found until then.\n');
  const failures = await writeUnfinished(run, io);
  for (const failure of failures) io.stderr.write(`${failure}\n`);
  if (failures.length === 0) removeSpool(spool);
  else io.stderr.write(keptLine(spool));
}

async function readRun(spool: string, why: string): Promise<UnfinishedRun | null> {
  return unfinishedRun(await readBounded(spool, Infinity), why);
}

/** The reports in a spool, as those that a run has saved. @throws TypeError if there are none: half a sentence */
export function spooledReports(text: string): SavedReports {
  const run = unfinishedRun(text, 'its process was killed');
  if (run === null) throw new TypeError('the run that kept it had found nothing');
  const reports = run.targets.map(({ alias, report, failed }) => ({ alias, report, failure: failed?.message }));
  return { reports, isUnfinished: true };
}

/** The run that the text of a spool is of; null if it found nothing. @throws TypeError if it can't be read */
export function unfinishedRun(text: string, why: string): UnfinishedRun | null {
  const { entries, at } = parseSpool(text);
  const settings = entries.find((entry) => entry.kind === 'settings')?.settings;
  const ofTargets = groupedBy(
    entries.filter((entry) => 'of' in entry),
    ({ of }) => of,
  );
  const runs = [...ofTargets.values()].flatMap((own) => targetRun(own, why, at));
  if (settings === undefined || runs.length === 0) return null;
  const reports = applyPolicy(runs, settings.policy);
  const targets = settings.aliases.map((alias): TargetReport => {
    const report = reports.find(({ target = NO_ALIAS }) => target === alias);
    if (report !== undefined) return { alias, report };
    const message = `${alias}: Not linted: the run could not be finished, because ${why}.`;
    return { alias, report: null, failed: { target: alias, message, at } };
  });
  return { settings, targets, isWriting: entries.some(({ kind }) => kind === 'writing') };
}

type TargetEntry = Extract<SpoolEntry, { readonly of: number }>;

function targetRun(entries: readonly TargetEntry[], why: string, at: Date): TargetRun[] {
  const target = entries.find((entry) => entry.kind === 'target')?.target;
  const run = entries.find((entry) => entry.kind === 'begun')?.run;
  const judged = entries.filter((entry) => entry.kind === 'judged').map(({ part }) => part);
  const finished = entries.find((entry) => entry.kind === 'finished')?.report;
  // JSON keeps a date as text.
  const begun = run === undefined ? null : { ...run, startedAt: new Date(run.startedAt) };
  const report = finished ?? (begun === null ? null : unfinishedReport(begun, judged, why, at));
  if (target === undefined || report === null) return [];
  const { alias, include, exclude, isNarrowed } = target;
  return [{ report: { ...report, ...(alias !== undefined && { target: alias }) }, include, exclude, isNarrowed }];
}

async function writeUnfinished({ settings, targets }: UnfinishedRun, io: Io): Promise<string[]> {
  const outputs = settings.outputs.map(({ format: wanted, file }) => ({
    format: REPORT_FORMATS.find(({ name }) => name === wanted),
    file,
    wanted,
  }));
  const known = outputs.flatMap(({ format, file }) => (format === undefined ? [] : [{ format, file }]));
  const missing = outputs
    .filter(({ format }) => format === undefined)
    .map(({ wanted }) => `The ${wanted} report was not written: it needs its plugin.`);
  return [...(await writeReports(targets, known, io, settings.drawing)), ...missing];
}
