import { oplogGap } from '../growth/oplog.js';
import type { CollectedTracedEvidence } from './cluster-evidence.js';
import { CLUSTER_SOURCES } from './cluster-sources.js';
import { collectedAgain } from './collect-evidence.js';
import type { EvidenceGap } from './evidence-run.js';
import type {
  AnyClusterSource,
  BegunPieces,
  ClusterContext,
  ClusterPieceName,
  KeptCollection,
  PieceName,
} from './source.js';
import { isEvidence, isOfCluster } from './sources.js';

/** What reading the cluster takes, but for the pieces and collections that are known so far. */
export type ClusterReadingContext = Omit<ClusterContext, 'of' | 'collections'>;

/** Begins to collect the wanted pieces of the cluster that rest on no collection: once, and beside the sampling. */
export function beginClusterEvidence(context: ClusterReadingContext, wanted: ReadonlySet<PieceName>): BegunPieces {
  const begun: Begun = {};
  for (const source of CLUSTER_SOURCES) {
    if (wanted.has(source.name) && !restsOnCollections(source)) begin(source, begun, { ...context, collections: [] });
  }
  // Whoever waits for a piece hears of its failure; without this, a run that fails earlier would end the process.
  Promise.all(Object.values(begun)).catch(() => {});
  return begun;
}

/**
 * Collects the wanted pieces that rest on collections, and waits for all.
 *
 * @param collections every linted collection with the evidence that is kept of it
 * @throws LintError if a log file can't be opened
 */
export async function collectRestingEvidence(
  context: ClusterReadingContext,
  begunBefore: BegunPieces,
  wanted: ReadonlySet<PieceName>,
  collections: readonly KeptCollection[],
): Promise<CollectedTracedEvidence> {
  const begun: Begun = { ...begunBefore };
  for (const source of CLUSTER_SOURCES) {
    if (wanted.has(source.name) && restsOnCollections(source)) begin(source, begun, { ...context, collections });
  }
  await Promise.all(Object.values(begun));
  const evidence: Record<string, unknown> = {};
  for (const source of CLUSTER_SOURCES.filter(isEvidence)) {
    if (begun[source.name] !== undefined) evidence[source.name] = await begun[source.name];
  }
  return { ...evidence, ...(begun.tracedWorkload !== undefined && { workload: await begun.tracedWorkload }) };
}

type Begun = { -readonly [Name in ClusterPieceName]?: BegunPieces[Name] };

function begin(source: AnyClusterSource, begun: Begun, context: Omit<ClusterContext, 'of'>): Promise<unknown> {
  const of: ClusterContext['of'] = (name) => {
    const piece = begun[name];
    if (piece === undefined) throw new Error(`The evidence "${name}" was not collected.`);
    return piece;
  };
  const piece = collectedAgain<unknown>(context.reader, () => source.collect({ ...context, of }));
  (begun as Record<string, Promise<unknown>>)[source.name] = piece;
  return piece;
}

function restsOnCollections({ restsOn }: AnyClusterSource): boolean {
  return restsOn.some((name) => !isOfCluster(name));
}

/** What of the cluster's evidence could not be read although the checks that rest on it judge by other evidence. */
export async function clusterGaps({ oplog }: BegunPieces): Promise<EvidenceGap[]> {
  const gap = oplog === undefined ? null : oplogGap(await oplog);
  return gap === null ? [] : [{ name: 'oplog', gap }];
}
