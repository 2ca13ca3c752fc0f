import { basename, resolve } from 'node:path';
import type { LoadedConfig } from '../config/load-config.js';
import { inWords } from '../format.js';
import { LintError } from '../lint-error.js';
import { assertMapUsed } from '../lint/begin-judging.js';
import { judgeEvidence, type JudgeEvidenceOptions } from '../lint/judge-evidence.js';
import type { ExitCode } from '../policy/exit-code.js';
import type { TargetRun } from '../policy/judged.js';
import { isLikeUri } from '../text/hidden-uris.js';
import { eachTarget, faultListener, named, type ReadTarget, type TargetUnderWay } from './each-target.js';
import type { Io } from './io.js';
import { fileKeeping } from './keeping.js';
import { reportTargets } from './report-targets.js';
import { type RunOptions, sourceFolders } from './run-options.js';
import { loadedSettings, type LoadedSettings, type RunTarget } from './run-settings.js';
import { aliasOfFile } from './saved-run.js';
import { withShownErrors } from './shown-errors.js';

/** A file of evidence, and what is set for the target that it was collected from. */
interface JudgedFile extends ReadTarget {
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
    const run = (target: JudgedFile, underWay: TargetUnderWay) => judgedFile(target, underWay, settings, io);
    const judge = async () => ({ outcomes: await eachTarget(targets, 1, io, run, ({ report }) => report) });
    const keeping = fileKeeping(settings.resolved.values, io.cwd());
    return reportTargets(settings, targets, { judge, keeping }, io);
  });
}

/** @throws LintError if a file is no evidence, or several are of one target and not its history */
async function judgedFiles(
  files: readonly string[],
  { config, resolved, ofTarget, expect, isNarrowed }: LoadedSettings,
  io: Io,
): Promise<JudgedFile[]> {
  const { clusterFiles } = await import('../evidence-file/cluster-identity.js');
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
    targets.push({ file, earlier, isNarrowed, ...set, ...(alias !== undefined && { alias }) });
    if (earlier.length > 0 && !resolved.values.quiet)
      io.stderr.write(
        `${basename(file)} is judged with ${inWords(earlier.map((one) => basename(one)))} as its history.\n`,
      );
  }
  return targets;
}

/** What evidence is judged by, as the options say. */
export function judgedBy(
  { options, expect }: Pick<RunTarget, 'options' | 'expect'>,
  { checks, settings }: LoadedConfig,
  cwd: string,
): Omit<JudgeEvidenceOptions, 'file'> {
  const { include, exclude, production, map, for: upgrade } = options;
  return {
    checks,
    settings,
    expect,
    include,
    exclude,
    ...(production !== undefined && { production: resolve(cwd, production) }),
    map,
    code: sourceFolders(options, cwd),
    ...(upgrade !== undefined && { for: upgrade }),
  };
}

async function judgedFile(
  target: JudgedFile,
  underWay: TargetUnderWay,
  { config }: LoadedSettings,
  io: Io,
): Promise<TargetRun> {
  const { file, earlier, alias, options, isNarrowed } = target;
  const { interruption, say } = underWay;
  const run = await judgeEvidence({
    file,
    earlier,
    ...judgedBy(target, config, io.cwd()),
    maxTime: options.maxTime,
    ...(interruption !== undefined && { interruption }),
    onFault: faultListener(target, underWay),
  });
  return named({ ...run, isNarrowed: isNarrowed || run.isNarrowed }, alias, say);
}
