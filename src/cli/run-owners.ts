import { LintError } from '../lint-error.js';
import type { Policy } from '../policy/apply-policy.js';
import { didYouMean } from '../spelling.js';
import type { RunSettings } from './run-settings.js';

type OwnerPolicy = Pick<Policy, 'owners' | 'ownerFilter'>;

/**
 * Who owns what by the configuration, and whose findings are reported.
 * @param named owners that saved reports name
 * @throws LintError if --owner names nobody, or would take the findings of others out of the baseline
 */
export function ownerPolicy(
  { config: { owners }, resolved }: Pick<RunSettings, 'config' | 'resolved'>,
  named: readonly string[] = [],
): OwnerPolicy {
  const { owner: wanted, updateBaseline } = resolved.values;
  if (wanted.length === 0) return { owners };
  const known = [...new Set([...owners.flatMap(({ owner }) => owner ?? []), ...named])];
  if (known.length === 0) throw new LintError('--owner needs "owners" in the configuration: they say what is whose.');
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new LintError(
      `--owner ${unknown}: "owners" of the configuration do not name it${didYouMean(unknown, known)}`,
    );
  if (updateBaseline)
    throw new LintError('--update-baseline with --owner would drop the known findings of other owners: leave out one.');
  return { owners, ownerFilter: { owners: wanted } };
}
