import type { Document } from 'mongodb';
import type { Collection } from '../../inventory/collection.js';
import { databaseOf } from '../../namespace.js';
import { pipelineShape } from '../shapes/pipeline-shape.js';
import { literalPlaceholder, scalarText } from '../shapes/placeholder.js';
import type { PipelineShape } from '../shapes/shape.js';
import type { ResolvedView } from '../workload.js';

/** The server refuses deeper chains of views. Source: `kMaxViewDepth` in its `view_graph.h`. */
const DEEPEST_CHAIN = 20;

export function resolveViews(collections: readonly Collection[]): ResolvedView[] {
  const views = new Map(collections.filter(({ kind }) => kind === 'view').map((view) => [view.namespace, view]));
  return [...views.values()].map((view) => resolve(view, views));
}

function resolve(view: Collection, views: ReadonlyMap<string, Collection>): ResolvedView {
  const chain = [view];
  let base = sourceOf(view);
  while (chain.length <= DEEPEST_CHAIN) {
    const next = views.get(base);
    if (next === undefined) break;
    chain.unshift(next);
    base = sourceOf(next);
  }
  return {
    namespace: view.namespace,
    base,
    pipeline: chain.flatMap((link) =>
      pipelineShape(link.pipeline, link.database, literalPlaceholder),
    ) as unknown as PipelineShape,
    ...(view.collation !== undefined && { collation: view.collation }),
    source: 'inventory',
  };
}

function sourceOf({ database, viewOn }: Collection): string {
  return `${database}.${viewOn}`;
}

/** Buckets of a time-series collection, which the server shows through a view. */
const BUCKETS = /^system\.buckets\.(.+)$/;

/** The views that a profiler entry says its operation ran on. Time-series collections are not views to people. */
export function profiledViews(resolvedViews: unknown): ResolvedView[] {
  if (!Array.isArray(resolvedViews)) return [];
  return resolvedViews.flatMap((entry: Document | null): ResolvedView[] => {
    const namespace: unknown = entry?.['viewNamespace'];
    const chain: unknown = entry?.['dependencyChain'];
    if (typeof namespace !== 'string' || !Array.isArray(chain)) return [];
    const database = databaseOf(namespace);
    const base = scalarText(chain.at(-1));
    const bucketsOf = BUCKETS.exec(base)?.[1];
    if (`${database}.${bucketsOf}` === namespace) return [];
    const stages = pipelineShape(entry?.['resolvedPipeline'], database, literalPlaceholder);
    // The server unpacks buckets first; the view's author wrote what follows.
    const pipeline = stages.filter((stage) => !('$_internalUnpackBucket' in stage)) as unknown as PipelineShape;
    return [{ namespace, base: `${database}.${bucketsOf ?? base}`, pipeline, source: 'profiler' }];
  });
}

/** One entry per view: the inventory's, or the profiler's if the inventory does not list it. */
export function mergeViews(inventory: readonly ResolvedView[], profiled: readonly ResolvedView[]): ResolvedView[] {
  return [...new Map([...profiled, ...inventory].map((view) => [view.namespace, view])).values()];
}
