import { databaseOf } from '../../namespace.js';
import { mapValues, ownValue, picked } from '../../plain.js';
import { type Absent, type Evidence, present } from '../../presence.js';
import { operationKey } from '../../workload/shapes/operation-shape.js';
import { isObjectShape, type PipelineShape, type Shape } from '../../workload/shapes/shape.js';
import { mergeViews } from '../../workload/sources/views.js';
import { type TracedWorkload, traceWorkload } from '../../workload/traced-workload.js';
import {
  bySource,
  type Operation,
  type OperationFigures,
  type RecordedTransactions,
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

/** The key of an index of production, by its namespace and name there, as plan summaries write it; null if unknown. */
export type KeyOf = (namespace: string, name: string) => string | null;

/** The operations of production, and those recorded here of which production does not report how it runs them. */
export function joinedWorkload(
  here: Evidence<TracedWorkload>,
  there: Evidence<TracedWorkload>,
  map: DatabaseMap,
  keyOf: KeyOf = () => null,
): Evidence<TracedWorkload> {
  if (!there.present)
    return here.present ? present(traceWorkload(ofHereAlone(here.value, inProduction(there)))) : there;
  const own = here.present ? here.value : null;
  const toHere = (namespace: string) => map.toHere(namespace);
  const theirs = there.value;
  const operations = theirs.operations.flatMap((each) => renamedOperation(each, toHere, keyOf) ?? []);
  const views = theirs.views.flatMap((view) => renamedView(view, toHere) ?? []);
  const transactions = [
    ...renamedTransactions(theirs.transactions ?? [], toHere),
    ...(own?.transactions ?? []).map((each) => ({ ...each, recordedHere: true as const })),
  ];
  const leftOut = (theirs.transactionEntriesLeftOut ?? 0) + (own?.transactionEntriesLeftOut ?? 0);
  // What a workload may have is listed in full: the type says so if a part is forgotten.
  const parts: { readonly [Part in keyof Required<Workload>]: Workload[Part] | undefined } = {
    operations: [...operations, ...recordedHereAlone(own?.operations ?? [], operations)],
    views: own === null ? views : mergeViews(own.views, views),
    sources: bySource((source) => ofProduction(renamedSource(theirs.sources[source], toHere))),
    counters: theirs.counters,
    pinnedPlans: joinedPins(own?.pinnedPlans, theirs.pinnedPlans, toHere, keyOf),
    transactions: transactions.length === 0 ? undefined : transactions,
    transactionEntriesLeftOut: leftOut === 0 ? undefined : leftOut,
    nodeReads: theirs.nodeReads,
    since: theirs.since,
    sourcesHere: own?.sources,
  };
  return present(traceWorkload(picked(parts, Object.keys(parts) as (keyof Workload)[]) as Workload));
}

/** Those of both: what is advised is applied in either. */
function joinedPins(
  own: Workload['pinnedPlans'],
  theirs: Workload['pinnedPlans'],
  toHere: Rename,
  keyOf: KeyOf,
): Workload['pinnedPlans'] {
  if (theirs === undefined) return own;
  if (!theirs.present) return own?.present === true && own.value.indexes.length > 0 ? own : inProduction(theirs);
  const inHere = <Of extends { readonly namespace: string }>(all: readonly Of[]) =>
    all.flatMap((each): Of[] => {
      const namespace = toHere(each.namespace);
      return namespace === null ? [] : [{ ...each, namespace }];
    });
  const indexes = theirs.value.indexes.map((each) => ({
    ...each,
    hint: keyOf(each.namespace, each.hint) ?? each.hint,
  }));
  const ofHere = own?.present === true ? own.value : { indexes: [], rejected: [] };
  return present({
    indexes: distinct([...inHere(indexes), ...ofHere.indexes]),
    rejected: distinct([...inHere(theirs.value.rejected), ...ofHere.rejected]),
  });
}

function distinct<Of>(all: readonly Of[]): Of[] {
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

function renamedTransactions(all: readonly RecordedTransactions[], toHere: Rename): RecordedTransactions[] {
  return all.flatMap((each) => {
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

function ofHereAlone({ operations, transactions, sources, ...here }: TracedWorkload, missing: Absent): Workload {
  return {
    ...here,
    operations: operations.map((operation) => ({ ...operation, recordedHere: true })),
    ...(transactions !== undefined && {
      transactions: transactions.map((each) => ({ ...each, recordedHere: true })),
    }),
    sources: bySource(() => missing),
    sourcesHere: sources,
  };
}

function ofProduction(source: Evidence<WorkloadSource>): Evidence<WorkloadSource> {
  if (!source.present) return inProduction(source);
  return present({ ...source.value, gaps: source.value.gaps.map(inProduction) });
}

type Rename = DatabaseMap['toHere'];

/** An operation of production under the names that its collections have here; null if its database is not here. */
export function renamedOperation(operation: Operation, toHere: Rename, keyOf: KeyOf = () => null): Operation | null {
  const { shape, figures } = operation;
  const namespace = toHere(shape.namespace);
  if (namespace === null) return null;
  const pipeline = shape.pipeline && renamedPipeline(shape.pipeline, toHere);
  const byKey = ({ hints, ...rest }: OperationFigures): OperationFigures => {
    if (hints === undefined) return rest;
    const counts = new Map<string, number>();
    for (const [hint, executions] of Object.entries(hints)) {
      const key = keyOf(shape.namespace, hint) ?? hint;
      counts.set(key, executions + (counts.get(key) ?? 0));
    }
    return { ...rest, hints: Object.fromEntries(counts) };
  };
  return {
    ...operation,
    shape: { ...shape, namespace, ...(pipeline !== undefined && { pipeline }) },
    figures: mapValues(figures, byKey),
  };
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
