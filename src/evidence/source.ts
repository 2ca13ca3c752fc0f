import type { z } from 'zod';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import type { LookUp } from '../finding/look-for.js';
import type { GrowthRun } from '../growth/growth-run.js';
import type { OplogSample } from '../growth/oplog.js';
import type { Collection, CollectionKind } from '../inventory/collection.js';
import { CollectionGroups, type GroupedRun, GroupedStatistics } from '../inventory/groups/grouped-statistics.js';
import type { Inventory } from '../inventory/inventory.js';
import { absent, type Evidence } from '../presence.js';
import { GroupedDocuments } from '../profile/grouped-documents.js';
import type { SampledDocuments } from '../profile/sample.js';
import type { SampleBounds } from '../profile/sampling/sample-plan.js';
import type { LineOf } from '../workload/operations/execution.js';
import type { CollectionReads } from '../workload/reads/collection-reads.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import type { ClusterEvidence } from './cluster-evidence.js';
import type { CollectionEvidence, EvidenceName } from './evidence.js';
import type { ReadChunks } from './sharding/chunks.js';

/** Which evidence a run collects. */
export interface EvidencePlan {
  /** The pieces of one collection, with everything that they rest on. */
  ofCollection(collection: Collection): ReadonlySet<PieceName>;
  readonly ofCluster: ReadonlySet<PieceName>;
  /** What is kept of each collection until the cluster is judged. */
  readonly kept: ReadonlySet<EvidenceName>;
}

/**
 * What an action is allowed on. An empty name stands for all; system collections and the databases `config` and `local` are
 * not among them.
 */
export type Resource = { readonly cluster: true } | { readonly db: string; readonly collection: string };

/** A privilege as `createRole` takes it. */
export interface Privilege {
  readonly resource: Resource;
  readonly actions: readonly string[];
}

/** A privilege that a source of evidence needs. */
export interface NeededPrivilege extends Privilege {
  /** True if older servers do not know the action, and refuse to create a role with it. */
  readonly newerServersOnly?: true;
}

export const CLUSTER: Resource = { cluster: true };

export const DATA: Resource = { db: '', collection: '' };

export const FIND_DOCUMENTS: NeededPrivilege = { resource: DATA, actions: ['find'] };

/** What a run reads of many collections in one command. */
export class GroupedReads {
  readonly #groups: CollectionGroups;
  readonly statistics: GroupedStatistics;
  readonly documents: GroupedDocuments;

  constructor(reader: ClusterReader, bounds: SampleBounds, run: GroupedRun) {
    this.#groups = new CollectionGroups(reader.capabilities, run);
    this.statistics = new GroupedStatistics(this.#groups);
    this.documents = new GroupedDocuments(reader, this.#groups, this.statistics, bounds);
  }

  /** Forgets what was read of a group once all of its collections were read. */
  finish(collection: Collection): void {
    const group = this.#groups.finish(collection);
    if (group === null) return;
    this.statistics.forget(group);
    this.documents.forget(group);
  }
}

/** What sources give of one collection: the evidence that checks can need, and what such evidence is made from. */
export interface CollectionPieces extends CollectionEvidence {
  /** The sampled documents' profile, sizes and lengths of arrays. */
  readonly sample: SampledDocuments;
  /** How chunks are spread, and the bounds of the outermost ones, which are document values. */
  readonly chunks: ReadChunks;
}

/** What sources give of the whole cluster. */
export interface ClusterPieces extends ClusterEvidence {
  readonly oplog: OplogSample;
  /** The workload with its joins traced: what checks get in its place. */
  readonly tracedWorkload: TracedWorkload;
  /** By namespace. */
  readonly readsByCollection: ReadonlyMap<string, CollectionReads>;
}

export type CollectionPieceName = keyof CollectionPieces;

export type ClusterPieceName = keyof ClusterPieces;

export type PieceName = CollectionPieceName | ClusterPieceName;

/** Pieces of one collection, each present, or absent with a reason. */
export type CollectedPieces = { readonly [Name in CollectionPieceName]?: Evidence<CollectionPieces[Name]> };

/** Pieces of the cluster that are being collected, or are there already. */
export type BegunPieces = { readonly [Name in ClusterPieceName]?: Promise<Evidence<ClusterPieces[Name]>> };

/** What collecting may cost, and how far it goes. */
export interface EvidenceBounds {
  readonly sample: SampleBounds;
  /** Search for large documents in collections of any size. */
  readonly deep: boolean;
  /** Keep `_id`s of the documents that findings are about. */
  readonly showValues: boolean;
}

/** Where evidence comes from. */
interface Source<Name extends PieceName, Piece, Context> {
  readonly name: Name;
  /** What it is made from: collected whenever this is, and before it. */
  readonly restsOn: readonly PieceName[];
  /** What its own commands need; none if it is derived from what it rests on. */
  readonly privileges: readonly NeededPrivilege[];
  collect(context: Context): Promise<Evidence<Piece>> | Evidence<Piece>;
  /** The plain data that it gives; absent of a piece that no check can need. */
  readonly schema?: z.ZodType<Piece>;
}

/** A source of evidence of each collection. */
export interface CollectionSource<Name extends CollectionPieceName> extends Source<
  Name,
  CollectionPieces[Name],
  CollectionContext
> {
  /** The kinds of collection that can have it: a view stores nothing, and the server arranges a time-series collection. */
  readonly possibleOn: readonly CollectionKind[];
}

/** What a source of a collection has to work with. */
export interface CollectionContext {
  readonly reader: ClusterReader;
  readonly collection: Collection;
  readonly bounds: EvidenceBounds;
  readonly growth: GrowthRun;
  /** What is read of many collections in one command. */
  readonly grouped: GroupedReads;
  /** A piece that the source rests on. */
  of<Name extends CollectionPieceName>(name: Name): Evidence<CollectionPieces[Name]>;
  /** A piece of the cluster that it rests on; undefined if the run does not collect it. */
  ofCluster<Name extends ClusterPieceName>(name: Name): BegunPieces[Name];
}

/** A source of evidence of the whole cluster. */
export type ClusterSource<Name extends ClusterPieceName> = Source<Name, ClusterPieces[Name], ClusterContext>;

/** What a source of the cluster has to work with. */
export interface ClusterContext {
  readonly reader: ClusterReader;
  readonly cluster: Cluster;
  readonly inventory: Promise<Inventory>;
  /** Paths of mongod logs to read. */
  readonly logFiles: readonly string[];
  /** Operations recorded before are left out, in ms since 1970; null for all. */
  readonly since: number | null;
  /** Reads under way at once. */
  readonly concurrency: number;
  readonly showValues: boolean;
  /** Absent without source. */
  readonly lineOf?: Promise<LineOf | undefined> | undefined;
  /** The linted collections with the evidence that is kept of them; empty for a source that rests on no collection's evidence. */
  readonly collections: readonly KeptCollection[];
  /** A piece that the source rests on. */
  of<Name extends ClusterPieceName>(name: Name): Promise<Evidence<ClusterPieces[Name]>>;
}

/** The evidence of one collection that was asked for: each piece present, or absent with a reason. */
export type CollectedEvidence = { readonly [Name in keyof CollectionEvidence]?: Evidence<CollectionEvidence[Name]> };

/** A collection with the evidence that is kept for the whole cluster. */
export interface KeptCollection {
  readonly collection: Collection;
  readonly evidence: CollectedEvidence;
  /** What became of its known findings that the sample does not show. Absent if none were searched for. */
  readonly lookUps?: readonly LookUp[];
}

export type AnyCollectionSource = { [Name in CollectionPieceName]: CollectionSource<Name> }[CollectionPieceName];

export type AnyClusterSource = { [Name in ClusterPieceName]: ClusterSource<Name> }[ClusterPieceName];

export function findOn(db: string, collection: string): NeededPrivilege {
  return { resource: { db, collection }, actions: ['find'] };
}

/** The pieces that are kept for checks of the whole cluster; what this kind of collection cannot have is absent. */
export function keptEvidence(
  { namespace, kind }: Collection,
  evidence: CollectedEvidence,
  wanted: ReadonlySet<EvidenceName>,
): CollectedEvidence {
  const impossible = absent('unsupported', `${namespace} is a ${kind === 'view' ? 'view' : 'time-series collection'}.`);
  return Object.fromEntries([...wanted].map((name) => [name, evidence[name] ?? impossible]));
}
