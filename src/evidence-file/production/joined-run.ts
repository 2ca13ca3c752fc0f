import type { EvidencePlan } from '../../evidence/evidence-plan.js';
import type { EvidenceGap, EvidenceRun } from '../../evidence/evidence-run.js';
import type { EvidenceName } from '../../evidence/evidence.js';
import { keptEvidence } from '../../evidence/kept-evidence.js';
import type { KeptCollection } from '../../evidence/source.js';
import { isOfCluster, isPossibleOn } from '../../evidence/sources.js';
import { inWords, plural } from '../../format.js';
import { LintError } from '../../lint-error.js';
import { databaseOf } from '../../namespace.js';
import { absent, present } from '../../presence.js';
import { didYouMean } from '../../text/spelling.js';
import { keyText } from '../../workload/shapes/hint-text.js';
import { databaseMap, type DatabaseMap } from './database-map.js';
import { joinedClusterEvidence } from './joined-cluster-evidence.js';
import { joinedCollection, wantedPieces } from './joined-collection.js';
import { inProduction } from './joined-collection.js';
import type { KeyOf } from './joined-workload.js';
import type { ProductionEvidence } from './production-evidence.js';

export interface JoinedWith {
  readonly production: ProductionEvidence;
  /** As "shop_test=shop": databases of the run that have another name in production. */
  readonly map: readonly string[];
  readonly plan: EvidencePlan;
}

/**
 * A run whose collections have the schema that they have here, and the sizes, documents and operations of production.
 *
 * @throws LintError if a mapping can't be used; from `ofCollections`, if no collection is in the evidence of production
 */
export function joinedRun(run: EvidenceRun, { production, map: mappings, plan }: JoinedWith): EvidenceRun {
  const map = databaseMap(mappings);
  assertMapped(map, production);
  const here: KeptCollection[] = [];
  const matched = new Set<string>();
  return {
    ...run,
    async ofCollections(take) {
      const taken = await run.ofCollections((collected) => {
        const { collection, evidence } = collected;
        here.push({ collection, evidence: keptEvidence(collection, evidence, plan.kept) });
        const joined = joinedWithProduction(collected, production, map, plan);
        if (joined.collection.production?.present === true && joined.collection.production.value !== null)
          matched.add(collection.namespace);
        return take(joined);
      });
      if (matched.size === 0) throw nothingMatches(here, production);
      return taken;
    },
    async ofCluster() {
      const evidence = await run.ofCluster(here);
      const scope = { map, isInProduction: (namespace: string) => matched.has(namespace), keyOf: keysOf(production) };
      return joinedClusterEvidence(evidence, production.cluster, scope);
    },
    production() {
      const { startedAt, cluster } = production.header;
      return { collectedAt: new Date(startedAt), version: cluster.version, collections: matched.size };
    },
    async end() {
      const end = await run.end();
      return { ...end, gaps: [...end.gaps, ...unjudgedGap(production, map, here)] };
    },
  };
}

function assertMapped({ given }: DatabaseMap, { namespaces }: ProductionEvidence): void {
  const databases = [...new Set(namespaces.map(databaseOf))];
  for (const [here, there] of given) {
    if (databases.includes(there)) continue;
    throw new LintError(
      `map: ${here}=${there}: the evidence of production has no database ${there}${didYouMean(there, databases)}`,
    );
  }
}

function joinedWithProduction(
  collected: KeptCollection,
  production: ProductionEvidence,
  map: DatabaseMap,
  plan: EvidencePlan,
): KeptCollection {
  const { collection } = collected;
  const namespace = map.toProduction(collection.namespace);
  const there = namespace === null ? null : production.collection(namespace);
  if (namespace === null || there === null || there.collection.kind !== collection.kind) {
    const unknown = namespace === null || there !== null ? null : production.unknown(namespace);
    return {
      ...collected,
      collection: { ...collection, production: unknown === null ? present(null) : inProduction(unknown) },
    };
  }
  const sharding = collection.sharding ?? there.collection.sharding;
  const wanted = plan.ofCollection({ ...collection, ...(sharding !== undefined && { sharding }) });
  const names = [...wanted].filter(
    (name): name is EvidenceName => !isOfCluster(name) && name !== 'sample' && name !== 'chunks',
  );
  return joinedCollection(collected, {
    collection: there.collection,
    evidence: wantedPieces(
      there,
      names.filter((name) => isPossibleOn(collection.kind, name)),
    ),
  });
}

function keysOf(production: ProductionEvidence): KeyOf {
  const known = new Map<string, KeptCollection | null>();
  return (namespace, name) => {
    if (!known.has(namespace)) known.set(namespace, production.collection(namespace));
    const indexes = known.get(namespace)?.evidence.indexes;
    const index = indexes?.present === true ? indexes.value.find((each) => each.name === name) : undefined;
    return index === undefined ? null : keyText(index.key);
  };
}

function nothingMatches(here: readonly KeptCollection[], { namespaces }: ProductionEvidence): LintError {
  const own = here.map(({ collection }) => collection.namespace);
  return new LintError(
    `No collection is in the evidence of production: its databases are ${databasesOf(namespaces)}, those here are ${databasesOf(own)}. Name a database's counterpart with --map FROM=TO, such as --map shop_test=shop.`,
  );
}

function databasesOf(namespaces: readonly string[]): string {
  return inWords([...new Set(namespaces.map(databaseOf))].slice(0, MOST_NAMED));
}

const MOST_NAMED = 5;

/** Collections of production that are not here, if its operations read them: these operations were not judged. */
function unjudgedGap(production: ProductionEvidence, map: DatabaseMap, here: readonly KeptCollection[]): EvidenceGap[] {
  const { workload } = production.cluster;
  if (workload?.present !== true) return [];
  const databases = new Set(here.map(({ collection }) => collection.database));
  const known = new Set(here.map(({ collection }) => collection.namespace));
  const read = new Set(workload.value.tracedOperations.map(({ base }) => base));
  const missing = production.namespaces.filter((namespace) => {
    const name = map.toHere(namespace);
    return name !== null && databases.has(databaseOf(name)) && !known.has(name) && read.has(namespace);
  });
  if (missing.length === 0) return [];
  const named = missing.slice(0, MOST_NAMED);
  const more = missing.length - named.length;
  const names = inWords(more > 0 ? [...named, `${more} more`] : named);
  const detail = `production has operations on ${plural(missing.length, 'collection')} that this database does not have, or that --include and --exclude leave out: ${names}. They were not judged.`;
  return [{ name: 'workload', gap: absent('insufficient', detail) }];
}
