import type { ClusterVerdict } from '../../check.js';
import { groupedBy } from '../../grouped-by.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { atJudgedSize, judgedSize, recordedHere, tooSmallToTell, type JudgedSize } from '../judged-size.js';
import { withSimilar } from './group-text.js';
import { isScanned, plannedFigures, type QueryCost } from './query-cost.js';
import type { QueryGroup } from './query-groups.js';
import type { Query } from './query.js';

export function sizeFor({ known, operation }: Pick<Query, 'known' | 'operation'>): JudgedSize | null {
  const { collection, storage }: JoinedCollection = known;
  if (!storage.present || storage.value.count === null) return null;
  const size = judgedSize(collection, storage.value.count);
  return operation.recordedHere === true ? recordedHere(size) : size;
}

export function isBelow(query: Pick<Query, 'known' | 'operation'>, documents: number): boolean {
  const size = sizeFor(query);
  return size !== null && size.documents < documents;
}

/** Null if unknown. A scan without a limit examines all, even if the collection was smaller when it was recorded. */
export function examinedAtJudgedSize(query: Query, { documentsExamined }: QueryCost): number | null {
  const size = sizeFor(query);
  if (size === null) return documentsExamined;
  // A join adds documents of other collections to the figure, but a scan examines each document once.
  const own =
    documentsExamined !== null && query.joins ? Math.min(size.recorded, documentsExamined) : documentsExamined;
  if (isScanned(query) && isReadToTheEnd(query)) return Math.max(size.documents, atJudgedSize(own ?? 0, size));
  return own === null ? null : atJudgedSize(own, size);
}

/** Whether it examines all that it may, and does not stop at what it finds. */
export function isReadToTheEnd({ limited, operation }: Query): boolean {
  return !limited || (plannedFigures(operation)?.figures.inMemorySorts ?? 0) > 0;
}

/** One entry a collection. */
export function tooSmallGroups(groups: readonly QueryGroup[]): ClusterVerdict[] {
  return [...groupedBy(groups, ({ namespace }) => namespace)].flatMap(([namespace, [first, ...others]]) => {
    const size = first === undefined ? null : sizeFor(first.queries[0]);
    if (first === undefined || size === null) return [];
    const queries = [first, ...others].flatMap((group) => group.queries) as [Query, ...Query[]];
    return [{ namespace, ...tooSmallToTell(size, `run there: ${withSimilar({ queries })}`) }];
  });
}
