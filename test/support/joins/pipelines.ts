import type { Document } from 'mongodb';
import type { Join, JoinKey, Origin } from '../../../src/workload/joins/join.js';
import { joinsOf } from '../../../src/workload/joins/joins-of.js';
import { viewsByNamespace } from '../../../src/workload/joins/references.js';
import { pipelineShape } from '../../../src/workload/shapes/pipeline-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import type { PipelineShape } from '../../../src/workload/shapes/shape.js';
import type { ResolvedView } from '../../../src/workload/workload.js';

/** A pipeline on database `shop` as the workload holds it. */
export function shaped(pipeline: readonly Document[]): PipelineShape {
  return pipelineShape(pipeline, 'shop', literalPlaceholder);
}

/** A view of `shop` on a collection of `shop`. */
export function view(name: string, on: string, pipeline: readonly Document[]): ResolvedView {
  return { namespace: `shop.${name}`, base: `shop.${on}`, pipeline: shaped(pipeline), source: 'inventory' };
}

/** The joins of a pipeline on `shop.orders`, or on another collection or view of `shop`. */
export function joins(pipeline: readonly Document[], views: readonly ResolvedView[] = [], on = 'orders'): Join[] {
  return joinsOf(shaped(pipeline), { namespace: `shop.${on}`, views: viewsByNamespace(views) });
}

function originText(origin: Origin): string {
  if (!origin.traced) return origin.because;
  const { namespace, path, conversion } = origin;
  return conversion === null ? `${namespace}.${path}` : `${namespace}.${path} ${conversion}`;
}

/** A key in one line: `shop.orders.customerId $eq shop.customers.key → index shop.customers.key`. */
export function keyText({ operator, local, foreign, index }: JoinKey): string {
  const verdict =
    index.possible === true
      ? `index ${index.namespace}.${index.path}`
      : index.possible === null
        ? `not judged: ${index.because}`
        : `no index: ${index.because}${index.stage === null ? '' : ` ${index.stage}`}`;
  return `${originText(local.origin)} ${operator} ${originText(foreign.origin)} → ${verdict}`;
}

/** A join of `orders` with `customers` by two fields. */
export const BY_FIELDS = {
  $lookup: { from: 'customers', localField: 'customerId', foreignField: 'key', as: 'customer' },
};

/** What `keyText` says of a join of `orders` with `customers` in whatever form. */
export const SERVED = 'shop.orders.customerId $eq shop.customers.key → index shop.customers.key';

/** A join of `orders` with `customers` by what the sub-pipeline says. */
export function byPipeline(pipeline: readonly Document[], variables: Document = { id: '$customerId' }): Document {
  return { $lookup: { from: 'customers', let: variables, pipeline, as: 'customer' } };
}

/** A join of `orders` with `customers` by a sub-pipeline with an expression alone. */
export function byExpression(expression: unknown, variables?: Document): Document {
  return byPipeline([{ $match: { $expr: expression } }], variables);
}
