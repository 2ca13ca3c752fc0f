import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Evidence } from '../presence.js';
import { COLLECTION_SOURCES } from './collection-sources.js';
import type {
  AnyCollectionSource,
  CollectedEvidence,
  CollectedPieces,
  CollectionContext,
  CollectionPieceName,
  PieceName,
} from './source.js';
import { EVIDENCE_NAMES, waitsForCluster } from './sources.js';

/** What reading a collection takes, but for the pieces that were collected of it. */
export type ReadingContext = Omit<CollectionContext, 'of'>;

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
export function collectedAgain<Piece>(
  reader: ClusterReader,
  collect: () => Evidence<Piece> | Promise<Evidence<Piece>>,
): Promise<Evidence<Piece>> {
  return reader.readAgainIfLost(collect, (piece) => (piece.present ? null : piece.error));
}
