import { isClusterCheck, type AnyCheck } from '../check.js';
import type { EvidencePlan } from '../evidence/evidence-plan.js';
import type { RunSettings } from '../findings/check-settings.js';
import { evidencePlan } from '../findings/needed-evidence.js';
import type { Report } from '../report/report.js';
import { isInPart, type RunPart } from '../run-part.js';

/** What of a cluster a run judges, if several runs share its collections. */
export interface RunShare {
  /** Without those of the whole cluster, unless this is the first part: it judges them alone. */
  readonly checks: readonly AnyCheck[];
  readonly plan: EvidencePlan;
  /** True for a collection whose evidence is read: the first part needs some of every one. */
  isRead(namespace: string): boolean;
  /** True for a collection that is judged, and listed in the report. */
  isOwn(namespace: string): boolean;
  /** What the report says of it; absent for a run on everything. */
  readonly part?: NonNullable<Report['part']>;
}

/** @param part absent for a run on everything */
export function runShare(enabled: readonly AnyCheck[], settings: RunSettings, part?: RunPart): RunShare {
  const whole = { isRead: () => true, isOwn: () => true };
  if (part === undefined) return { checks: enabled, plan: evidencePlan(enabled, settings), ...whole };
  const ofCluster = enabled.filter(isClusterCheck);
  const checks = part.number === 1 ? enabled : enabled.filter((check) => !isClusterCheck(check));
  const isOwn = (namespace: string) => isInPart(namespace, part);
  const plan = evidencePlan(checks, settings);
  const forOthers = evidencePlan(ofCluster, settings);
  const readsAll = part.number === 1 && ofCluster.length > 0;
  return {
    checks,
    plan: {
      ...plan,
      ofCollection: (collection) => (isOwn(collection.namespace) ? plan : forOthers).ofCollection(collection),
    },
    isRead: (namespace) => readsAll || isOwn(namespace),
    isOwn,
    part: { number: part.number, of: part.of, clusterChecks: ofCluster.map(({ id }) => id) },
  };
}
