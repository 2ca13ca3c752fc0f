import type { ClusterReader } from '../connect/cluster-reader.js';
import { oplogGap } from '../growth/oplog.js';
import type { Evidence } from '../presence.js';
import type { CollectedTracedEvidence } from './cluster-evidence.js';
import { CLUSTER_SOURCES } from './cluster-sources.js';
import { COLLECTION_SOURCES } from './collection-sources.js';
import type { EvidenceGap } from './evidence-run.js';
import type {
  AnyClusterSource,
  AnyCollectionSource,
  BegunPieces,
  ClusterContext,
  ClusterPieceName,
  CollectedEvidence,
  CollectedPieces,
  CollectionContext,
  CollectionPieceName,
  KeptCollection,
  PieceName,
} from './source.js';
import { EVIDENCE_NAMES, isEvidence, isOfCluster, waitsForCluster } from './sources.js';

/** What reading a collection takes, but for the pieces that were collected of it. */
export type ReadingContext = Omit<CollectionContext, 'of'>;

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

/** Reads, once, the pieces of a collection that are wanted, but those that wait for the evidence of the cluster. */
export function readCollection(context: ReadingContext, wanted: ReadonlySet<PieceName>): Promise<CollectedPieces> {
  return collected(context, {}, ({ name }) => wanted.has(name) && !waitsForCluster(name));
}

/** The pieces of a collection that was read, with those that wait for the evidence of the cluster. */
export function withAwaitedPieces(
  context: ReadingContext,
  read: CollectedPieces,
  wanted: ReadonlySet<PieceName>,
): Promise<CollectedPieces> {
  return collected(context, read, ({ name }) => wanted.has(name) && waitsForCluster(name));
}

/** The pieces that checks can need, without those that they were made from. */
export function evidenceOf(pieces: CollectedPieces): CollectedEvidence {
  const names = EVIDENCE_NAMES.filter((name) => name in pieces);
  return Object.fromEntries(names.map((name) => [name, pieces[name]]));
}

async function collected(
  context: ReadingContext,
  already: CollectedPieces,
  isWanted: (source: AnyCollectionSource) => boolean,
): Promise<CollectedPieces> {
  const pieces: Record<string, unknown> = { ...already };
  const begun = new Map<PieceName, Promise<void>>();
  for (const source of COLLECTION_SOURCES.filter(isWanted)) {
    const { name, restsOn } = source;
    const of: CollectionContext['of'] = (foundation) => pieceOf(pieces, restsOn, foundation);
    const collect = async (): Promise<void> => {
      await Promise.all(restsOn.map((foundation) => begun.get(foundation)));
      pieces[name] = await collectedAgain<unknown>(context.reader, () => source.collect({ ...context, of }));
    };
    begun.set(name, collect());
  }
  await Promise.all(begun.values());
  const names = COLLECTION_SOURCES.map(({ name }) => name).filter((name) => name in pieces);
  return Object.fromEntries(names.map((name) => [name, pieces[name]]));
}

function pieceOf<Piece>(
  pieces: Readonly<Record<string, unknown>>,
  restsOn: readonly PieceName[],
  name: CollectionPieceName,
): Evidence<Piece> {
  const piece = restsOn.includes(name) ? pieces[name] : undefined;
  if (piece === undefined) throw new Error(`The evidence "${name}" was not collected.`);
  return piece as Evidence<Piece>;
}

/** A piece of evidence, collected once more from its beginning if a member was lost under it and another may answer. */
function collectedAgain<Piece>(
  reader: ClusterReader,
  collect: () => Evidence<Piece> | Promise<Evidence<Piece>>,
): Promise<Evidence<Piece>> {
  return reader.readAgainIfLost(collect, (piece) => (piece.present ? null : piece.error));
}
