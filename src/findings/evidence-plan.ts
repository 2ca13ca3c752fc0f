import { type AnyCheck, isClusterCheck } from '../check.js';
import type { ClusterEvidenceName } from '../evidence/cluster-evidence.js';
import type { EvidenceName } from '../evidence/evidence.js';
import type { EvidencePlan, PieceName } from '../evidence/source.js';
import {
  derivedFrom,
  foundationsInCollections,
  isOfCluster,
  isPossibleOn,
  type NeededEvidence,
  withFoundations,
} from '../evidence/sources.js';
import type { Severity } from '../finding/severity.js';
import type { Collection } from '../inventory/collection.js';
import { LintError } from '../lint-error.js';
import { globMatcher } from '../text/glob.js';
import { didYouMean } from '../text/spelling.js';
import { type CheckSetting, type CheckSettings, enabledChecks, type RunSettings } from './check-settings.js';
import { applicableChecks } from './run-checks.js';

/** A severity given for a check: `--severity unused-index=info`. */
export interface SeveritySetting {
  /** Id of a check, or a glob over ids. */
  readonly check: string;
  readonly severity: Severity | 'off';
}

/** What a call says of the checks, over what is configured. */
export interface CheckSelection {
  /** Globs over ids: only these checks run. All but optional ones if empty; these run if their whole id is given. */
  readonly check: readonly string[];
  /** Globs over ids: these do not run. They win over `check`. */
  readonly skipCheck: readonly string[];
  /** A group of optional checks that run, too. */
  readonly group?: string | null;
  /** A later one wins over an earlier one. */
  readonly severity: readonly SeveritySetting[];
}

export function neededEvidence(checks: readonly AnyCheck[]): NeededEvidence {
  return {
    ofCollections: checks.flatMap(({ needs }) => needs as readonly EvidenceName[]),
    ofCluster: checks
      .filter(isClusterCheck)
      .flatMap(({ clusterNeeds }) => clusterNeeds as readonly ClusterEvidenceName[]),
  };
}

/** What is to be collected for these checks, and no more. */
export function evidencePlan(checks: readonly AnyCheck[], settings: RunSettings): EvidencePlan {
  const needed = piecesNeeded(checks);
  const derived = withFoundations(derivedFrom(needed, evidenceUsed(checks)));
  const ofCluster = new Set([...needed, ...derived].filter(isOfCluster));
  const checksOfCluster = checks.filter(isClusterCheck);
  const kept = new Set([
    ...neededEvidence(checksOfCluster).ofCollections,
    ...foundationsInCollections(piecesNeeded(checksOfCluster)),
  ]);
  // Thousands of collections are alike in what is judged of them.
  const alike = new Map<string, ReadonlySet<PieceName>>();
  const ofCollection = (collection: Collection) => {
    const applicable = applicableChecks(enabledOn(checks, collection, settings), collection);
    const key = [collection.kind, ...applicable.map(({ id }) => id)].join(' ');
    const pieces = alike.get(key) ?? piecesOfCollection(applicable, collection, kept, ofCluster);
    alike.set(key, pieces);
    return pieces;
  };
  return { ofCollection, ofCluster, kept };
}

/** What the checks need and everything that it rests on. They get the workload traced. */
export function piecesNeeded(checks: readonly AnyCheck[]): ReadonlySet<PieceName> {
  const { ofCollections, ofCluster } = neededEvidence(checks);
  const traced: readonly PieceName[] = ofCluster.includes('workload') ? ['tracedWorkload'] : [];
  return withFoundations([...ofCollections, ...ofCluster, ...traced]);
}

function piecesOfCollection(
  applicable: readonly AnyCheck[],
  { kind }: Collection,
  kept: ReadonlySet<EvidenceName>,
  ofCluster: ReadonlySet<PieceName>,
): ReadonlySet<PieceName> {
  const needs = [...neededEvidence(applicable).ofCollections, ...[...kept].filter((name) => isPossibleOn(kind, name))];
  if (needs.length === 0) return new Set();
  // The report gives the size of every collection that is read.
  const needed = withFoundations([...needs, 'storage']);
  return withFoundations([...needed, ...derivedFrom(new Set([...needed, ...ofCluster]), evidenceUsed(applicable))]);
}

function evidenceUsed(checks: readonly AnyCheck[]): readonly EvidenceName[] {
  return checks.flatMap((check) => (isClusterCheck(check) ? [] : ((check.uses ?? []) as readonly EvidenceName[])));
}

function enabledOn(checks: readonly AnyCheck[], { namespace }: Collection, settings: RunSettings): AnyCheck[] {
  return checks.filter((check) => !settings.of(check, namespace).off);
}

/**
 * The settings of a run in which only the selected checks are on. A severity of the call holds on every namespace.
 *
 * @throws LintError for a glob that matches no check, or for one of `check` of which every check is off
 */
export function selectedSettings(
  checks: readonly AnyCheck[],
  configured: CheckSettings,
  { check, skipCheck, severity, group = null }: CheckSelection,
): CheckSettings {
  const ids = checks.map(({ id }) => id);
  for (const glob of skipCheck) assertKnown('--skip-check', glob, ids);
  for (const { check: glob } of severity) assertKnown('--severity', glob, ids);
  const grouped = checks.flatMap(({ id, group: own }) => (own !== undefined && own === group ? [id] : []));
  const wanted = checks.filter(({ id, optional }) => optional === true && [...check, ...grouped].includes(id));
  const asked = { ...Object.fromEntries(wanted.map(({ id }) => [id, {}])), ...configured };
  const settings = withSeverities(ids, asked, severity);
  if (check.length === 0 && skipCheck.length === 0) return settings;
  const enabled = enabledChecks(checks, settings).map(({ id }) => id);
  for (const glob of check) {
    assertKnown('--check', glob, ids);
    if (enabled.some(globMatcher([glob]))) continue;
    throw new LintError(`--check ${glob}: it is off in the configuration. To run it, add --severity ${glob}=warning.`);
  }
  const isChosen = globMatcher(check.length === 0 ? ['*', '*/*'] : [...check, ...grouped]);
  const isSkipped = globMatcher(skipCheck);
  const off = ids.filter((id) => !isChosen(id) || isSkipped(id));
  if (off.length === ids.length)
    throw new LintError('No check left to run: --check and --skip-check exclude all of them.');
  return withSeverities(
    off,
    settings,
    off.map((id) => ({ check: id, severity: 'off' })),
  );
}

function withSeverities(
  ids: readonly string[],
  settings: CheckSettings,
  severities: readonly SeveritySetting[],
): CheckSettings {
  const set: Record<string, CheckSetting> = { ...settings };
  for (const { check, severity } of severities) {
    for (const id of ids.filter(globMatcher([check]))) set[id] = everywhere(set[id] ?? {}, severity);
  }
  return set;
}

function everywhere({ namespaces = [], ...general }: CheckSetting, severity: Severity | 'off'): CheckSetting {
  return { ...general, severity, namespaces: namespaces.map(({ glob, thresholds = {} }) => ({ glob, thresholds })) };
}

function assertKnown(option: string, glob: string, ids: readonly string[]): void {
  if (ids.some(globMatcher([glob]))) return;
  throw new LintError(`${option}: no check matches "${glob}"${didYouMean(glob, ids)}`);
}
