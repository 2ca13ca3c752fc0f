import { applyPolicy } from '../policy/apply-policy.js';
import type { TargetRun } from '../policy/judged.js';
import { REPORT_FORMATS } from '../report/formats.js';
import type { Report } from '../report/report.js';
import type { TargetReport } from '../report/target-reports.js';
import { unfinishedReport, type BegunRun, type JudgedPart } from '../report/unfinished-report.js';
import { NO_ALIAS, type HandedSettings, type HandedTarget, type Handover } from './handover.js';
import type { Io } from './io.js';
import { writeReports } from './write-reports.js';

interface Part {
  readonly target: HandedTarget;
  run: BegunRun | null;
  readonly judged: JudgedPart[];
  finished: Report | null;
}

/** Reports in place of a run that ended before it could, `why` in half a sentence. */
export async function reportUnfinishedRun(handed: readonly Handover[], why: string, io: Io): Promise<void> {
  io.stderr.write(`mongolint could not finish the run, because ${why}.`);
  const settings = handed.find((message) => message.kind === 'settings')?.settings;
  const isWritten = handed.some(({ kind }) => kind === 'writing');
  const runs = isWritten ? [] : partsOf(handed).flatMap((part) => targetRun(part, why));
  if (settings === undefined || runs.length === 0)
    return void io.stderr.write(isWritten ? ' Reports may be missing.\n' : ' Nothing was found until then.\n');
  io.stderr.write(' The report holds what was found until then.\n');
  const failures = await writeUnfinished(runs, settings, why, io);
  for (const failure of failures) io.stderr.write(`${failure}\n`);
}

function partsOf(handed: readonly Handover[]): Part[] {
  const parts = new Map<number, Part>();
  for (const message of handed) {
    if (!('of' in message)) continue;
    const part = parts.get(message.of);
    if (message.kind === 'target')
      parts.set(message.of, { target: message.target, run: null, judged: [], finished: null });
    else if (part === undefined) continue;
    else if (message.kind === 'begun') part.run = message.run;
    else if (message.kind === 'judged') part.judged.push(message.part);
    else part.finished = message.report;
  }
  return [...parts.values()];
}

function targetRun({ target, run, judged, finished }: Part, why: string): TargetRun[] {
  const { alias, include, exclude, isNarrowed } = target;
  const report = finished ?? (run === null ? null : unfinishedReport(run, judged, why));
  if (report === null) return [];
  return [{ report: { ...report, ...(alias !== undefined && { target: alias }) }, include, exclude, isNarrowed }];
}

async function writeUnfinished(
  runs: readonly TargetRun[],
  settings: HandedSettings,
  why: string,
  io: Io,
): Promise<string[]> {
  const { outputs, aliases, drawing, policy } = settings;
  const reports = applyPolicy(runs, policy);
  const targets = aliases.map((alias): TargetReport => {
    const report = reports.find(({ target = NO_ALIAS }) => target === alias);
    if (report !== undefined) return { alias, report };
    const message = `${alias}: Not linted: the run could not be finished, because ${why}.`;
    return { alias, report: null, failed: { target: alias, message, at: new Date() } };
  });
  const known = outputs.map(({ format, file }) => ({
    format: REPORT_FORMATS.find(({ name }) => name === format),
    file,
    name: format,
  }));
  const written = known.flatMap(({ format, file }) => (format === undefined ? [] : [{ format, file }]));
  const missing = known
    .filter(({ format }) => format === undefined)
    .map(({ name }) => `The ${name} report was not written: it needs its plugin.`);
  return [...(await writeReports(targets, written, io, drawing)), ...missing];
}
