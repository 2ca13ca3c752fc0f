import type { Cluster } from '../connect/connect.js';
import { fromJson, toJson } from '../evidence-file/valid-line.js';
import type { KeptCollection } from '../evidence/source.js';
import type { Inventory } from '../inventory/inventory.js';
import { namespaceFilter, type NamespaceGlobs } from '../inventory/namespace-glob.js';
import { type MappedDatabase, mappedNamespace } from '../inventory/namespace-glob.js';
import { databaseOf } from '../namespace.js';
import { compareTexts } from '../text/compare-texts.js';
import { collectionFacts, type CollectionFacts } from './collection-facts.js';
import { comparedCollection } from './compared-collection.js';
import {
  type Change,
  changedMessage,
  type Comparison,
  type Difference,
  type Drift,
  type DriftSide,
  type NotCompared,
  onlyMessage,
  type SideNames,
  subjectText,
} from './drift.js';

/**
 * Compares two runs, collection by collection. Those of the older one are taken first: what is compared of each is kept, some
 * kilobytes. Those of the newer one are compared as they come, in any order.
 */
export class DriftComparison {
  /** By the namespace in the newer run. As JSON, they take a fraction of the memory. */
  private readonly older = new Map<string, { readonly namespace: string; readonly facts: string }>();
  private readonly runs: Partial<Record<DriftSide, ComparedRunFacts>> = {};
  private readonly parts: Comparison[] = [];
  private readonly onlyNewer: string[] = [];
  private compared = 0;

  /** @param databases names in the older run, and what they are called in the newer one */
  constructor(
    private readonly names: SideNames,
    private readonly databases: readonly MappedDatabase[] = [],
  ) {}

  begin(side: DriftSide, run: ComparedRunFacts): void {
    this.runs[side] = run;
  }

  /** @throws RangeError if two collections of the older run get one name */
  take(side: DriftSide, collected: KeptCollection): void {
    this.takeFacts(side, collected.collection.namespace, collectionFacts(collected));
  }

  /** @throws RangeError as {@link take} */
  takeFacts(side: DriftSide, namespace: string, facts: CollectionFacts): void {
    if (side === 'old') this.keep(namespace, facts);
    else this.compare(namespace, facts);
  }

  /** Names in the older run that none of its collections has, once they were taken. */
  unusedDatabases(): string[] {
    const found = new Set([...this.older.values()].map(({ namespace }) => databaseOf(namespace)));
    return this.databases.map(({ from }) => from).filter((name) => !found.has(name));
  }

  /** What differs, once all collections of both runs were taken. */
  result(): Drift {
    const [older, newer] = [this.run('old'), this.run('new')];
    const inOlder = this.databases.map(({ from, to }) => ({ from: to, to: from }));
    const found = [
      ...comparedClusters(older, newer, this.names),
      ...[...this.older.keys()].map((namespace) =>
        onlyThere('old', { namespace, elsewhere: namespace }, newer, this.names),
      ),
      ...this.onlyNewer.map((namespace) =>
        onlyThere('new', { namespace, elsewhere: mappedNamespace(namespace, inOlder) }, older, this.names),
      ),
      ...this.parts.flat(),
    ].sort(byNamespace);
    return {
      old: this.names.old,
      new: this.names.new,
      compared: this.compared,
      differences: found.filter((each) => 'changes' in each),
      notCompared: found.filter((each) => 'reason' in each),
    };
  }

  private keep(namespace: string, facts: CollectionFacts): void {
    const mapped = mappedNamespace(namespace, this.databases);
    const same = this.older.get(mapped);
    if (same !== undefined) throw new RangeError(`${same.namespace} and ${namespace} would both be ${mapped}`);
    this.older.set(mapped, { namespace, facts: JSON.stringify(toJson(facts)) });
  }

  private compare(namespace: string, newer: CollectionFacts): void {
    const before = this.older.get(namespace);
    if (before === undefined) {
      this.onlyNewer.push(namespace);
      return;
    }
    this.older.delete(namespace);
    this.compared += 1;
    const facts = [fromJson(JSON.parse(before.facts)) as CollectionFacts, newer] as const;
    const isShardingKnown = knowsSharding(this.run('old')) && knowsSharding(this.run('new'));
    this.parts.push(comparedCollection(facts, { namespace, names: this.names, isShardingKnown }));
  }

  private run(side: DriftSide): ComparedRunFacts {
    const run = this.runs[side];
    if (run === undefined) throw new Error(`The ${side} run was not begun.`);
    return run;
  }
}

/** What is of all stands first. Within a namespace, the order stays. */
function byNamespace(one: Comparison[number], other: Comparison[number]): number {
  return compareTexts(one.namespace ?? '', other.namespace ?? '');
}

/**
 * A collection that one run lists and the other does not. It is no difference if the other run was not asked for it, or
 * could not list it.
 *
 * @param elsewhere what it is called in the other run
 */
function onlyThere(
  side: DriftSide,
  { namespace, elsewhere }: { readonly namespace: string; readonly elsewhere: string },
  other: ComparedRunFacts,
  names: SideNames,
): Comparison[number] {
  const missing = side === 'old' ? 'new' : 'old';
  const unlisted = unlistedReason(elsewhere, other);
  if (unlisted !== null) {
    const detail = `${names[missing]}: ${unlisted.detail}`;
    return { subject: 'collection', namespace, name: null, side: missing, reason: unlisted.reason, detail };
  }
  const message = onlyMessage(subjectText('collection', null), side, names);
  return { subject: 'collection', namespace, name: null, in: side, declared: true, changes: [], message };
}

function unlistedReason(
  namespace: string,
  { inventory, globs }: ComparedRunFacts,
): Pick<NotCompared, 'reason' | 'detail'> | null {
  if (!globs.every((each) => namespaceFilter(each)(namespace)))
    return { reason: 'not-asked', detail: 'it was not asked for this collection.' };
  const unlisted = inventory.unlisted.find(
    ({ database }) => database === undefined || namespace.startsWith(`${database}.`),
  );
  return unlisted?.absent ?? null;
}

/** Versions and topologies, and whether it can be compared how collections are sharded. */
function comparedClusters(older: ComparedRunFacts, newer: ComparedRunFacts, names: SideNames): Comparison {
  const [old, after] = [clusterTexts(older), clusterTexts(newer)];
  const changes = (['engine', 'version', 'topology'] as const)
    .filter((what) => old[what] !== after[what])
    .map((what): Change => ({ what, old: old[what], new: after[what] }));
  const message = changedMessage(subjectText('server', null), changes, names);
  const difference: Difference = {
    subject: 'server',
    namespace: null,
    name: null,
    in: 'both',
    declared: false,
    changes,
    message,
  };
  return [
    ...(changes.length === 0 ? [] : [difference]),
    ...unknownSharding('old', older, newer, names),
    ...unknownSharding('new', newer, older, names),
  ];
}

/** True if the run tells which collections are sharded. */
function knowsSharding({ cluster, inventory }: ComparedRunFacts): boolean {
  return cluster.topology === 'sharded' && inventory.shardingUnknown === undefined;
}

function clusterTexts({ cluster: { engine, version, topology } }: ComparedRunFacts) {
  return { engine: engine.name, version: engine.version ?? version, topology };
}

function unknownSharding(
  side: DriftSide,
  run: ComparedRunFacts,
  other: ComparedRunFacts,
  names: SideNames,
): NotCompared[] {
  if (knowsSharding(run) || other.cluster.topology !== 'sharded') return [];
  const { reason, detail } = run.inventory.shardingUnknown ?? {
    reason: 'unsupported' as const,
    detail: 'it is no sharded cluster, so shard keys were not compared.',
  };
  return [{ subject: 'options', namespace: null, name: null, side, reason, detail: `${names[side]}: ${detail}` }];
}

/** One of two runs that are compared, but for its collections. */
export interface ComparedRunFacts {
  readonly cluster: Pick<Cluster, 'engine' | 'version' | 'topology'>;
  readonly inventory: Pick<Inventory, 'unlisted' | 'shardingUnknown'>;
  /** What it was asked for: what all of them let through, by its own names. */
  readonly globs: readonly NamespaceGlobs[];
}
