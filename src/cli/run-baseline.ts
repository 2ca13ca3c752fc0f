import { resolve } from 'node:path';
import { LintError } from '../lint-error.js';
import { hasEnded } from '../policy/acceptance.js';
import { todayInUtc } from '../policy/apply-policy.js';
import type { BaselineEntry } from '../policy/baseline-file.js';
import { prunedBaseline, updatedBaseline } from '../policy/baseline.js';
import type { Report } from '../report/report.js';
import { outputFault } from './report-file.js';
import type { RunOptions } from './run-options.js';

const needsFile = (flag: string) =>
  new LintError(`${flag} needs a file: give --baseline FILE, or set "baseline" in the configuration.`);

type BaselineOptions = Pick<RunOptions, 'baseline' | 'updateBaseline' | 'prune'>;

/** The baseline to compare the findings with, or null. With `--update-baseline`, its file need not exist yet. */
export async function baselineOf(
  { baseline, updateBaseline: isUpdate, prune }: BaselineOptions,
  cwd: string,
): Promise<BaselineEntry[] | null> {
  if (isUpdate && prune)
    throw new LintError('--update-baseline adds and removes, --prune only removes: give one of them.');
  if (baseline === undefined && (isUpdate || prune)) throw needsFile(isUpdate ? '--update-baseline' : '--prune');
  if (baseline === undefined) return null;
  const file = resolve(cwd, baseline);
  const fault = isUpdate || prune ? await outputFault(file) : null;
  if (fault !== null) throw new LintError(`The baseline ${file} can't be written: ${fault}.`);
  const { readBaseline } = await import('../policy/baseline-file.js');
  const entries = await readBaseline(file);
  if (entries === null && !isUpdate)
    throw new LintError(`There is no baseline ${file}; write it with --update-baseline.`);
  return entries ?? [];
}

/** Writes the findings as the new baseline, or what is left of the present one. Returns a line if it could not be written. */
export async function updateBaseline(
  { baseline, updateBaseline: isUpdate, prune }: BaselineOptions,
  before: readonly BaselineEntry[] | null,
  reports: readonly Report[],
  cwd: string,
): Promise<string[]> {
  if (baseline === undefined || before === null || reports.length === 0 || !(isUpdate || prune)) return [];
  const today = todayInUtc();
  const after = isUpdate
    ? updatedBaseline(
        before.filter((entry) => !hasEnded(entry, today)),
        reports,
      )
    : prunedBaseline(before, reports, today);
  if (!isUpdate && after.length === before.length) return [];
  try {
    const { writeBaseline } = await import('../policy/baseline-file.js');
    await writeBaseline(resolve(cwd, baseline), after);
    return [];
  } catch (error) {
    if (error instanceof LintError) return [error.message];
    throw error;
  }
}
