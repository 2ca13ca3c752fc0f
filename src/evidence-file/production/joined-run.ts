import type { z } from 'zod';
import {
  type ClusterEvidenceName,
  type CollectedTracedEvidence,
  oplogWindowSchema,
  serverSchema,
} from '../../evidence/cluster-evidence.js';
import type { EvidenceGap, EvidenceRun } from '../../evidence/evidence-run.js';
import type { EvidenceName } from '../../evidence/evidence.js';
import { safetySchema } from '../../evidence/safety.js';
import { type EvidencePlan, type KeptCollection, keptEvidence } from '../../evidence/source.js';
import { isOfCluster, isPossibleOn } from '../../evidence/sources.js';
import { inWords, plural } from '../../format.js';
import { LintError } from '../../lint-error.js';
import { databaseOf } from '../../namespace.js';
import { absent, type Absent, type Evidence, present } from '../../presence.js';
import { childrenSchema } from '../../references/children/children.js';
import { referenceIntegritySchema } from '../../references/reference-integrity.js';
import { referencesSchema } from '../../references/references.js';
import { didYouMean } from '../../text/spelling.js';
import { keyText } from '../../workload/shapes/sort-shape.js';
import { renamed } from '../renamed.js';
import { databaseMap, type DatabaseMap } from './database-map.js';
import { inProduction, joinedCollection, wantedPieces } from './joined-collection.js';
import { joinedWorkload, type KeyOf, namesHere } from './joined-workload.js';
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
    `None of these collections is in production's evidence: its databases are ${databasesOf(namespaces)}, those here are ${databasesOf(own)}. Map them with --map FROM=TO, such as --map shop_test=shop.`,
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

interface JoinedScope {
  readonly map: DatabaseMap;
  /** True of a namespace of here that production has too. */
  isInProduction(namespace: string): boolean;
  readonly keyOf: KeyOf;
}

/** That of production about what it has, under the names of here, and that of here about the rest. */
function joinedClusterEvidence(
  here: CollectedTracedEvidence,
  there: CollectedTracedEvidence,
  scope: JoinedScope,
): CollectedTracedEvidence {
  const names = namesHere(scope.map);
  const joined = <Value>(
    own: Evidence<Value> | undefined,
    theirs: Evidence<Value> | undefined,
    schema: z.ZodType,
    join: (own: Value | null, theirs: Value) => Value,
  ): Evidence<Value> | undefined => {
    if (own === undefined) return undefined;
    if (theirs?.present !== true) return inProduction(theirs ?? NOT_IN_FILE);
    const value = renamed(theirs.value, schema, names) ?? theirs.value;
    return present(join(own.present ? own.value : null, value));
  };
  const pieces: { readonly [Name in ClusterEvidenceName]: CollectedTracedEvidence[Name] | undefined } = {
    server: joined(here.server, there.server, serverSchema, (_, theirs) => theirs),
    safety: joined(here.safety, there.safety, safetySchema, (_, theirs) => theirs),
    oplogWindow: joined(here.oplogWindow, there.oplogWindow, oplogWindowSchema.nullable(), (_, theirs) => theirs),
    references: joined(here.references, there.references, referencesSchema, (own, theirs) => ({
      references: joinedItems(own?.references ?? [], theirs.references, 'namespace', scope),
      gaps: joinedGaps(own, theirs),
    })),
    referenceIntegrity: joined(
      here.referenceIntegrity,
      there.referenceIntegrity,
      referenceIntegritySchema,
      (own, theirs) => ({
        references: joinedItems(own?.references ?? [], theirs.references, 'namespace', scope),
        gaps: joinedGaps(own, theirs),
      }),
    ),
    children: joined(here.children, there.children, childrenSchema, (own, theirs) => ({
      families: joinedItems(own?.families ?? [], theirs.families, 'child', scope),
      gaps: joinedGaps(own, theirs),
    })),
    workload: here.workload && joinedWorkload(here.workload, there.workload ?? NOT_IN_FILE, scope.map, scope.keyOf),
  };
  return Object.fromEntries(Object.entries(pieces).filter(([, piece]) => piece !== undefined));
}

const NOT_IN_FILE = absent(
  'insufficient',
  'its evidence file was collected for other checks. Collect it again with the current configuration.',
);

type WithGaps = { readonly gaps: readonly Absent[] };

function joinedGaps(own: WithGaps | null, theirs: WithGaps): readonly Absent[] {
  return [...theirs.gaps.map(inProduction), ...(own?.gaps ?? [])];
}

/** @param about the field that names the collection that an item is about */
function joinedItems<Item extends object>(
  here: readonly Item[],
  there: readonly Item[],
  about: keyof Item,
  { isInProduction }: JoinedScope,
): readonly Item[] {
  return [...there, ...here.filter((item) => !isInProduction(item[about] as string))];
}
