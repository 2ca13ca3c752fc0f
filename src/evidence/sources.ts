import { MongoServerSelectionError } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection, CollectionKind } from '../inventory/collection.js';
import { absent, type Absent } from '../presence.js';
import type { ClusterEvidenceName } from './cluster-evidence.js';
import { CLUSTER_SOURCES } from './cluster-sources.js';
import { COLLECTION_SOURCES } from './collection-sources.js';
import type { EvidenceName } from './evidence.js';
import {
  type AnyClusterSource,
  type AnyCollectionSource,
  CLUSTER,
  type ClusterPieceName,
  type CollectedPieces,
  type CollectionPieceName,
  DATA,
  type NeededPrivilege,
  type PieceName,
  type Privilege,
  type Resource,
} from './source.js';

/** The privileges that evidence rests on. */
export interface NeededPrivileges {
  readonly always: readonly Privilege[];
  /** Granted one by one on servers that know them; without them the checks judge by other evidence. */
  readonly whereKnown: readonly Privilege[];
}

/** Names of evidence that are needed together. */
export interface NeededEvidence {
  readonly ofCollections: readonly EvidenceName[];
  readonly ofCluster: readonly ClusterEvidenceName[];
}

/** Why nothing more can be read of the server, as evidence that is absent. `reading` is a noun phrase: "reading shop.orders". */
export type Unreached = (reading: string) => Absent;

type AnySource = AnyCollectionSource | AnyClusterSource;

const SOURCES: readonly AnySource[] = [...COLLECTION_SOURCES, ...CLUSTER_SOURCES];

const BY_NAME: ReadonlyMap<string, AnySource> = new Map(SOURCES.map((source) => [source.name, source]));

/** The names of all evidence that checks can need. */
export const EVIDENCE_NAMES = COLLECTION_SOURCES.filter(isEvidence).map(nameOf) as EvidenceName[];

export const CLUSTER_EVIDENCE_NAMES = CLUSTER_SOURCES.filter(isEvidence).map(nameOf) as ClusterEvidenceName[];

function sourceOf(name: PieceName): AnySource {
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

/** Those that cost reads of their own; the others are made from them. */
export function piecesRead(names: ReadonlySet<PieceName>): readonly PieceName[] {
  return [...names].filter(isRead);
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

const LOSS_TEXTS = {
  connection: 'the connection to the server was lost before; run again when it is back.',
  authentication: 'the server no longer accepted the user; check it and its password, and run again.',
} as const;

/** Each further command would wait `--timeout` for a server again, as the driver did, or try the credentials again. */
export function connectionLoss(pieces: CollectedPieces): Unreached | null {
  const missing = Object.values(pieces).filter((piece): piece is Absent => !piece.present);
  if (missing.some(({ error }) => error instanceof MongoServerSelectionError)) return lost('connection');
  return missing.some(({ reason }) => reason === 'authentication') ? lost('authentication') : null;
}

function lost(loss: keyof typeof LOSS_TEXTS): Unreached {
  return (reading) => absent(loss, `${reading}: ${LOSS_TEXTS[loss]}`);
}

/** Each further command would fail, at a price that thousands of collections make large. */
export function runEnd({ end }: ClusterReader): Unreached | null {
  return end && ((reading) => absentBecause(end, reading, ''));
}

/** The pieces of a collection that was not reached before. */
export function unreachedPieces(
  { namespace }: Collection,
  wanted: ReadonlySet<PieceName>,
  unreached: Unreached,
): CollectedPieces {
  const piece = unreached(`reading ${namespace}`);
  return Object.fromEntries([...wanted].filter((name) => !isOfCluster(name)).map((name) => [name, piece]));
}

/** For the inventory: which databases and collections there are. */
const INVENTORY: readonly NeededPrivilege[] = [
  { resource: CLUSTER, actions: ['listDatabases'] },
  { resource: DATA, actions: ['listCollections'] },
];

/** The fewest that reading this evidence needs, and what it rests on; the actions on one resource put together and sorted. */
export function privilegesOf({ ofCollections, ofCluster }: NeededEvidence): NeededPrivileges {
  const names = withFoundations([...ofCollections, ...ofCluster]);
  const needed = [...INVENTORY, ...[...names].flatMap((name) => sourceOf(name).privileges)];
  return {
    always: byResource(needed.filter(({ newerServersOnly }) => newerServersOnly !== true)),
    whereKnown: byResource(needed.filter(({ newerServersOnly }) => newerServersOnly === true)),
  };
}

function byResource(privileges: readonly Privilege[]): Privilege[] {
  const alike = groupedBy(privileges, ({ resource }) => JSON.stringify(resource));
  return [...alike].map(([resource, of]) => ({
    resource: JSON.parse(resource) as Resource,
    actions: [...new Set(of.flatMap(({ actions }) => actions))].sort(),
  }));
}
