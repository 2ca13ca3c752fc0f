import type { OperationFigures } from '../../src/workload/workload.js';
import type { JoinUse } from '../../src/workload/joins/workload-joins.js';
import { asInProduction, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { unservedJoins } from '../../src/judgement/joins/unserved-joins.js';

/** Which of an operation's joins no index serves here, and in production. */
export function joinsPlannedOtherwise(cluster: JoinedCluster): (uses: readonly JoinUse[]) => boolean {
  const isJoined = [...cluster.collections.values()].some(({ collection }) => collection.production !== undefined);
  if (!isJoined) return () => false;
  const there = asInProduction(cluster);
  return (uses) =>
    uses.some(({ operation }) => operation !== null && operation.recordedHere !== true) &&
    unservedPlaces(uses, cluster) !== unservedPlaces(uses, there);
}

function unservedPlaces(uses: readonly JoinUse[], cluster: JoinedCluster): string {
  const places = unservedJoins(cluster, uses).map((join) => [join.kind, join.namespace, 'path' in join && join.path]);
  return JSON.stringify(places);
}

/** The figures without what another plan would have changed. */
export function withoutPlan(figures: OperationFigures): OperationFigures {
  return { ...figures, milliseconds: null, slowestMilliseconds: null, documentsExamined: null, keysExamined: null };
}
