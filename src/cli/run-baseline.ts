import { LintError } from '../lint-error.js';
import { updatedBaseline } from '../policy/baseline.js';
import type { BaselineEntry } from '../policy/baseline-entry.js';
import type { Report } from '../report/report.js';
import { outputFault } from './report-file.js';
import type { RunOptions } from './run-options.js';

const NO_FILE = '--update-baseline needs a file: give --baseline FILE, or set "baseline" in the configuration.';

type BaselineOptions = Pick<RunOptions, 'baseline' | 'updateBaseline'>;

/** The baseline to compare the findings with, or null. With `--update-baseline`, its file need not exist yet. */
export async function baselineOf({
  baseline: file,
  updateBaseline: isUpdate,
}: BaselineOptions): Promise<BaselineEntry[] | null> {
  if (file === undefined && isUpdate) throw new LintError(NO_FILE);
  if (file === undefined) return null;
  const fault = isUpdate ? await outputFault(file) : null;
  if (fault !== null) throw new LintError(`The baseline ${file} can't be written: ${fault}.`);
  const { readBaseline } = await import('../policy/baseline-file.js');
  const entries = await readBaseline(file);
  if (entries === null && !isUpdate)
    throw new LintError(`There is no baseline ${file}; write it with --update-baseline.`);
  return entries ?? [];
}

/** Writes the findings as the new baseline. Returns a line if it could not be written. */
export async function updateBaseline(
  { baseline: file }: BaselineOptions,
  before: readonly BaselineEntry[] | null,
  reports: readonly Report[],
): Promise<string[]> {
  if (file === undefined) return [];
  try {
    const { writeBaseline } = await import('../policy/baseline-file.js');
    await writeBaseline(file, updatedBaseline(before ?? [], reports));
    return [];
  } catch (error) {
    if (error instanceof LintError) return [error.message];
    throw error;
  }
}
