import { ofOneRecord } from './coverage/recording.js';
import type { Join, JoinUse } from './joins/join.js';
import { joinsOf } from './joins/joins-of.js';
import { NO_STAGES, viewsByNamespace, type Views } from './joins/references.js';
import { examinedBy, totalsBySource, type TotalsBySource } from './operations/waste.js';
import type { ObjectShape } from './shapes/shape.js';
import { type Operation, type OperationShape, type ResolvedView, type Workload } from './workload.js';

/** An operation with the collection that it reads, and what it does there. */
export interface TracedOperation {
  readonly operation: Operation;
  /** The view that it names; null if it names a collection. */
  readonly view: ResolvedView | null;
  /** Namespace of the collection that it runs on, also if it names a view of it. */
  readonly base: string;
  /** The stages that it stands for, those of the view first. A find is its filter, sort and projection. */
  readonly stages: readonly ObjectShape[];
  /** Every join that one execution makes, in the order of its stages. */
  readonly joins: readonly Join[];
}

/** A workload with what follows from it. Derived once a run from the plain workload, and never stored. */
export interface TracedWorkload extends Workload {
  readonly viewsByNamespace: Views;
  /** The operations of the workload, in their order. */
  readonly tracedOperations: readonly TracedOperation[];
  /** Every known join: those of operations, and those of views that no operation was seen to use. */
  readonly joinUses: readonly JoinUse[];
  /** Time of all operations in ms, by source; null if the source does not report times. */
  readonly milliseconds: TotalsBySource;
  /** Documents and index keys that all operations examined, by source; null if the source reports neither. */
  readonly examined: TotalsBySource;
  /** What checks derive of it: they ask for the same again and again. */
  readonly derived: Derived;
}

/** Values that are derived once. */
export class Derived {
  readonly #values = new WeakMap<object, Map<string, unknown>>();

  /**
   * @param of what else it is derived from, by which it is remembered
   * @param name of the value: the same name has the same type
   */
  once<T>(of: object, name: string, derive: () => T): T {
    const known = this.#values.get(of) ?? new Map<string, unknown>();
    this.#values.set(of, known);
    if (!known.has(name)) known.set(name, derive());
    return known.get(name) as T;
  }
}

/** Resolves the views that operations name, traces their joins, and adds up their time and what they examine. */
export function traceWorkload(workload: Workload): TracedWorkload {
  const views = viewsByNamespace(workload.views);
  const tracedOperations = workload.operations.map((operation) => tracedOperation(operation, views));
  const operations = ofOneRecord(workload.operations, (operation) => operation);
  return {
    ...workload,
    viewsByNamespace: views,
    tracedOperations,
    joinUses: [
      ...tracedOperations.flatMap(({ operation, joins }) => joins.map((join) => ({ join, operation, view: null }))),
      ...usesByViews(workload, views),
    ],
    milliseconds: totalsBySource(operations, ({ milliseconds }) => milliseconds),
    examined: totalsBySource(operations, examinedBy),
    derived: new Derived(),
  };
}

function tracedOperation(operation: Operation, views: Views): TracedOperation {
  const { shape } = operation;
  const { namespace, pipeline = NO_STAGES, collation } = shape;
  const view = views.get(namespace) ?? null;
  return {
    operation,
    view,
    base: view?.base ?? namespace,
    stages: [...(view?.pipeline ?? NO_STAGES), ...stagesOf(shape)],
    joins: joinsOf(pipeline, { namespace, views, ...(collation !== undefined && { collation }) }),
  };
}

function stagesOf({ pipeline, filter, sort, projection }: OperationShape): readonly ObjectShape[] {
  if (pipeline !== undefined) return pipeline;
  return [
    ...(filter === undefined ? [] : [{ $match: filter }]),
    ...(sort === undefined ? [] : [{ $sort: sort }]),
    ...(projection === undefined ? [] : [{ $project: projection }]),
  ];
}

function usesByViews({ operations, views }: Workload, viewsKnown: Views): JoinUse[] {
  const used = new Set(operations.map(({ shape }) => shape.namespace));
  return views
    .filter(({ namespace }) => !used.has(namespace))
    .flatMap((view) => {
      const { namespace, collation } = view;
      const joins = joinsOf(NO_STAGES, { namespace, views: viewsKnown, ...(collation !== undefined && { collation }) });
      return joins.map((join): JoinUse => ({ join, operation: null, view }));
    });
}
