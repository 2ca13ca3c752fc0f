import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { LintError } from '../lint-error.js';
import type { OptionValues } from '../lint/lint-options.js';
import type { ExitPolicy } from '../policy/exit-code.js';
import { REPORT_FORMATS, type RenderOptions, type ReportFormat } from '../report/formats.js';
import { isLikeUri } from '../text/hidden-uris.js';
import { didYouMean } from '../text/spelling.js';

/** The names that `--format` takes without plugins. */
export const FORMAT_NAMES = REPORT_FORMATS.map(({ name }) => name);

/** How the reports of a run are drawn. `color` is for stdout; absent, the terminal decides. */
export type Drawing = Pick<
  RenderOptions,
  | 'quiet'
  | 'verbose'
  | 'top'
  | 'failOn'
  | 'maxWarnings'
  | 'anchor'
  | 'part'
  | 'codeUrl'
  | 'changed'
  | 'before'
  | 'pageOf'
> &
  Partial<Pick<RenderOptions, 'color'>> &
  Pick<ExitPolicy, 'strict'>;

/** What the options of a command say of how its reports are drawn. */
export function drawingOf({
  quiet,
  verbose,
  top,
  failOn,
  maxWarnings,
  color,
  strict,
}: Omit<OptionValues, 'format' | 'severity' | 'shard'>): Drawing {
  return { quiet, verbose, top, failOn, maxWarnings, strict, ...(color !== undefined && { color }) };
}

/** One `--format FORMAT[=FILE]`; without a file the report goes to stdout. */
export interface ReportOutput {
  readonly format: string;
  readonly file: string | null;
}

export interface RenderedOutput {
  readonly format: ReportFormat;
  readonly file: string | null;
}

/** Whether a plugin has this format is known once plugins are loaded. */
const OF_PLUGIN = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/;

export function parseFormat(value: string, before: readonly ReportOutput[] = []): ReportOutput[] {
  const separator = value.indexOf('=');
  const format = separator === -1 ? value : value.slice(0, separator);
  const file = separator === -1 ? null : value.slice(separator + 1);
  if (!FORMAT_NAMES.includes(format) && !OF_PLUGIN.test(format)) {
    const ofPlugins = 'and those of plugins as PLUGIN/FORMAT';
    throw new InvalidArgumentError(
      `Formats are ${FORMAT_NAMES.join(', ')}, ${ofPlugins}, each with an optional =FILE.`,
    );
  }
  if (file === '') throw new InvalidArgumentError(`Name a file after "${format}=", or leave out the "=".`);
  if (file !== null && isLikeUri(file)) throw new InvalidArgumentError('The file looks like a connection string.');
  if (file === null && before.some((output) => output.file === null)) {
    throw new InvalidArgumentError('Only one report can go to stdout; send the others to files with FORMAT=FILE.');
  }
  if (file !== null && before.some((output) => output.file !== null && resolve(output.file) === resolve(file))) {
    throw new InvalidArgumentError('Two reports cannot go to the same file; name a file for each.');
  }
  return [...before, { format, file }];
}

/** The outputs with their formats, or a table by default. `origin` is where they are set, for errors. */
export function renderedOutputs(
  outputs: readonly ReportOutput[],
  formats: readonly ReportFormat[],
  origin: string,
): RenderedOutput[] {
  const wanted = outputs.length === 0 ? [{ format: 'table', file: null }] : outputs;
  return wanted.map(({ format: wantedName, file }) => {
    const format = formats.find(({ name }) => name === wantedName);
    if (format !== undefined) return { format, file };
    const ofPlugins = formats.map(({ name }) => name).filter((name) => OF_PLUGIN.test(name));
    throw new LintError(`${origin}: no plugin has the format "${wantedName}"${didYouMean(wantedName, ofPlugins)}`);
  });
}

/**
 * Whether a command that prints one thing is asked for JSON.
 * @throws LintError for another format, or a file
 */
export function isJsonWanted(outputs: readonly ReportOutput[], command: string): boolean {
  if (outputs.some(({ format, file }) => file !== null || (format !== 'json' && format !== 'table')))
    throw new LintError(`${command} prints only a table, or JSON with --format json.`);
  return outputs.some(({ format }) => format === 'json');
}

/** The alias of the only target of a run whose configuration lists none. */
export const NO_ALIAS = 'target';

/** Stands for a target's alias in the name of a report's file. */
export const TARGET_PLACEHOLDER = '{target}';

export function isForEach({ file }: Pick<RenderedOutput, 'file'>): boolean {
  return file?.includes(TARGET_PLACEHOLDER) === true;
}

/**
 * Checks that each output has room for the reports of several targets.
 * @param isMerge whether they need not fit into memory together
 * @throws LintError for an output that holds only one report
 */
export function assertRoomForTargets(outputs: readonly RenderedOutput[], isMerge = false): void {
  const hasRoom = ({ renderTargets, renderFleet }: ReportFormat) =>
    renderFleet !== undefined || (!isMerge && renderTargets !== undefined);
  const crowded = outputs.find((output) => !isForEach(output) && !hasRoom(output.format));
  if (crowded === undefined) return;
  const { name, extension } = crowded.format;
  throw new LintError(
    `With several targets, ${name} needs a file for each: name it with ${TARGET_PLACEHOLDER}, ` +
      `as in ${name}=report.${TARGET_PLACEHOLDER}.${extension}.`,
  );
}
