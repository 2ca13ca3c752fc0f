import type { AnyCheck } from '../../src/check.js';
import type { Connection } from '../../src/connect/connect.js';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES } from '../../src/evidence/sources.js';
import { resolvedSettings } from '../../src/findings/check-settings.js';
import { evidencePlan } from '../../src/findings/evidence-plan.js';
import { GrowthRun } from '../../src/growth/growth-run.js';
import { beginCollecting, collectCluster, collectCollections } from '../../src/lint/collect.js';
import type { Evidence } from '../../src/presence.js';

const asking = (check: object) =>
  ({ title: '', summary: '', thresholds: {}, judge: () => [], ...check }) as unknown as AnyCheck;
/** Ask for all the evidence that there is. */
const checks = [
  asking({ id: 'all-of-a-collection', appliesTo: ['collection'], needs: EVIDENCE_NAMES }),
  asking({ id: 'all-of-the-cluster', scope: 'cluster', needs: EVIDENCE_NAMES, clusterNeeds: CLUSTER_EVIDENCE_NAMES }),
];

/** A piece of evidence, of a collection or of the cluster. */
export interface CollectedEvidence {
  readonly source: string;
  readonly of: string;
  readonly piece: Evidence<unknown>;
}

/** All the evidence that there is of what is to be included. */
export async function collectedEvidence(
  connection: Connection,
  include: readonly string[],
): Promise<CollectedEvidence[]> {
  const growth = new GrowthRun(connection.reader, null, new Date());
  const collecting = await beginCollecting(connection, growth, {
    plan: evidencePlan(checks, resolvedSettings({})),
    include,
    concurrency: 4,
    logFiles: [],
    since: null,
    known: [],
    isRead: () => true,
    isOwn: () => true,
    bounds: { sample: { documents: 200, bytes: 64 * 1024 * 1024 }, deep: true, showValues: true },
  });
  const kept = await collectCollections(collecting, (collected) => collected);
  const ofCluster = { ...(await collectCluster(collecting, kept)) };
  // What checks get in place of the workload holds what follows from it, too.
  const workload = await collecting.begun.workload;
  return [
    ...kept.map((one) => [one.collection.namespace, one.evidence] as const),
    ['cluster', { ...ofCluster, workload }] as const,
  ].flatMap(([of, evidence]) =>
    Object.entries(evidence).map(([source, piece]) => ({ source, of, piece: piece as Evidence<unknown> })),
  );
}
