import type { RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { returnsFew } from '../../src/judgement/advice/query-suggestions.js';
import { negationsAsRanges } from '../../src/judgement/advice/query-suggestions.js';
import { keyOf } from '../../src/judgement/advice/suggested-index.js';
import { suggestedIndexes } from '../../src/judgement/advice/suggested-index.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { conditionsOf } from '../../src/judgement/queries/conditions.js';
import { filterText } from '../../src/judgement/queries/filter-text.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import type { ObjectShape } from '../../src/workload/shapes/shape.js';

export const STORED = stepsOf(
  'Store what is computed in a field of its own, and let every write keep it. Filling it once writes every document: do it in batches if they are many.',
  'Index that field, and ask for its value. The other conditions of the query stay.',
);

export const OF_SCRIPT = stepsOf(
  'Write what the script tests as plain conditions, and index their fields. To compare fields with each other, use `$expr`: a hundredth of the cost per document. Or store the result with each write, and index it.',
);

const OF_PERIODS = /"\$(?:year|dateTrunc|dateToString)"/;

/** @param plain what asks the same: it needs an index, or one for each branch of an `$or` */
export function plainSteps(plain: readonly ObjectShape[], query: Query): RemedyStep[] {
  const { known, sort, filters } = query;
  const types = known.fieldTypes.present ? known.fieldTypes.value : null;
  const conditions = negationsAsRanges(conditionsOf(plain), types);
  const keys = (
    suggestedIndexes({ conditions, sort, longestLiteralArray: null, returnsFew: returnsFew(query) }, types) ?? []
  ).map(keyOf);
  const why = keys.length === 1 ? 'It needs an index.' : 'Each alternative needs an index.';
  return stepsOf(
    {
      text: `Write it as a plain condition, for which an index is searched.${OF_PERIODS.test(JSON.stringify(filters)) ? ' Use half-open ranges of dates: from the start of the period, before the start of the next.' : ''}`,
      code: shellStatement(known.collection.namespace, 'find', filterText(plain)),
    },
    ...keys.flatMap((key) => accompanyingIndex(key, known, why)),
    'Compare the results first: a plain condition compares values of one type only, also finds elements of arrays, and takes a missing field for null.',
  );
}
