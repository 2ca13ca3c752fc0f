import type { RemedyStep } from '../../src/finding.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount } from '../../src/format.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { filterText } from '../../src/judgement/queries/filter-text.js';
import { BATCH, type BrokenOrder, type LongList } from '../../src/judgement/queries/long-lists.js';
import { sortText } from '../../src/judgement/queries/range-page.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';

/** What to do instead of asking for so many values. */
export function longListSteps(list: LongList): RemedyStep[] {
  const { order } = list;
  return stepsOf(
    ...(order === null ? plainSteps(list) : orderSteps(list, order)),
    'Run mongolint again once the application has worked for a while: the lists are shorter.',
  );
}

function plainSteps({ path, query }: LongList): RemedyStep[] {
  const writes = query.operation.shape.kind === 'update' || query.operation.shape.kind === 'delete';
  return stepsOf(
    `Find out what the values of \`${path}\` have in common. If another query selects them by a field, copy that field beside \`${path}\` (extended reference), index the copy, and ask for its one value.`,
    `Else ask for ${BATCH} values at a time. All batches together examine as many keys, but each is short` +
      (writes ? ': other operations get their turn in between.' : ', and its reply is small.'),
  );
}

function orderSteps({ query, path }: LongList, { key, keysInBatches }: BrokenOrder): RemedyStep[] {
  const { namespace } = query.known.collection;
  const found = shellStatement(namespace, 'find', filterText(query.filters));
  return [
    ...accompanyingIndex(key, query.known, 'Each value needs its documents in the order of the sort.'),
    {
      text:
        `Ask for ${BATCH} values of \`${path}\` at a time, each time with the sort and the limit. Then keep the first of all batches. ` +
        `Up to ${BATCH} values are merged in the order of the index: about ${formatCount(Math.round(keysInBatches))} keys in all.`,
      code: `${found}.sort(${sortText(query.sort)}).limit(limit)`,
    },
  ];
}
