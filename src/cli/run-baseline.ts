import { LintError } from '../lint-error.js';
import { updatedBaseline, type BaselineEntry } from '../policy/baseline.js';
import type { Report } from '../report/report.js';
import type { RunOptions } from './run-options.js';

const NO_FILE =
  '--update-baseline needs to know the file: give --baseline FILE, or set "baseline" in the configuration.';

type BaselineOptions = Pick<RunOptions, 'baseline' | 'updateBaseline'>;

/**
 * The baseline that the findings are compared with; null where there is none. One that is to be updated may be written for
 * the first time.
 *
 * @throws LintError where it can't be read, or is missing and not to be written
 */
export async function baselineOf({
  baseline: file,
  updateBaseline: isUpdate,
}: BaselineOptions): Promise<BaselineEntry[] | null> {
  if (file === undefined && isUpdate) throw new LintError(NO_FILE);
  if (file === undefined) return null;
  const { readBaseline } = await import('../policy/baseline-file.js');
  const entries = await readBaseline(file);
  if (entries === null && !isUpdate)
    throw new LintError(`There is no baseline ${file}; write it with --update-baseline.`);
  return entries ?? [];
}

/**
 * Writes what the reports found as the new baseline.
 *
 * @returns a line where it could not be written
 */
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
