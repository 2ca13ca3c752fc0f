import type { CollectedTracedEvidence } from '../../evidence/cluster-evidence.js';
import { databaseOf } from '../../namespace.js';
import { mapValues, ownValue } from '../../plain.js';
import { absent, type Absent, type Evidence, present } from '../../presence.js';
import type { ComparedReference } from '../../references/reference-integrity.js';
import type { Transactions } from '../../workload/operations/transaction-tally.js';
import { operationKey } from '../../workload/shapes/operation-shape.js';
import { isObjectShape, type PipelineShape, type Shape } from '../../workload/shapes/shape.js';
import { mergeViews } from '../../workload/sources/views.js';
import { type TracedWorkload, traceWorkload } from '../../workload/traced-workload.js';
import {
  FIGURE_SOURCES,
  type Operation,
  type ResolvedView,
  type Workload,
  type WorkloadSource,
} from '../../workload/workload.js';
import type { DatabaseMap } from './database-map.js';
import { inProduction } from './joined-collection.js';

/** Arguments that name a collection, by stage. That of `$out` is the stage itself. */
const NAMING: Readonly<Record<string, string>> = {
  $lookup: 'from',
  $graphLookup: 'from',
  $unionWith: 'coll',
  $merge: 'into',
};

interface JoinedScope {
  readonly map: DatabaseMap;
  /** True of a namespace of here that production has too. */
  isInProduction(namespace: string): boolean;
}

/** That of production about what it has, under the names of here, and that of here about the rest. */
export function joinedClusterEvidence(
  here: CollectedTracedEvidence,
  there: CollectedTracedEvidence,
  scope: JoinedScope,
): CollectedTracedEvidence {
  const joined = <Value>(
    own: Evidence<Value> | undefined,
    theirs: Evidence<Value> | undefined,
    join: (own: Value | null, theirs: Value) => Value,
  ): Evidence<Value> | undefined => {
    if (own === undefined) return undefined;
    if (theirs?.present !== true) return inProduction(theirs ?? NOT_IN_FILE);
    return present(join(own.present ? own.value : null, theirs.value));
  };
  const pieces = {
    server: joined(here.server, there.server, (_, theirs) => theirs),
    oplogWindow: joined(here.oplogWindow, there.oplogWindow, (_, theirs) => theirs),
    references: joined(here.references, there.references, (own, theirs) => ({
      references: joinedItems(own?.references ?? [], theirs.references, ['namespace', 'target'], scope),
      gaps: joinedGaps(own, theirs),
    })),
    referenceIntegrity: joined(here.referenceIntegrity, there.referenceIntegrity, (own, theirs) => ({
      references: joinedItems(
        own?.references ?? [],
        theirs.references.map((each) => ({ ...each, furtherTargets: targetsHere(each, scope) })),
        ['namespace', 'target'],
        scope,
      ),
      gaps: joinedGaps(own, theirs),
    })),
    children: joined(here.children, there.children, (own, theirs) => ({
      families: joinedItems(own?.families ?? [], theirs.families, ['child', 'parent'], scope),
      gaps: joinedGaps(own, theirs),
    })),
    workload:
      here.workload === undefined ? undefined : joinedWorkload(here.workload, there.workload ?? NOT_IN_FILE, scope.map),
  };
  return Object.fromEntries(Object.entries(pieces).filter(([, piece]) => piece !== undefined));
}

const NOT_IN_FILE = absent(
  'insufficient',
  'its evidence file was collected for other checks. Collect it again with the present configuration.',
);

function targetsHere({ furtherTargets }: ComparedReference, { map }: JoinedScope): readonly string[] {
  return furtherTargets.flatMap((namespace) => map.toHere(namespace) ?? []);
}

type WithGaps = { readonly gaps: readonly Absent[] };

function joinedGaps(own: WithGaps | null, theirs: WithGaps): readonly Absent[] {
  return [...theirs.gaps.map(inProduction), ...(own?.gaps ?? [])];
}

/** @param names the fields that name collections, the one that an item is about first */
function joinedItems<Item extends object>(
  here: readonly Item[],
  there: readonly Item[],
  names: readonly [keyof Item, keyof Item],
  { map, isInProduction }: JoinedScope,
): readonly Item[] {
  const renamed = there.flatMap((item): Item[] => {
    const given = names.map((name) => [name, map.toHere(item[name] as string)] as const);
    return given.some(([, namespace]) => namespace === null) ? [] : [{ ...item, ...Object.fromEntries(given) }];
  });
  return [...renamed, ...here.filter((item) => !isInProduction(item[names[0]] as string))];
}

/** The operations of production, and those recorded here of which production does not report how it runs them. */
export function joinedWorkload(
  here: Evidence<TracedWorkload>,
  there: Evidence<TracedWorkload>,
  map: DatabaseMap,
): Evidence<TracedWorkload> {
  if (!there.present) return here.present ? present(traceWorkload(withGap(here.value, there))) : there;
  const toHere = (namespace: string) => map.toHere(namespace);
  const operations = there.value.operations.flatMap((operation) => renamedOperation(operation, toHere) ?? []);
  const { transactions } = there.value;
  const views = there.value.views.flatMap((view) => renamedView(view, toHere) ?? []);
  const sources = Object.fromEntries(
    FIGURE_SOURCES.map((source) => [source, ofProduction(renamedSource(there.value.sources[source], toHere))]),
  ) as unknown as Workload['sources'];
  return present(
    traceWorkload({
      operations: [...operations, ...(here.present ? recordedHereAlone(here.value.operations, operations) : [])],
      views: here.present ? mergeViews(here.value.views, views) : views,
      sources,
      counters: there.value.counters,
      ...(transactions !== undefined && { transactions: renamedTransactions(transactions, toHere) }),
      ...(here.present && { sourcesHere: here.value.sources }),
    }),
  );
}

function renamedTransactions(all: readonly Transactions[], toHere: DatabaseMap['toHere']): Transactions[] {
  return all.flatMap((each): Transactions[] => {
    const namespace = each.namespace === null ? null : toHere(each.namespace);
    if (namespace === null && each.namespace !== null) return [];
    return [{ ...each, namespace, others: each.others.flatMap((other) => toHere(other) ?? []) }];
  });
}

function recordedHereAlone(here: readonly Operation[], there: readonly Operation[]): Operation[] {
  const known = new Map(there.map((operation) => [operationKey(operation.shape), operation]));
  return here
    .filter((operation) => {
      const same = known.get(operationKey(operation.shape));
      return same === undefined || (!tellsPlan(same) && tellsPlan(operation));
    })
    .map((operation) => ({ ...operation, recordedHere: true }));
}

function tellsPlan({ figures }: Operation): boolean {
  return Object.values(figures).some(({ planSummaries }) => Object.keys(planSummaries).length > 0);
}

function withGap({ operations, views, sources, counters }: TracedWorkload, gap: Absent): Workload {
  const missing = inProduction(gap);
  return {
    operations: operations.map((operation) => ({ ...operation, recordedHere: true })),
    views,
    sources: { profiler: missing, queryStats: missing, logFile: missing, recentLog: missing, routerLog: missing },
    counters,
    sourcesHere: sources,
  };
}

function ofProduction(source: Evidence<WorkloadSource>): Evidence<WorkloadSource> {
  if (!source.present) return inProduction(source);
  return present({ ...source.value, gaps: source.value.gaps.map(inProduction) });
}

type Rename = DatabaseMap['toHere'];

/** An operation of production under the names that its collections have here; null if its database is not here. */
export function renamedOperation(operation: Operation, toHere: Rename): Operation | null {
  const { shape } = operation;
  const namespace = toHere(shape.namespace);
  if (namespace === null) return null;
  const pipeline = shape.pipeline && renamedPipeline(shape.pipeline, toHere);
  return { ...operation, shape: { ...shape, namespace, ...(pipeline !== undefined && { pipeline }) } };
}

/** A view of production under the names of here; null if its database is not here. */
export function renamedView(view: ResolvedView, toHere: Rename): ResolvedView | null {
  const [namespace, base] = [toHere(view.namespace), toHere(view.base)];
  return namespace === null || base === null
    ? null
    : { ...view, namespace, base, pipeline: renamedPipeline(view.pipeline, toHere) };
}

/** What a source recorded, of the databases that are here. */
export function renamedSource(source: Evidence<WorkloadSource>, toHere: Rename): Evidence<WorkloadSource> {
  if (!source.present) return source;
  const parts = source.value.parts.flatMap(({ database, ...part }) => {
    if (database === undefined) return [part];
    const namespace = toHere(`${database}.`);
    return namespace === null ? [] : [{ ...part, database: databaseOf(namespace) }];
  });
  return present({ ...source.value, parts });
}

function renamedPipeline(pipeline: PipelineShape, toHere: Rename): PipelineShape {
  return stages(pipeline, toHere) as unknown as PipelineShape;
}

function stages(pipeline: readonly Shape[], toHere: Rename): Shape[] {
  return pipeline.map((stage) =>
    isObjectShape(stage) ? mapValues(stage, (body, name) => stageBody(name, body, toHere)) : stage,
  );
}

function stageBody(stage: string, body: Shape, toHere: Rename): Shape {
  if (stage === '$out') return nameHere(body, toHere);
  if (!isObjectShape(body)) return body;
  if (stage === '$facet') return mapValues(body, (each) => (Array.isArray(each) ? stages(each, toHere) : each));
  const naming = ownValue(NAMING, stage);
  if (naming === undefined) return body;
  return mapValues(body, (each, argument) => {
    if (argument === naming) return nameHere(each, toHere);
    return argument === 'pipeline' && Array.isArray(each) ? stages(each, toHere) : each;
  });
}

/** What is in no database of here becomes what stands for unknown collections: a name here may be another collection's. */
function nameHere(namespace: Shape, toHere: Rename): Shape {
  return typeof namespace === 'string' && namespace.includes('.') ? (toHere(namespace) ?? '?namespace') : namespace;
}
