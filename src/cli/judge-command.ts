import { resolve } from 'node:path';
import { traceOf } from '../connect/shown-error.js';
import { isLikeUri } from '../connect/shown-uri.js';
import { assertMapUsed } from '../lint/join-production.js';
import { judgeEvidence } from '../lint/judge-evidence.js';
import { LintError } from '../lint-error.js';
import type { ExitCode } from '../policy/exit-code.js';
import type { TargetRun } from '../policy/judged.js';
import { failureSentences } from '../report/run-failure.js';
import { terminalText } from '../terminal-text.js';
import type { Io } from './io.js';
import { lineOf, type LintedTarget } from './lint-targets.js';
import { reportTargets } from './report-targets.js';
import type { RunOptions } from './run-options.js';
import { loadedSettings, type LoadedSettings, type RunTarget } from './run-settings.js';
import { aliasOfFile } from './saved-run.js';
import { withShownErrors } from './shown-errors.js';

/** A file of evidence, and what is set for the target that it was collected from. */
interface JudgedFile extends Pick<RunTarget, 'options' | 'expect'> {
  readonly alias?: string;
  readonly file: string;
}

/** Judges files of evidence, each of which is a target, and reports. */
export function judgeCommand(files: readonly string[], flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors('', flags, io, async () => {
    if (files.some(isLikeUri))
      throw new LintError('judge takes files of evidence: write one with `mongolint collect --output FILE`.');
    const settings = await loadedSettings(flags, io);
    const targets = await judgedFiles(files, settings, io);
    return reportTargets(settings, targets, () => judgeFiles(targets, settings, io), io);
  });
}

/** @throws LintError if a file is no evidence, or two are of one target */
async function judgedFiles(
  files: readonly string[],
  { config, resolved, ofTarget, expect }: LoadedSettings,
  io: Io,
): Promise<JudgedFile[]> {
  const { readEvidenceHeader } = await import('../evidence/file/read-evidence.js');
  const targets: JudgedFile[] = [];
  for (const name of files) {
    const file = resolve(io.cwd(), name);
    const { target } = await readEvidenceHeader(file);
    const alias = target ?? (files.length === 1 ? undefined : aliasOfFile(file));
    const index = config.values.targets?.findIndex((each) => each.alias === alias) ?? -1;
    const set = index === -1 ? { options: resolved.values, expect } : ofTarget(index);
    assertMapUsed(set.options);
    const same = targets.find((other) => other.alias === alias);
    if (same !== undefined)
      throw new LintError(`${same.file} and ${file} are both of the target ${alias}: judge one at a time.`);
    targets.push({ file, ...set, ...(alias !== undefined && { alias }) });
  }
  return targets;
}

async function judgeFiles(files: readonly JudgedFile[], settings: LoadedSettings, io: Io): Promise<LintedTarget[]> {
  const judged: LintedTarget[] = [];
  for (const target of files) judged.push({ target, outcome: await judgeFile(target, settings, io) });
  return judged;
}

async function judgeFile(
  { file, alias, options, expect }: JudgedFile,
  { config: { checks, settings }, isNarrowed }: LoadedSettings,
  io: Io,
): Promise<TargetRun | string> {
  const prefix = alias === undefined ? '' : `${alias}: `;
  const explain = (error: unknown) => {
    if (options.verbose && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`);
  };
  const { include, exclude, production, map } = options;
  try {
    const { report, collected } = await judgeEvidence({
      file,
      checks,
      settings,
      expect,
      include,
      exclude,
      ...(production !== undefined && { production: resolve(io.cwd(), production) }),
      map,
      onFault(check, namespace, error) {
        if (options.verbose) io.stderr.write(`${check} failed on ${namespace}:\n`);
        explain(error);
      },
    });
    for (const sentence of failureSentences(report)) io.stderr.write(`${prefix}${terminalText(sentence)}\n`);
    return {
      report: { ...report, ...(alias !== undefined && { target: alias }) },
      include: include.length > 0 ? include : collected.include,
      exclude: [...new Set([...exclude, ...collected.exclude])],
      // What was left out when the evidence was collected may be linted as a rule.
      isNarrowed: isNarrowed || !isSame(include, collected.include) || !isSame(exclude, collected.exclude),
    };
  } catch (error) {
    const line = `${prefix}${lineOf(error)}`;
    io.stderr.write(`${line}\n`);
    explain(error);
    return line;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((glob) => other.includes(glob));
}
