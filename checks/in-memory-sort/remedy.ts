import type { IndexDescription } from '../../src/check.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { queryWithoutSort } from '../../src/judgement/pipelines/needless-sort.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import type { QueryPlace } from '../../src/judgement/queries/query-places.js';
import { bySortingIndex } from '../../src/judgement/queries/query-suggestions.js';
import type { Query } from '../../src/judgement/queries/query.js';

export const WITHOUT_INDEX = [
  {
    text:
      'No index both finds these documents and provides this order. Sort by the field of the range first, set another field equal, ' +
      'or add a condition that leaves fewer documents to sort.',
  },
];

/** A sort that nothing needs gets no index: it is left out. */
export function byRemedy(
  query: Query,
  existing: readonly IndexDescription[],
  cluster: JoinedCluster,
): QueryPlace | 'served' {
  const pipeline = queryWithoutSort(query);
  if (pipeline === null) return bySortingIndex(query, existing, cluster);
  const { namespace } = query.known.collection;
  return { path: query.sort[0]?.[0] ?? null, remedy: { steps: stepsWithoutSort(pipelineText(namespace, pipeline)) } };
}

const stepsWithoutSort = (code: string) => [
  {
    text: 'Leave out the `$sort`. Put your values in place of those in angle brackets. `$group` returns its groups in no order, with or without it: put a `$sort` behind it if readers need one.',
    code,
  },
  { text: 'Check that explain("executionStats") shows no SORT stage.' },
];
