import type { EvidencePlan } from '../evidence/evidence-plan.js';
import type { EvidenceRun } from '../evidence/evidence-run.js';
import { LintError } from '../lint-error.js';
import type { ReadingOptions } from './reading-options.js';

/** Joins a run with the evidence of production, if the options name any; or else gives it as it is. */
type Join = (run: EvidenceRun, plan: EvidencePlan) => EvidenceRun;

type ProductionOptions = Pick<ReadingOptions, 'production' | 'map'>;

/** @throws LintError if databases are mapped without evidence of production */
export function assertMapUsed({ production, map = [] }: ProductionOptions): void {
  if (production === undefined && map.length > 0)
    throw new LintError('map needs production: give the evidence file that the databases are named in.');
}

/**
 * Reads the evidence of production that the options name.
 *
 * @throws LintError if the file can't be used, or databases are mapped without one
 */
export async function joinedWithProduction(options: ProductionOptions): Promise<Join> {
  assertMapUsed(options);
  const { production: file, map = [] } = options;
  if (file === undefined) return (run) => run;
  // Loaded only if asked for, since they bring the validation of the file's lines.
  const { readProduction } = await import('../evidence-file/production/production-evidence.js');
  const { joinedRun } = await import('../evidence-file/production/joined-run.js');
  const production = await readProduction(file);
  return (run, plan) => joinedRun(run, { production, map, plan });
}
