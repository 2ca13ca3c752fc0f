import { KeptFile, type KeptText } from '../files/kept-text.js';
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

type BaselineOptions = Pick<RunOptions, 'updateBaseline' | 'prune'>;

/** The baseline to compare the findings with, or null. With `--update-baseline`, its file need not exist yet. */
export async function baselineOf(
  { updateBaseline: isUpdate, prune }: BaselineOptions,
  kept: KeptText | null,
): Promise<BaselineEntry[] | null> {
  if (isUpdate && prune)
    throw new LintError('--update-baseline adds and removes, --prune only removes: give one of them.');
  if (kept === null && (isUpdate || prune)) throw needsFile(isUpdate ? '--update-baseline' : '--prune');
  if (kept === null) return null;
  const fault = (isUpdate || prune) && kept instanceof KeptFile ? await outputFault(kept.name) : null;
  if (fault !== null) throw new LintError(`The baseline ${kept.name} can't be written: ${fault}.`);
  const { readBaseline } = await import('../policy/baseline-file.js');
  const entries = await readBaseline(kept);
  if (entries === null && !isUpdate)
    throw new LintError(`There is no baseline ${kept.name}; write it with --update-baseline.`);
  return entries ?? [];
}

/** Writes the findings as the new baseline, or what is left of the present one. Returns a line if it could not be written. */
export async function updateBaseline(
  { updateBaseline: isUpdate, prune }: BaselineOptions,
  kept: KeptText | null,
  reports: readonly Report[],
): Promise<string[]> {
  if (kept === null || reports.length === 0 || !(isUpdate || prune)) return [];
  const today = todayInUtc();
  // What somebody accepted meanwhile stays.
  const updated = (now: readonly BaselineEntry[]) =>
    isUpdate
      ? updatedBaseline(
          now.filter((entry) => !hasEnded(entry, today)),
          reports,
        )
      : prunedBaseline(now, reports, today);
  try {
    const { changeBaseline } = await import('../policy/baseline-file.js');
    await changeBaseline(kept, updated);
    return [];
  } catch (error) {
    if (error instanceof LintError) return [error.message];
    throw error;
  }
}
