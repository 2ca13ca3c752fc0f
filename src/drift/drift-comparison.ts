import { compareTexts } from '../compare-texts.js';
import { fromJson, toJson } from '../evidence-file/plain-data.js';
import type { KeptCollection } from '../evidence/source.js';
import { databaseOf } from '../namespace.js';
import { mappedNamespace, type MappedDatabase } from '../inventory/mapped-namespace.js';
import { collectionFacts, type CollectionFacts } from './collection-facts.js';
import { comparedClusters, knowsSharding } from './compared-clusters.js';
import { comparedCollection, type Comparison } from './compared-collection.js';
import type { ComparedRunFacts } from './compared-run-facts.js';
import type { SideNames } from './difference-message.js';
import type { Drift, DriftSide } from './drift-schema.js';
import { onlyThere } from './only-there.js';

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
    if (side === 'old') this.keep(collected);
    else this.compare(collected);
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
    const parts = [
      comparedClusters(older, newer, this.names),
      ...[...this.older.keys()].map((namespace) =>
        onlyThere('old', { namespace, elsewhere: namespace }, newer, this.names),
      ),
      ...this.onlyNewer.map((namespace) =>
        onlyThere('new', { namespace, elsewhere: mappedNamespace(namespace, inOlder) }, older, this.names),
      ),
      ...this.parts,
    ];
    return {
      ...this.names,
      compared: this.compared,
      differences: parts.flatMap(({ differences }) => differences).sort(byNamespace),
      notCompared: parts.flatMap(({ notCompared }) => notCompared).sort(byNamespace),
    };
  }

  private keep(collected: KeptCollection): void {
    const { namespace } = collected.collection;
    const mapped = mappedNamespace(namespace, this.databases);
    const same = this.older.get(mapped);
    if (same !== undefined) throw new RangeError(`${same.namespace} and ${namespace} would both be ${mapped}`);
    this.older.set(mapped, { namespace, facts: JSON.stringify(toJson(collectionFacts(collected))) });
  }

  private compare(collected: KeptCollection): void {
    const { namespace } = collected.collection;
    const before = this.older.get(namespace);
    if (before === undefined) {
      this.onlyNewer.push(namespace);
      return;
    }
    this.older.delete(namespace);
    this.compared += 1;
    const facts = [fromJson(JSON.parse(before.facts)) as CollectionFacts, collectionFacts(collected)] as const;
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
function byNamespace(one: { readonly namespace: string | null }, other: { readonly namespace: string | null }): number {
  return compareTexts(one.namespace ?? '', other.namespace ?? '');
}
