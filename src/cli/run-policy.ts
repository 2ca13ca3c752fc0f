import { placeOf } from '../config/config-file.js';
import type { LoadedConfig } from '../config/load-config.js';
import { KeptFile, type KeptText } from '../files/kept-text.js';
import { enabledChecks } from '../findings/check-settings.js';
import { LintError } from '../lint-error.js';
import { hasEnded } from '../policy/acceptance.js';
import { type ConfiguredGlob, type Policy, todayInUtc } from '../policy/apply-policy.js';
import type { BaselineEntry } from '../policy/baseline-file.js';
import { prunedBaseline, updatedBaseline } from '../policy/baseline.js';
import type { Report } from '../report/report.js';
import { didYouMean } from '../text/spelling.js';
import { outputFault } from './report-file.js';
import type { RunOptions } from './run-options.js';
import type { ReportSettings } from './run-settings.js';

export type OwnerPolicy = Pick<Policy, 'owners' | 'ownerFilter'>;

/** What is suppressed, what counts, and what is whose, by the configuration. @throws LintError if --owner does not fit */
export function policyOf(settings: ReportSettings, baseline: Policy['baseline']): Policy {
  const { config, resolved } = settings;
  const { checks, settings: ofChecks, suppressions } = config;
  const by = resolved.origins.get('minConfidence') ?? 'default';
  return {
    checks: enabledChecks(checks, ofChecks).map(({ id }) => id),
    settings: ofChecks,
    suppressions,
    previews: resolved.values.preview ? [] : checks.flatMap(({ id, preview }) => (preview === true ? [id] : [])),
    baseline,
    today: todayInUtc(),
    minConfidence: { confidence: resolved.values.minConfidence, by },
    globs: configuredGlobs(config),
    ...ownerPolicy(settings),
  };
}

/**
 * Who owns what by the configuration, and whose findings are reported.
 * @param named owners that saved reports name
 * @throws LintError if --owner names nobody, or would take the findings of others out of the baseline
 */
export function ownerPolicy(
  { config: { owners }, resolved }: ReportSettings,
  named: readonly string[] = [],
): OwnerPolicy {
  const { owner: wanted, updateBaseline: isUpdate } = resolved.values;
  if (wanted.length === 0) return { owners };
  const known = [...new Set([...owners.flatMap(({ owner }) => owner ?? []), ...named])];
  if (known.length === 0) throw new LintError('--owner needs "owners" in the configuration: they say who owns what.');
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new LintError(
      `--owner ${unknown}: "owners" of the configuration do not name it${didYouMean(unknown, known)}`,
    );
  if (isUpdate)
    throw new LintError('--update-baseline with --owner would drop the known findings of other owners: leave out one.');
  return { owners, ownerFilter: { owners: wanted } };
}

/** The globs over namespaces in the configuration file itself; those of plugins may be meant for other clusters. */
export function configuredGlobs({ file, values, owners }: LoadedConfig): ConfiguredGlob[] {
  if (file === null) return [];
  const each = (
    key: string,
    path: readonly PropertyKey[],
    entries: readonly { readonly glob?: string | undefined }[] = [],
  ) =>
    entries.flatMap(({ glob }, index): ConfiguredGlob[] =>
      glob === undefined ? [] : [{ glob, key, place: placeOf(file, [...path, index]) }],
    );
  return [
    ...each('expect', ['expect'], values.expect),
    ...(values.targets ?? []).flatMap(({ expect }, index) => each('expect', ['targets', index, 'expect'], expect)),
    ...each('owners', ['owners'], owners),
    ...Object.entries(values.checks ?? {}).flatMap(([id, setting]) =>
      typeof setting === 'object' ? each(`checks.${id}`, ['checks', id, 'namespaces'], setting.namespaces) : [],
    ),
  ];
}

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
