import { relative, resolve } from 'node:path';
import { readBounded } from '../files/bounded-file.js';
import { fileFault, isMissing } from '../files/file-fault.js';
import type { SeveritySetting } from '../findings/evidence-plan.js';
import { LintError } from '../lint-error.js';
import type { OptionValues } from '../lint/lint-options.js';
import type { SourceFolder } from '../lint/option.js';
import type { RunPart } from '../report/run-part.js';
import type { Drawing, ReportOutput } from './report-outputs.js';

/** The options of a run, with their formats, severities and part parsed. */
export type RunOptions = Omit<OptionValues, 'format' | 'severity' | 'shard'> & {
  readonly format: readonly ReportOutput[];
  readonly severity: readonly SeveritySetting[];
  readonly shard?: RunPart;
};

/** The largest size of the list of --changed. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The folders of source code, whose files reports name from the working directory. */
export function sourceFolders({ code }: Pick<RunOptions, 'code'>, cwd: string): readonly SourceFolder[] {
  return code.map((folder) => {
    const given = typeof folder === 'string' ? { dir: folder } : folder;
    const dir = resolve(cwd, given.dir);
    return { ...given, dir, name: relative(cwd, dir).replaceAll('\\', '/') };
  });
}

/** How reports show lines of the source, and which files have changed. @throws LintError if the list can't be read */
export async function sourceDrawing(
  { codeUrl, changed }: Pick<RunOptions, 'codeUrl' | 'changed'>,
  cwd: string,
): Promise<Pick<Drawing, 'codeUrl' | 'changed'>> {
  if (codeUrl !== undefined && !/^https?:.*\{file\}/.test(codeUrl))
    throw new LintError(
      '--code-url takes the address of a line, such as "https://git.example/blob/main/{file}#L{line}".',
    );
  const list = changed === undefined ? '' : await readBounded(resolve(cwd, changed), MOST_BYTES).catch(unreadable);
  const files = list.split(/\r?\n/).filter((file) => file !== '');
  return { ...(codeUrl !== undefined && { codeUrl }), ...(changed !== undefined && { changed: files }) };
}

function unreadable(error: unknown): never {
  throw new LintError(
    `The list of --changed can't be read: ${isMissing(error) ? 'there is no such file' : fileFault(error)}.`,
  );
}
