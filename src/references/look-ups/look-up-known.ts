import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import { absentBecause } from '../../connect/server-error.js';
import type { KnownFinding, LookFor, LookUp } from '../../finding/look-for.js';
import { formatBytes } from '../../format.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { isVisible } from '../../inventory/index-key.js';
import { knownSizes } from '../../inventory/storage.js';
import type { Evidence } from '../../presence.js';
import { BSON_TYPES } from '../../profile/document-profile.js';
import { type LargestDocuments, SEARCHED_COLLECTION_BYTES } from '../../profile/largest-documents.js';
import { isQueryable, queryPath } from '../../profile/path-steps.js';
import type { SampledDocuments } from '../../profile/sample.js';
import type { ReadPieces } from '../references.js';

const TYPES: ReadonlySet<string> = new Set(BSON_TYPES);

/** What was read of a collection, and what bounds a search of it. */
interface SearchedPieces extends Pick<ReadPieces, 'indexes' | 'storage'> {
  readonly sample?: Evidence<SampledDocuments>;
  readonly largestDocuments?: Evidence<LargestDocuments>;
}

interface LookUpContext {
  readonly reader: ClusterReader;
  readonly collection: Collection;
  /** `deep` lets a search scan a collection of any size, within the time of one command. */
  readonly bounds: { readonly deep: boolean };
}

type Outcome = Pick<LookUp, 'state' | 'detail'>;

/** Nothing of the document, and so no value. */
const PROJECTION = { _id: 0, found: { $literal: true } };

/** A search that is to be made, and how much of the collection it may scan, in bytes. */
interface Search extends KnownFinding {
  readonly filter: Document;
  readonly scanned: number;
}

/**
 * Searches for the known findings of a collection that its sample does not show: a query for one document each, one after
 * the other, those first that an index serves. All scans of a collection together are bounded as the search for large
 * documents is. The first search that fails is the last.
 */
export async function lookUpKnown(
  known: readonly KnownFinding[],
  pieces: SearchedPieces,
  context: LookUpContext,
): Promise<LookUp[]> {
  const { sample, storage } = pieces;
  if (sample?.present !== true || sample.value.evidence.sample.complete) return [];
  const size = storage?.present === true ? (knownSizes(storage.value)?.size ?? null) : null;
  const searches = searchesFor(known, pieces, sample.value, size);
  let scannable = context.bounds.deep ? Infinity : SEARCHED_COLLECTION_BYTES;
  let failed: Outcome | null = null;
  const lookUps: LookUp[] = [];
  for (const { namespace, fingerprint, filter, scanned } of searches) {
    const isAffordable = context.bounds.deep || scanned <= scannable;
    if (isAffordable) scannable -= scanned;
    const outcome: Outcome = isAffordable ? (failed ?? (await lookUp(filter, context))) : unaffordable(size);
    if (isAffordable && outcome.state === 'unfinished') failed = outcome;
    lookUps.push({ namespace, fingerprint, ...outcome });
  }
  return lookUps;
}

function searchesFor(
  known: readonly KnownFinding[],
  pieces: SearchedPieces,
  sample: SampledDocuments,
  size: number | null,
): Search[] {
  const indexes = pieces.indexes?.present === true ? pieces.indexes.value : [];
  const searches = known.flatMap((finding): Search[] => {
    const { lookFor } = finding;
    const filter = lookUpFilter(lookFor);
    if (filter === null || isShown(lookFor, sample, pieces)) return [];
    const isServed = indexes.some((index) => servesLookUp(index, lookFor));
    return [{ ...finding, filter, scanned: isServed ? 0 : (size ?? Infinity) }];
  });
  return searches.toSorted((one, other) => Math.sign(one.scanned) - Math.sign(other.scanned));
}

/** If what was read shows it and no check reports it, it is no finding any more: then there is nothing to search for. */
function isShown(
  lookFor: LookFor,
  { evidence, sizes }: SampledDocuments,
  { largestDocuments }: SearchedPieces,
): boolean {
  if ('bytes' in lookFor) {
    const largest = largestDocuments?.present === true ? [largestDocuments.value.maximumBytes] : sizes;
    return largest.some((bytes) => bytes >= lookFor.bytes);
  }
  const types: ReadonlySet<string> = new Set(lookFor.types);
  return evidence.profile.paths.some(
    ({ path, types: seen }) => queryPath(path) === lookFor.path && Object.keys(seen).some((type) => types.has(type)),
  );
}

async function lookUp(
  filter: Document,
  { reader, collection: { database, name, namespace }, bounds: { deep } }: LookUpContext,
): Promise<Outcome> {
  const findBounds = { ...(deep ? {} : SHORT_READ), limit: 1, projection: PROJECTION };
  try {
    const cursor = reader.findRaw(database, name, filter, findBounds);
    try {
      return { state: (await cursor.hasNext()) ? 'found' : 'absent' };
    } finally {
      await cursor.close();
    }
  } catch (error) {
    const { detail } = absentBecause(error, `searching ${namespace} for a known finding`, `find on ${namespace}`);
    return { state: 'unfinished', detail };
  }
}

function unaffordable(size: number | null): Outcome {
  const bound = formatBytes(SEARCHED_COLLECTION_BYTES);
  const detail =
    size === null
      ? 'no index serves the search, and this server does not report the bytes of a collection; search with --deep.'
      : `no index serves the search, and the collection holds ${formatBytes(size)}. Without --deep, searches scan ${bound} in total.`;
  return { state: 'unfinished', detail };
}

/** The query that finds a document that shows it; null if no query does. */
export function lookUpFilter(lookFor: LookFor): Document | null {
  if ('bytes' in lookFor) return { $expr: { $gte: [{ $bsonSize: '$$ROOT' }, lookFor.bytes] } };
  const { path, types } = lookFor;
  // A baseline is a file that people merge: what it says becomes a query only if it can be no operator.
  const isSearchable = isQueryable(path) && types.every((type) => TYPES.has(type) && type !== 'array');
  return isSearchable ? { [path]: { $type: [...types] } } : null;
}

/**
 * Whether an index leads to the documents at once: with `$type`, the bounds of a scan are those of the types. A partial one
 * lacks documents, and one with a collation orders strings by other keys.
 */
export function servesLookUp(index: IndexDescription, lookFor: LookFor): boolean {
  if ('bytes' in lookFor) return false;
  const [[path, kind] = []] = Object.entries(index.key);
  return (
    path === lookFor.path &&
    typeof kind === 'number' &&
    isVisible(index) &&
    index.partialFilterExpression === undefined &&
    index.collation === undefined
  );
}
