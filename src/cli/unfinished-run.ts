import { applyPolicy } from '../policy/apply-policy.js';
import { EXIT_CODES } from '../policy/exit-code.js';
import type { TargetRun } from '../policy/judged.js';
import { REPORT_FORMATS } from '../report/formats.js';
import type { Report } from '../report/report.js';
import type { TargetReport } from '../report/target-reports.js';
import { type BegunRun, type JudgedPart, unfinishedReport } from '../report/unfinished-report.js';
import type { Io, TextStream } from './io.js';
import { ProcessOutputs } from './process-outputs.js';
import { NO_ALIAS } from './report-outputs.js';
import {
  keptLine,
  readSpool,
  removeSpool,
  type SpooledSettings,
  type SpooledTarget,
  type SpoolEntry,
} from './spool.js';
import type { Outcome } from './run-news.js';
import { writeReports } from './write-reports.js';

/** What a spool holds of a run, as the run would have reported it. */
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
  if (outcome.kind !== 'broken') {
    if (spool !== null) await keepIfFound(spool, stderr);
    return process.exit(await outputs.written(outcome.exitCode));
  }
  stderr.write(`mongolint could not finish the run, because ${outcome.why}.`);
  if (spool === null) stderr.write(' Nothing was found until then.\n');
  else await reportInstead(spool, outcome.why, { stdout, stderr, env, cwd: () => process.cwd() });
  return process.exit(await outputs.written(EXIT_CODES.fault));
}

async function keepIfFound(spool: string, stderr: TextStream): Promise<void> {
  const run = await unfinishedRun(spool, 'it was stopped');
  const isFound = run?.targets.some(({ report }) => (report?.collections.length ?? 0) > 0) === true;
  if (isFound) stderr.write(keptLine(spool));
  else removeSpool(spool);
}

/** Writes the reports that a run was asked for by what it kept, `why` it could not in half a sentence. */
export async function reportInstead(spool: string, why: string, io: Io): Promise<void> {
  const run = await unfinishedRun(spool, why);
  if (run === null) {
    io.stderr.write(' Nothing was found until then.\n');
    return removeSpool(spool);
  }
  if (run.isWriting) return void io.stderr.write(` Reports may be missing. ${keptLine(spool)}`);
  io.stderr.write(' The report holds what was found until then.\n');
  const failures = await writeUnfinished(run, io);
  for (const failure of failures) io.stderr.write(`${failure}\n`);
  if (failures.length === 0) removeSpool(spool);
  else io.stderr.write(keptLine(spool));
}

/**
 * The run that a spool is of; null if it found nothing.
 * @throws FileFault, or errors of the system, if it can't be read
 */
export async function unfinishedRun(spool: string, why: string): Promise<UnfinishedRun | null> {
  const { entries, at } = await readSpool(spool);
  const settings = entries.find((entry) => entry.kind === 'settings')?.settings;
  const runs = partsOf(entries).flatMap((part) => targetRun(part, why, at));
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

interface Part {
  readonly target: SpooledTarget;
  run: BegunRun | null;
  readonly judged: JudgedPart[];
  finished: Report | null;
}

function partsOf(entries: readonly SpoolEntry[]): Part[] {
  const parts = new Map<number, Part>();
  for (const entry of entries) {
    if (!('of' in entry)) continue;
    const part = parts.get(entry.of);
    if (entry.kind === 'target') parts.set(entry.of, { target: entry.target, run: null, judged: [], finished: null });
    else if (part === undefined) continue;
    else if (entry.kind === 'begun') part.run = entry.run;
    else if (entry.kind === 'judged') part.judged.push(entry.part);
    else part.finished = entry.report;
  }
  return [...parts.values()];
}

function targetRun({ target, run, judged, finished }: Part, why: string, at: Date): TargetRun[] {
  const { alias, include, exclude, isNarrowed } = target;
  const report = finished ?? (run === null ? null : unfinishedReport(run, judged, why, at));
  if (report === null) return [];
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
