import type { CollectionKind } from '../inventory/collection.js';
import type { ClusterEvidenceName } from './cluster-evidence.js';
import { CLUSTER_SOURCES } from './cluster-sources.js';
import { COLLECTION_SOURCES } from './collection-sources.js';
import type { EvidenceName } from './evidence.js';
import type {
  AnyClusterSource,
  AnyCollectionSource,
  ClusterPieceName,
  CollectionPieceName,
  PieceName,
} from './source.js';

type AnySource = AnyCollectionSource | AnyClusterSource;

const SOURCES: readonly AnySource[] = [...COLLECTION_SOURCES, ...CLUSTER_SOURCES];
const BY_NAME: ReadonlyMap<string, AnySource> = new Map(SOURCES.map((source) => [source.name, source]));

/** The names of all evidence that checks can need. */
export const EVIDENCE_NAMES = COLLECTION_SOURCES.filter(isEvidence).map(nameOf) as EvidenceName[];
export const CLUSTER_EVIDENCE_NAMES = CLUSTER_SOURCES.filter(isEvidence).map(nameOf) as ClusterEvidenceName[];

export function sourceOf(name: PieceName): AnySource {
  const source = BY_NAME.get(name);
  if (source === undefined) throw new Error(`There is no source of "${name}".`);
  return source;
}

/** These pieces and everything that they rest on. */
export function withFoundations(names: Iterable<PieceName>): ReadonlySet<PieceName> {
  const all = new Set<PieceName>();
  const add = (name: PieceName): void => {
    if (all.has(name)) return;
    sourceOf(name).restsOn.forEach(add);
    all.add(name);
  };
  for (const name of names) add(name);
  return all;
}

/** For each piece, what is read for it and for all that it rests on. */
const READ_FOR: ReadonlyMap<PieceName, readonly PieceName[]> = new Map(
  SOURCES.map(({ name }) => [name, [...withFoundations([name])].filter(isRead)]),
);

/** Those of the pieces that cost no read if these are collected: they are derived from them. */
export function derivedFrom(collected: ReadonlySet<PieceName>, names: readonly PieceName[]): readonly PieceName[] {
  return names.filter((name) => READ_FOR.get(name)?.every((each) => collected.has(each)));
}

function isRead(name: PieceName): boolean {
  return sourceOf(name).privileges.length > 0;
}

/** The pieces of single collections that the evidence of the cluster rests on, and that are kept until it is collected. */
export function foundationsInCollections(names: Iterable<PieceName>): readonly EvidenceName[] {
  const foundations = [...names].filter(isOfCluster).flatMap((name) => sourceOf(name).restsOn);
  return foundations.filter((name): name is EvidenceName => !isOfCluster(name));
}

/** True if a collection of this kind can have it. */
export function isPossibleOn(kind: CollectionKind, name: EvidenceName): boolean {
  const source = sourceOf(name);
  return 'possibleOn' in source && source.possibleOn.includes(kind);
}

export function isOfCluster(name: PieceName): name is ClusterPieceName {
  return !('possibleOn' in sourceOf(name));
}

/** True of what a collection waits for until the cluster has it. */
export function waitsForCluster(name: CollectionPieceName): boolean {
  return sourceOf(name).restsOn.some(isOfCluster);
}

/** Evidence has a schema; what it is made from stays within the run. */
export function isEvidence(source: AnySource): boolean {
  return source.schema !== undefined;
}

function nameOf({ name }: AnySource): PieceName {
  return name;
}
