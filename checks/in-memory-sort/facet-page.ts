import type { RemedyStep } from '../../src/check.js';
import { accompanyingIndex } from '../../src/judgement/indexes/index-steps.js';
import { namesAreKept } from '../../src/judgement/pipelines/needless-sort.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import { sortOf, type Query } from '../../src/judgement/queries/query.js';
import type { SortField } from '../../src/planner/access.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';

/** A page that a `$facet` makes beside other results, such as the number of all documents. */
export interface FacetPage {
  readonly sort: readonly SortField[];
  /** The pipeline that returns the page alone. */
  readonly stages: readonly ObjectShape[];
}

/**
 * Null if a query has none. A `$facet` reads all that is found before it: no index gives one of its pipelines an order, and
 * a limit within it saves nothing. Source: MongoDB manual, "$facet: Index Use".
 */
export function facetPage({ operation: { shape }, known }: Query): FacetPage | null {
  const { pipeline = [], namespace, truncated } = shape;
  const at = pipeline.findIndex((stage) => '$facet' in stage);
  const facet = pipeline[at]?.['$facet'];
  if (truncated === true || namespace !== known.collection.namespace || !isObjectShape(facet)) return null;
  const before = pipeline.slice(0, at);
  if (!before.every((stage) => '$match' in stage || '$sort' in stage)) return null;
  for (const branch of Object.values(facet)) {
    const own = Array.isArray(branch) ? (branch as readonly Shape[]).filter(isObjectShape) : [];
    const stages = [...before, ...own];
    const sorts = stages.flatMap(({ $sort }) => ($sort === undefined ? [] : [$sort]));
    const first = stages.find((stage) => !('$match' in stage || '$sort' in stage || '$skip' in stage));
    const sort = sortOf(sorts[0]);
    const isPage = first !== undefined && '$limit' in first && sorts.length === 1;
    if (sort !== null && isPage) return { sort, stages };
  }
  return null;
}

/** Send the page by itself, with an index for its order. */
export function facetPageSteps({ sort, stages }: FacetPage, { conditions, known }: Query): RemedyStep[] {
  const { namespace } = known.collection;
  const equal = equalPaths(conditions).map((path): SortField => [path, 1]);
  const key = Object.fromEntries([...equal, ...sort.filter(([path]) => !equal.some(([other]) => other === path))]);
  return [
    {
      text: 'Send the page as a pipeline of its own: it then stops at its limit. Replace the placeholders in angle brackets.',
      ...(namesAreKept(stages) && { code: pipelineText(namespace, stages) }),
    },
    ...accompanyingIndex(key, known, 'It needs an index that provides the order.'),
    {
      text: 'Ask for the number of all documents by countDocuments() with the same conditions, and only if somebody reads it: it can be kept while the pages are turned.',
    },
  ];
}
