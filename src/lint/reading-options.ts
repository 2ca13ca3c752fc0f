import { builtInChecks } from '../../checks/index.js';
import type { AnyCheck } from '../check.js';
import type { ClientObserver, ConnectOptions } from '../connect/client.js';
import { passes, RELEASES } from '../connect/server-version.js';
import type { CollectingSettings } from '../evidence-file/evidence-lines.js';
import type { KeptText } from '../files/kept-text.js';
import type { KnownFinding } from '../finding/look-for.js';
import { enabledChecks, type CheckSettings } from '../findings/check-settings.js';
import { inWords } from '../format.js';
import { LintError } from '../lint-error.js';
import type { RunPart } from '../report/run-part.js';
import type { CollectOptions } from './collect.js';
import { LINT_DEFAULTS, type TakenByLint } from './lint-options.js';
import { SINCE_EXAMPLES, sinceTime } from './quantity.js';

/** What to read, for which checks, and how much it may cost. Everything but the URI has a default: see docs/configuration.md. */
export interface ReadingOptions extends Omit<TakenByLint, 'history'> {
  readonly uri: string;
  /** A file, or another place, with what earlier runs measured, and to which this one adds. */
  readonly history?: string | KeptText;
  /** The checks to run; the built-in ones if absent. */
  readonly checks?: readonly AnyCheck[];
  /** Severities and thresholds that differ from those of the checks, and checks that are off, everywhere or on some namespaces. */
  readonly settings?: CheckSettings;
  /** Known findings, as a baseline has them, that are searched for if the samples do not show them. */
  readonly known?: readonly KnownFinding[];
  /** Which part of the collections to judge, if other runs judge the rest. The first part judges the whole cluster's checks. */
  readonly part?: RunPart;
  /** Once aborted, nothing more is read: what was found is reported, the rest is `skipped` as interrupted. */
  readonly interruption?: AbortSignal;
  /** Sees the driver's client before it connects. */
  readonly onClient?: ClientObserver;
}

export function connectOptions({ uri, readPreference, interruption, ...options }: ReadingOptions): ConnectOptions {
  return {
    uri,
    concurrency: options.concurrency ?? LINT_DEFAULTS.concurrency,
    timeout: options.timeout ?? LINT_DEFAULTS.timeout,
    maxTime: options.maxTime ?? LINT_DEFAULTS.maxTime,
    ...(readPreference !== undefined && { readPreference }),
    ...(interruption !== undefined && { interruption }),
  };
}

export function collectOptions({
  include = [],
  exclude = [],
  ...options
}: ReadingOptions): Omit<CollectOptions, 'plan' | 'isRead' | 'isOwn' | 'lineOf' | 'onReading'> {
  return {
    include,
    exclude,
    concurrency: options.concurrency ?? LINT_DEFAULTS.concurrency,
    logFiles: options.logFiles ?? [],
    since: sinceOf(options),
    known: options.known ?? [],
    bounds: {
      sample: {
        documents: options.sampleSize ?? LINT_DEFAULTS.sampleSize,
        bytes: options.sampleBytes ?? LINT_DEFAULTS.sampleBytes,
      },
      deep: options.deep ?? false,
      showValues: options.showValues ?? false,
    },
  };
}

/** @throws LintError if it is no time */
function sinceOf({ since }: ReadingOptions): number | null {
  const time = since === undefined ? null : sinceTime(since, Date.now());
  if (since !== undefined && time === null) throw new LintError(`The option since: give ${SINCE_EXAMPLES}.`);
  return time;
}

/** Those that evidence was collected with. */
export function collectingSettings(options: ReadingOptions): CollectingSettings {
  const { include = [], exclude = [], concurrency, bounds } = collectOptions(options);
  const { timeout, maxTime } = connectOptions(options);
  const { documents: sampleSize, bytes: sampleBytes } = bounds.sample;
  return { include, exclude, sampleSize, sampleBytes, deep: bounds.deep, concurrency, timeout, maxTime };
}

/** What a check needs that does not apply to every run. */
const NEEDED: Readonly<Record<string, string>> = {
  production: 'give evidence of production, with --production FILE',
  code: 'give folders of source, with --code DIR',
  upgrade: `name the release of the upgrade, with --for ${RELEASES.join(' or ')}`,
};

/** The enabled checks that can apply: without evidence of production or source, not those that compare with it. The verdicts of those that are not built in are parsed, by code that is loaded only for them. */
export async function checksOf({
  checks = builtInChecks,
  settings = {},
  production,
  code = [],
  for: release,
}: Pick<ReadingOptions, 'checks' | 'settings' | 'production' | 'code' | 'for'>): Promise<readonly AnyCheck[]> {
  const all = enabledChecks(checks, settings);
  const enabled = all.filter(
    ({ appliesWhere, upgradeTo }) =>
      (appliesWhere !== 'production' || production !== undefined) &&
      (appliesWhere !== 'code' || code.length > 0) &&
      (upgradeTo === undefined || passes(release, upgradeTo)),
  );
  if (enabled.length === 0 && all.length > 0) {
    const needed = new Set(all.flatMap(({ appliesWhere }) => NEEDED[appliesWhere ?? ''] ?? []));
    throw new LintError(`${inWords(all.map(({ id }) => id))}: ${[...needed].join('; ')}.`);
  }
  if (enabled.every(isBuiltIn)) return enabled;
  const { withParsedVerdicts } = await import('./parsed-verdicts.js');
  return enabled.map((check) => (isBuiltIn(check) ? check : withParsedVerdicts(check)));
}

function isBuiltIn(check: AnyCheck): boolean {
  return builtInChecks.includes(check);
}
