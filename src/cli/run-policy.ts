import { placeOf } from '../config/config-errors.js';
import type { LoadedConfig } from '../config/load-config.js';
import { enabledChecks } from '../findings/check-settings.js';
import { LintError } from '../lint-error.js';
import { type ConfiguredGlob, type Policy, todayInUtc } from '../policy/apply-policy.js';
import { didYouMean } from '../text/spelling.js';
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
