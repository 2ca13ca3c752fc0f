import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { URI_VARIABLE } from '../config/config-file.js';
import type { LoadedConfig } from '../config/load-config.js';
import type { Pseudonyms } from '../evidence-file/pseudonyms/pseudonyms.js';
import { LintError } from '../lint-error.js';
import { collectEvidence } from '../lint/collect-evidence.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { isWhole, unreadSentences, writtenText } from './collected-run.js';
import { eachTarget, targetsOfPart, type TargetUnderWay } from './each-target.js';
import type { Io } from './io.js';
import { lintOptions } from './lint-targets.js';
import { pseudonymsOf } from './pseudonyms-secret.js';
import { outputFault } from './report-file.js';
import { NO_ALIAS, TARGET_PLACEHOLDER } from './report-outputs.js';
import type { RunOptions } from './run-options.js';
import { runSettings, type RunTarget } from './run-settings.js';
import { passwordWarnings, settingsText } from './settings-text.js';
import { withShownErrors } from './shown-errors.js';

export interface CollectArguments {
  readonly uri: string | undefined;
  /** The file to write; with several targets, a file for each by {@link TARGET_PLACEHOLDER}. */
  readonly output: string;
  readonly pseudonyms?: boolean;
}

/** Collects the evidence of each target into a file. Returns `fault` if one could not be read to its end. */
export async function collectCommand(
  { uri, output, pseudonyms: isAsked = false }: CollectArguments,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  return withShownErrors(uri ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    const settings = await runSettings(uri, flags, io);
    const { verbose, quiet, targetConcurrency, shard } = settings.resolved.values;
    const say = (line: string) => void io.stderr.write(`${line}\n`);
    if (!quiet) passwordWarnings(settings).forEach(say);
    if (verbose) say(settingsText(settings));
    const { config } = settings;
    const { targets, note } = targetsOfPart(settings.targets, shard);
    if (targets.some(({ part }) => part !== undefined))
      throw new LintError('collect --shard divides the targets of the configuration among jobs: there is only one.');
    if (note !== null && !quiet) say(note);
    const files = targets.map(({ alias = NO_ALIAS }) => output.replaceAll(TARGET_PLACEHOLDER, alias));
    await assertOutputs(files, io);
    const pseudonyms = await pseudonymsOf(isAsked, io);
    const read = await eachTarget(targets, targetConcurrency, io, (target, underWay) =>
      collectTarget(target, files[underWay.of] as string, { ...config, pseudonyms }, io, underWay),
    );
    return read.every((isRead) => isRead === true) ? EXIT_CODES.clean : EXIT_CODES.fault;
  });
}

/** @throws LintError if the targets have no file each, or a file can't be written, as far as that is known now */
async function assertOutputs(files: readonly string[], io: Io): Promise<void> {
  if (new Set(files).size < files.length)
    throw new LintError(
      `With several targets, each needs a file of its own: name it with ${TARGET_PLACEHOLDER}, as in --output ${TARGET_PLACEHOLDER}.evidence.jsonl.gz.`,
    );
  for (const file of files) {
    const path = resolve(io.cwd(), file);
    const fault = isReplaceable(await stat(path).catch(() => null)) ? await outputFault(path) : 'it is not a file';
    if (fault !== null) throw new LintError(`The evidence can't be written to ${file}: ${fault}.`);
  }
}

/** A device or a pipe is not. */
function isReplaceable(existing: Stats | null): boolean {
  return existing === null || existing.isFile() || existing.isDirectory();
}

/** True if it was read to its end. */
async function collectTarget(
  { alias, uri, options }: RunTarget,
  output: string,
  { checks, settings, pseudonyms }: LoadedConfig & { readonly pseudonyms: Pseudonyms | null },
  io: Io,
  { interruption, show, say }: TargetUnderWay,
): Promise<boolean> {
  show('connecting');
  const run = await collectEvidence({
    ...lintOptions(options, io.cwd()),
    uri,
    checks,
    settings,
    output: resolve(io.cwd(), output),
    ...(alias !== undefined && { target: alias }),
    ...(pseudonyms !== null && { pseudonyms }),
    ...(interruption !== undefined && { interruption }),
    onProgress: ({ done, total }) => show(`collected ${done} of ${total} collections`),
  });
  unreadSentences(run).forEach(say);
  if (!options.quiet) say(writtenText(run, output));
  return isWhole(run);
}
