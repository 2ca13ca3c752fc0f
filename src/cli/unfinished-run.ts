import { fileFault } from '../files/file-fault.js';
import { groupedBy } from '../grouped-by.js';
import { applyPolicy } from '../policy/apply-policy.js';
import { EXIT_CODES } from '../policy/exit-code.js';
import type { TargetRun } from '../policy/judged.js';
import { REPORT_FORMATS } from '../report/formats.js';
import type { TargetReport } from '../report/target-reports.js';
import { unfinishedReport } from '../report/unfinished-report.js';
import type { Io } from './io.js';
import { ProcessOutputs } from './process-outputs.js';
import { NO_ALIAS } from './report-outputs.js';
import type { NotedSettings, RunNote } from './run-news.js';
import { reportsOf, writeReports } from './write-reports.js';

/** Ends this process in place of a command that could not end by itself, `why` in half a sentence, with a report of what it found. */
export async function endUnfinished(why: string, notes: readonly string[], process: NodeJS.Process): Promise<never> {
  const outputs = new ProcessOutputs(process);
  const { stdout, stderr } = outputs;
  stderr.write(`mongolint could not finish the run, because ${why}.`);
  try {
    const all = notes.map((line) => JSON.parse(line) as RunNote);
    await reportInstead(all, why, { stdout, stderr, env: process.env, cwd: () => process.cwd() });
  } catch (error) {
    stderr.write(` What was found is lost: ${fileFault(error)}.\n`);
  }
  return process.exit(await outputs.written(EXIT_CODES.fault));
}

/** Writes the reports that a run was asked for by what it noted, unless it has; `why` it could not in half a sentence. */
export async function reportInstead(notes: readonly RunNote[], why: string, io: Io): Promise<void> {
  const settings = notes.find((note) => note.kind === 'settings')?.settings;
  const targets = settings === undefined ? [] : targetsOf(notes, settings, why);
  if (notes.some(({ kind }) => kind === 'reported'))
    return void io.stderr.write(' Its reports were written; what it keeps for the next run may not have been.\n');
  if (settings === undefined || targets.every(({ report }) => report === null))
    return void io.stderr.write(' Nothing was found until then.\n');
  const at = notes.findLast((note) => note.kind === 'writing')?.of;
  const outputs = settings.outputs.slice(at ?? 0);
  const isCut = at !== undefined && outputs[0]?.file === null;
  io.stderr.write(isCut ? ' Its report on stdout may be cut off.\n' : ' The report holds what was found until then.\n');
  // A file is written again, and whole.
  const left = isCut ? outputs.slice(1) : outputs;
  const known = left.flatMap(({ format, file }) =>
    REPORT_FORMATS.filter(({ name }) => name === format).map((one) => ({ format: one, file })),
  );
  const missing = left.filter(({ format }) => !known.some((one) => one.format.name === format));
  const failures = [
    ...(await writeReports(reportsOf(targets, settings.drawing), known, io, settings.drawing)),
    ...missing.map(({ format }) => `The ${format} report was not written: it needs its plugin.`),
  ];
  for (const failure of failures) io.stderr.write(`${failure}\n`);
}

/** A report of each target that anything is known of, and of the others that they were not linted. */
function targetsOf(notes: readonly RunNote[], { aliases, policy }: NotedSettings, why: string): TargetReport[] {
  const at = new Date();
  const ofTargets = groupedBy(
    notes.flatMap((note) => ('of' in note && note.kind !== 'writing' ? [note] : [])),
    ({ of }) => of,
  );
  const runs = [...ofTargets.values()].flatMap((own) => targetRun(own, why, at));
  const reports = applyPolicy(runs, policy);
  return aliases.map((alias): TargetReport => {
    const report = reports.find(({ target = NO_ALIAS }) => target === alias);
    if (report !== undefined) return { alias, report };
    const message = `${alias}: Not linted: the run could not be finished, because ${why}.`;
    return { alias, report: null, failed: { target: alias, message, at } };
  });
}

type TargetNote = Exclude<Extract<RunNote, { readonly of: number }>, { readonly kind: 'writing' }>;

function targetRun(notes: readonly TargetNote[], why: string, at: Date): TargetRun[] {
  const target = notes.find((note) => note.kind === 'target')?.target;
  const run = notes.find((note) => note.kind === 'begun')?.run;
  const judged = notes.filter((note) => note.kind === 'judged').map(({ part }) => part);
  const finished = notes.find((note) => note.kind === 'finished')?.report;
  // JSON keeps a date as text.
  const begun = run === undefined ? null : { ...run, startedAt: new Date(run.startedAt) };
  const report = finished ?? (begun === null ? null : unfinishedReport(begun, judged, why, at));
  if (target === undefined || report === null) return [];
  const { alias, include, exclude, isNarrowed } = target;
  return [{ report: { ...report, ...(alias !== undefined && { target: alias }) }, include, exclude, isNarrowed }];
}
