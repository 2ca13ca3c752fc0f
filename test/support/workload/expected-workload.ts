import { nameOf } from '../../../src/namespace.js';
import type { Operation, OperationKind, Workload } from '../../../src/workload/workload.js';

/** Operations of a database by what they are: "find orders filter sort", with their stages for aggregates. */
export function operationsByText({ operations }: Workload, database: string): Map<string, Operation> {
  return new Map(
    operations
      .filter(({ shape }) => shape.namespace.startsWith(`${database}.`))
      .map((operation) => [textOf(operation), operation]),
  );
}

function textOf({ shape }: Operation): string {
  const collection = nameOf(shape.namespace);
  const stages = shape.pipeline?.map((stage) => Object.keys(stage)[0]) ?? [];
  const fields = shape.filter === undefined ? [] : [Object.keys(shape.filter).join('+')];
  return [shape.kind satisfies OperationKind, collection, ...stages, ...fields].join(' ').trimEnd();
}

/** What `runShop` runs, once each, as `operationsByText` names it; `$queryStats` knows of queries alone. */
export const QUERIES = [
  'find orders total+name',
  'find orders customerId',
  'aggregate orders $match $group',
  'aggregate orders $match $lookup',
  'aggregate orders $limit $unionWith',
  'aggregate orders $group $merge',
  'find boughtBy total',
  'aggregate boughtByBusinesses $match',
];

/** The rest of what `runShop` runs: what query stats of 6.0 do not tell. */
export const OTHERS = [
  'distinct orders total',
  'update orders total',
  'delete orders _id',
  'findAndModify orders _id',
  'insert orders',
];
