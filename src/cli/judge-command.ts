import { basename, resolve } from 'node:path';
import { traceOf } from '../connect/shown-error.js';
import { isLikeUri } from '../connect/shown-uri.js';
import { inWords } from '../format.js';
import { LintError } from '../lint-error.js';
import { assertMapUsed } from '../lint/join-production.js';
import { judgeEvidence } from '../lint/judge-evidence.js';
import type { ExitCode } from '../policy/exit-code.js';
import type { TargetRun } from '../policy/judged.js';
import { failureSentences } from '../report/run-failure.js';
import { terminalText } from '../terminal-text.js';
import type { Io } from './io.js';
import { fileKeeping } from './keeping.js';
import type { LintedTarget } from './lint-targets.js';
import { reportTargets } from './report-targets.js';
import type { RunOptions } from './run-options.js';
import { loadedSettings, type LoadedSettings, type RunTarget } from './run-settings.js';
import { aliasOfFile } from './saved-run.js';
import { lineOf, withShownErrors } from './shown-errors.js';
import { sourceFolders } from './source-folders.js';

/** A file of evidence, and what is set for the target that it was collected from. */
interface JudgedFile extends Pick<RunTarget, 'options' | 'expect'> {
  readonly alias?: string;
  readonly file: string;
  readonly earlier: readonly string[];
}

/** Judges files of evidence, and reports. Those of one cluster are one target: the newest is judged, the others are its history. */
export function judgeCommand(files: readonly string[], flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors('', flags, io, async () => {
    if (files.some(isLikeUri))
      throw new LintError('judge takes files of evidence: write one with `mongolint collect --output FILE`.');
    const settings = await loadedSettings(flags, io);
    const targets = await judgedFiles(files, settings, io);
    const lintAll = async () => ({ linted: await judgeFiles(targets, settings, io), keep: async () => [] });
    const keeping = fileKeeping(settings.resolved.values, io.cwd());
    return reportTargets(settings, targets, { lintAll, keeping }, io);
  });
}

/** @throws LintError if a file is no evidence, or several are of one target and not its history */
async function judgedFiles(
  files: readonly string[],
  { config, resolved, ofTarget, expect }: LoadedSettings,
  io: Io,
): Promise<JudgedFile[]> {
  const { clusterFiles } = await import('../evidence-file/cluster-files.js');
  const clusters = await clusterFiles(files.map((name) => resolve(io.cwd(), name)));
  const targets: JudgedFile[] = [];
  for (const { file, target, earlier } of clusters) {
    const alias = target ?? (clusters.length === 1 ? undefined : aliasOfFile(file));
    const index = config.values.targets?.findIndex((each) => each.alias === alias) ?? -1;
    const set = index === -1 ? { options: resolved.values, expect } : ofTarget(index);
    assertMapUsed(set.options);
    const same = targets.find((other) => other.alias === alias);
    if (same !== undefined)
      throw new LintError(`${same.file} and ${file} are both of the target ${alias}: judge one at a time.`);
    targets.push({ file, earlier, ...set, ...(alias !== undefined && { alias }) });
    if (earlier.length > 0 && !resolved.values.quiet)
      io.stderr.write(
        `${basename(file)} is judged with ${inWords(earlier.map((one) => basename(one)))} as its history.\n`,
      );
  }
  return targets;
}

async function judgeFiles(files: readonly JudgedFile[], settings: LoadedSettings, io: Io): Promise<LintedTarget[]> {
  const judged: LintedTarget[] = [];
  const interruption = io.interruption?.();
  for (const [of, target] of files.entries()) {
    const { alias, options } = target;
    const { include, exclude, maxTime } = options;
    const noted = { include, exclude, maxTime, isNarrowed: settings.isNarrowed, ...(alias !== undefined && { alias }) };
    io.note?.({ kind: 'target', of, target: noted });
    const outcome = await judgeFile(target, settings, io, interruption);
    io.note?.({ kind: 'finished', of, report: typeof outcome === 'string' ? null : outcome.report });
    judged.push({ target, outcome });
  }
  return judged;
}

async function judgeFile(
  target: JudgedFile,
  settings: LoadedSettings,
  io: Io,
  interruption: AbortSignal | undefined,
): Promise<TargetRun | string> {
  const prefix = target.alias === undefined ? '' : `${target.alias}: `;
  try {
    const run = await judgedRun(target, settings, io, interruption);
    for (const sentence of failureSentences(run.report)) io.stderr.write(`${prefix}${terminalText(sentence)}\n`);
    return run;
  } catch (error) {
    const line = `${prefix}${lineOf(error)}`;
    io.stderr.write(`${line}\n`);
    explain(error, target.options, io);
    return line;
  }
}

async function judgedRun(
  { file, earlier, alias, options, expect }: JudgedFile,
  { config: { checks, settings }, isNarrowed }: LoadedSettings,
  io: Io,
  interruption: AbortSignal | undefined,
): Promise<TargetRun> {
  const { include, exclude, production, map, maxTime } = options;
  const { report, collected } = await judgeEvidence({
    file,
    earlier,
    checks,
    settings,
    expect,
    include,
    exclude,
    ...(production !== undefined && { production: resolve(io.cwd(), production) }),
    map,
    code: sourceFolders(options, io.cwd()),
    maxTime,
    ...(options.for !== undefined && { for: options.for }),
    ...(interruption !== undefined && { interruption }),
    onFault(check, namespace, error) {
      if (options.verbose) io.stderr.write(`${check} failed on ${namespace}:\n`);
      explain(error, options, io);
    },
  });
  return {
    report: { ...report, ...(alias !== undefined && { target: alias }) },
    include: include.length > 0 ? include : collected.include,
    exclude: [...new Set([...exclude, ...collected.exclude])],
    // What was left out when the evidence was collected may be linted as a rule.
    isNarrowed: isNarrowed || !isSame(include, collected.include) || !isSame(exclude, collected.exclude),
  };
}

function explain(error: unknown, { verbose }: JudgedFile['options'], io: Io): void {
  if (verbose && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((glob) => other.includes(glob));
}
