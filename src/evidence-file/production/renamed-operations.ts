import { isObjectShape, type ObjectShape, type PipelineShape, type Shape } from '../../workload/shapes/shape.js';
import type { Operation, OperationShape, ResolvedView, WorkloadSource } from '../../workload/workload.js';
import { databaseOf } from '../../namespace.js';
import type { Evidence } from '../../presence.js';
import type { DatabaseMap } from './database-map.js';

type Rename = DatabaseMap['toHere'];

/** Arguments that name a collection, by stage. That of `$out` is the stage itself. */
const NAMING: Readonly<Record<string, string>> = {
  $lookup: 'from',
  $graphLookup: 'from',
  $unionWith: 'coll',
  $merge: 'into',
};

/** An operation of production under the names that its collections have here; null if its database is not here. */
export function renamedOperation(operation: Operation, toHere: Rename): Operation | null {
  const { shape } = operation;
  const namespace = toHere(shape.namespace);
  return namespace === null ? null : { ...operation, shape: { ...shape, namespace, ...pipelineOf(shape, toHere) } };
}

function pipelineOf({ pipeline }: OperationShape, toHere: Rename): Pick<OperationShape, 'pipeline'> {
  return pipeline === undefined ? {} : { pipeline: renamedPipeline(pipeline, toHere) };
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
  return { present: true, value: { ...source.value, parts } };
}

function renamedPipeline(pipeline: PipelineShape, toHere: Rename): PipelineShape {
  return stages(pipeline, toHere) as unknown as PipelineShape;
}

function stages(pipeline: readonly Shape[], toHere: Rename): Shape[] {
  return pipeline.map((stage) =>
    isObjectShape(stage)
      ? Object.fromEntries(Object.entries(stage).map(([name, body]) => [name, stageBody(name, body, toHere)]))
      : stage,
  );
}

function stageBody(stage: string, body: Shape, toHere: Rename): Shape {
  if (stage === '$out') return nameHere(body, toHere);
  if (!isObjectShape(body)) return body;
  if (stage === '$facet') return mapped(body, (each) => (Array.isArray(each) ? stages(each, toHere) : each));
  const naming = NAMING[stage];
  if (naming === undefined) return body;
  return mapped(body, (each, argument) => {
    if (argument === naming) return nameHere(each, toHere);
    return argument === 'pipeline' && Array.isArray(each) ? stages(each, toHere) : each;
  });
}

/** What is in no database of here becomes what stands for unknown collections: a name here may be another collection's. */
function nameHere(namespace: Shape, toHere: Rename): Shape {
  return typeof namespace === 'string' && namespace.includes('.') ? (toHere(namespace) ?? '?namespace') : namespace;
}

function mapped(fields: ObjectShape, map: (field: Shape, name: string) => Shape): ObjectShape {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, map(value, field)]));
}
