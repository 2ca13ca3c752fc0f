import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Connection } from '../connect/connect.js';
import type { CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import {
  beginClusterEvidence,
  type ClusterReadingContext,
  collectRestingEvidence,
  evidenceOf,
  readCollection,
  type ReadingContext,
  withAwaitedPieces,
} from '../evidence/collect-cluster-evidence.js';
import {
  type BegunPieces,
  type CollectedPieces,
  type EvidenceBounds,
  type EvidencePlan,
  GroupedReads,
  type KeptCollection,
  type PieceName,
} from '../evidence/source.js';
import { connectionLoss, runEnd, type Unreached, unreachedPieces } from '../evidence/sources.js';
import type { KnownFinding, LookUp } from '../finding/look-for.js';
import { groupedBy } from '../grouped-by.js';
import type { GrowthRun } from '../growth/growth-run.js';
import type { Collection } from '../inventory/collection.js';
import { type Inventory, takeInventory } from '../inventory/inventory.js';
import { namedDatabases, namespaceFilter } from '../inventory/namespace-glob.js';
import type { SampledDocuments } from '../profile/sample.js';
import { lookUpKnown } from '../references/look-ups/look-up-known.js';
import type { LineOf } from '../workload/operations/execution.js';
import { assertGlobsMatch, type WantedGlobs } from './wanted-collections.js';

/** Collections that are held, for each that is read at the time: whatever they weigh, and if they are light. */
export const FEWEST_HELD_PER_READ = 4;

export const MOST_HELD_PER_READ = 12;

/** From so many bytes on, no more than the fewest are held. */
export const MOST_HELD_BYTES = 16 * 1024 * 1024;

/** Measured on profiles of 40 to 3,000 paths, 300 documents each: 0.6 to 2 KB a path, 20 to 40 bytes a length. */
const BYTES_PER_PATH = 1_000;

const BYTES_PER_LENGTH = 40;

export interface CollectOptions extends WantedGlobs {
  readonly plan: EvidencePlan;
  readonly bounds: EvidenceBounds;
  /** Collections under way at once. */
  readonly concurrency: number;
  /** Paths of mongod logs to read. */
  readonly logFiles: readonly string[];
  /** Operations recorded before are left out, in ms since 1970; null for all. */
  readonly since: number | null;
  /** Absent without source. */
  readonly lineOf?: Promise<LineOf | undefined> | undefined;
  /** Known findings to search for if the samples do not show them. */
  readonly known: readonly KnownFinding[];
  /** Hears of each collection when its reading begins. */
  readonly onReading?: ((namespace: string) => void) | undefined;
  /** True for the collections to read, among those that the globs leave. */
  readonly isRead: (namespace: string) => boolean;
  /** True for those of them that are judged. */
  readonly isOwn: (namespace: string) => boolean;
}

/** A run under way: its inventory is known, and the evidence of the cluster has been begun. */
export interface Collecting {
  readonly inventory: Inventory;
  readonly begun: BegunPieces;
  readonly options: CollectOptions;
  readonly ofCluster: ClusterReadingContext;
  readonly ofCollection: Omit<ReadingContext, 'collection'>;
}

/** The pieces of a collection, and what became of its known findings that they do not show. */
interface ReadCollection {
  readonly pieces: CollectedPieces;
  readonly lookUps: readonly LookUp[];
}

/**
 * Takes the inventory and begins to collect the evidence of the cluster.
 *
 * @throws LintError if the globs leave nothing to collect from
 */
export async function beginCollecting(
  { reader, cluster }: Connection,
  growth: GrowthRun,
  options: CollectOptions,
): Promise<Collecting> {
  const { plan, bounds, concurrency, logFiles, since, lineOf } = options;
  const inventory = wantedInventory({ reader, cluster }, options);
  const { showValues } = bounds;
  const ofCluster = { reader, cluster, inventory, logFiles, since, concurrency, showValues, lineOf };
  // Not after the inventory: reading the oplog takes a while, in which other things can be done.
  const begun = beginClusterEvidence(ofCluster, plan.ofCluster);
  const { collections, shardingUnknown } = await inventory;
  const grouped = new GroupedReads(reader, bounds.sample, {
    collections,
    isShardingUnknown: shardingUnknown !== undefined,
    wanted: plan.ofCollection,
  });
  const ofCollection: Collecting['ofCollection'] = {
    reader,
    bounds,
    growth,
    grouped,
    ofCluster: (name) => begun[name],
  };
  return { inventory: await inventory, begun, options, ofCluster, ofCollection };
}

async function wantedInventory(
  { reader, cluster }: Pick<Connection, 'reader' | 'cluster'>,
  options: CollectOptions,
): Promise<Inventory> {
  const { include = [], exclude = [], concurrency } = options;
  const filter = namespaceFilter({ include, exclude });
  const inventory = await takeInventory(reader, filter, concurrency, cluster, namedDatabases(include));
  assertGlobsMatch(inventory, options);
  return { ...inventory, collections: inventory.collections.filter(({ namespace }) => options.isRead(namespace)) };
}

/**
 * Hands on the evidence of each collection at once, so that only a few profiles are held.
 *
 * @throws LintError if a log file can't be opened
 */
export async function collectCollections<Result>(
  { inventory, begun, options, ofCollection }: Collecting,
  take: (collected: KeptCollection) => Result | Promise<Result>,
): Promise<Result[]> {
  const { concurrency, plan, isOwn } = options;
  const ofOwn = options.known.filter(({ namespace }) => isOwn(namespace));
  const known = groupedBy(ofOwn, ({ namespace }) => namespace);
  const limit = pLimit(concurrency);
  const held = new HeldCollections(concurrency);
  let unreached: Unreached | null = null;
  const readIfReached = async (
    context: ReadingContext,
    wanted: ReadonlySet<PieceName>,
  ): Promise<ReadCollection | Unreached> => {
    unreached ??= runEnd(context.reader);
    if (unreached !== null) return unreached;
    options.onReading?.(context.collection.namespace);
    const pieces = await readCollection(context, wanted);
    context.grouped.finish(context.collection);
    unreached ??= connectionLoss(pieces);
    const searched = known.get(context.collection.namespace) ?? [];
    return { pieces, lookUps: unreached === null ? await lookUpKnown(searched, pieces, context) : [] };
  };
  const collect = async (collection: Collection): Promise<Result> => {
    const context = { ...ofCollection, collection };
    const planned = plan.ofCollection(collection);
    const wanted = isOwn(collection.namespace) ? withRecordedGrowth(planned, ofCollection.growth) : planned;
    const read = await limit(readIfReached, context, wanted);
    const pieces =
      typeof read === 'function'
        ? unreachedPieces(collection, wanted, read)
        : await held.whileHeld(sampledOf(read.pieces), withAwaitedPieces(context, read.pieces, wanted));
    const lookUps = typeof read === 'function' ? [] : read.lookUps;
    const taken = await take({ collection, evidence: evidenceOf(pieces), ...(lookUps.length > 0 && { lookUps }) });
    // For signals.
    await setImmediate();
    return taken;
  };
  const collected = Promise.all(inventory.collections.map((collection) => held.collect(() => collect(collection))));
  // What fails for the cluster ends the run at once.
  await Promise.all([collected, ...Object.values(begun)]);
  return collected;
}

function sampledOf({ sample }: CollectedPieces): SampledDocuments | null {
  return sample?.present === true ? sample.value : null;
}

/** A run with a history records the growth of all that is sampled, whether or not a check judges it. */
function withRecordedGrowth(wanted: ReadonlySet<PieceName>, growth: GrowthRun): ReadonlySet<PieceName> {
  return growth.isRecorded && wanted.has('sample') ? new Set([...wanted, 'growth']) : wanted;
}

/** Collects the evidence of the cluster that rests on its collections, and waits for the rest. */
export function collectCluster(
  { begun, options, ofCluster }: Collecting,
  kept: readonly KeptCollection[],
): Promise<CollectedTracedEvidence> {
  return collectRestingEvidence(ofCluster, begun, options.plan.ofCluster, kept);
}

/**
 * Lets collections that were read wait for what all share, such as the oplog, while others are read: the lighter their
 * profiles, the more of them.
 */
export class HeldCollections {
  private readonly limit: ReturnType<typeof pLimit>;
  private held = 0;
  private bytes = 0;

  /** @param concurrency collections that are read at once */
  constructor(private readonly concurrency: number) {
    this.limit = pLimit(FEWEST_HELD_PER_READ * concurrency);
  }

  /** Collects from a collection as soon as there is room. */
  collect<Result>(collect: () => Promise<Result>): Promise<Result> {
    return this.limit(collect);
  }

  /** Counts what was sampled until what is waited for is there. */
  async whileHeld<Result>(sampled: SampledDocuments | null, waitedFor: Promise<Result>): Promise<Result> {
    const bytes = sampled === null ? 0 : bytesOf(sampled);
    this.weigh(1, bytes);
    try {
      return await waitedFor;
    } finally {
      this.weigh(-1, -bytes);
    }
  }

  private weigh(collections: number, bytes: number): void {
    this.held += collections;
    this.bytes += bytes;
    const { concurrency } = this;
    const fewest = FEWEST_HELD_PER_READ * concurrency;
    const light = Math.min(MOST_HELD_PER_READ * concurrency, this.held + concurrency);
    const atOnce = this.bytes < MOST_HELD_BYTES ? Math.max(fewest, light) : fewest;
    if (this.limit.concurrency !== atOnce) this.limit.concurrency = atOnce;
  }
}

function bytesOf({ evidence, growth }: SampledDocuments): number {
  let lengths = 0;
  for (const series of growth.lengths.values()) lengths += series.lengths.length;
  return BYTES_PER_PATH * evidence.profile.paths.length + BYTES_PER_LENGTH * lengths;
}
