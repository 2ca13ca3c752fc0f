import type { RemedyStep } from '../../src/check.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import type { FoundQueries } from '../../src/judgement/queries/worst-query-check.js';
import type { EarlyBecause } from './early-joins.js';
import type { EarlyLookup } from './early-lookups.js';

/** Pipelines that the remedy writes out, the most expensive first. */
const WRITTEN = 3;

const WHAT_TO_DO: Readonly<Record<EarlyBecause, string>> = {
  unread: 'Leave the join out.',
  group: 'Group first, and join the groups.',
  limit: 'Sort and limit first, and join the page only.',
  page: 'Join within the branch that shows the page, behind its `$limit`.',
};

export function remedySteps(all: FoundQueries<EarlyLookup>): RemedyStep[] {
  const { namespace } = all[0].query.known.collection;
  return [
    ...all.slice(0, WRITTEN).map(({ because, rewritten }): RemedyStep => ({
      text:
        `${because.map((each) => WHAT_TO_DO[each]).join(' ')} Put your values in place of those in angle brackets. ` +
        'The results are the same, but for the order of what no `$sort` orders.',
      code: pipelineText(namespace, rewritten),
    })),
    ...indexSteps(all),
    { text: 'Check that totalDocsExamined of the new pipeline is lower, in explain("executionStats").' },
  ];
}

/** A page in the order of an index is read alone; without it, all that match are read to be sorted. */
function indexSteps(all: readonly EarlyLookup[]): RemedyStep[] {
  const first = all.find(({ sortedBy }) => sortedBy.length > 0);
  if (first === undefined) return [];
  const equal = equalPaths(first.query.conditions);
  const key = Object.fromEntries([...equal.map((path) => [path, 1] as const), ...first.sortedBy]);
  return accompanyingIndex(
    key,
    first.query.known,
    'Give the new order an index: the sort then reads the documents of the page only.',
  );
}
