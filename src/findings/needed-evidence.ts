import { isClusterCheck, type AnyCheck } from '../check.js';
import type { ClusterEvidenceName } from '../evidence/cluster-evidence.js';
import type { EvidencePlan } from '../evidence/evidence-plan.js';
import type { EvidenceName } from '../evidence/evidence.js';
import type { NeededEvidence } from '../evidence/privileges.js';
import type { PieceName } from '../evidence/source.js';
import {
  derivedFrom,
  foundationsInCollections,
  isOfCluster,
  isPossibleOn,
  withFoundations,
} from '../evidence/sources.js';
import type { Collection } from '../inventory/collection.js';
import type { RunSettings } from './check-settings.js';
import { applicableChecks } from './run-checks.js';

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
  return {
    ofCollection: (collection) =>
      piecesOfCollection(enabledOn(checks, collection, settings), collection, kept, ofCluster),
    ofCluster,
    kept,
  };
}

/** What the checks need and everything that it rests on. They get the workload traced. */
export function piecesNeeded(checks: readonly AnyCheck[]): ReadonlySet<PieceName> {
  const { ofCollections, ofCluster } = neededEvidence(checks);
  const traced: readonly PieceName[] = ofCluster.includes('workload') ? ['tracedWorkload'] : [];
  return withFoundations([...ofCollections, ...ofCluster, ...traced]);
}

function piecesOfCollection(
  checks: readonly AnyCheck[],
  collection: Collection,
  kept: ReadonlySet<EvidenceName>,
  ofCluster: ReadonlySet<PieceName>,
): ReadonlySet<PieceName> {
  const applicable = applicableChecks(checks, collection);
  const needs = [
    ...neededEvidence(applicable).ofCollections,
    ...[...kept].filter((name) => isPossibleOn(collection.kind, name)),
  ];
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
