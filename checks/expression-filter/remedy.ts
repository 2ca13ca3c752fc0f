import type { IndexDescription, RemedyStep } from '../../src/check.js';
import { negationsAsRanges } from '../../src/judgement/advice/query-suggestions.js';
import { keyOf, suggestedIndexes } from '../../src/judgement/advice/suggested-index.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { conditionsOf } from '../../src/judgement/queries/conditions.js';
import { filterText } from '../../src/judgement/queries/filter-text.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { stepsOf } from '../../src/remedy.js';
import type { ObjectShape } from '../../src/workload/shapes/shape.js';
import type { plainFilters } from './plain-expression.js';

export function plainSteps(plain: NonNullable<ReturnType<typeof plainFilters>>, query: Query): RemedyStep[] {
  const keys = indexKeysFor(query, plain);
  return stepsOf(
    {
      text: `Write it as a plain condition, for which an index is searched.${boundsText(query)}`,
      code: shellStatement(query.known.collection.namespace, 'find', filterText(plain)),
    },
    ...keys.flatMap((key) =>
      accompanyingIndex(
        key,
        query.known,
        keys.length === 1 ? 'It needs an index.' : 'Each alternative needs an index.',
      ),
    ),
    'Compare the results first: a plain condition compares values of one type only, also finds elements of arrays, and takes a missing field for null.',
  );
}

/** What the bounds in place of a part of a date are. */
function boundsText({ filters }: Query): string {
  const parts = JSON.stringify(filters);
  if (!/"\$(?:year|dateTrunc|dateToString)"/.test(parts)) return '';
  const withoutYear = parts.includes('"$dateToString"')
    ? ' A format without the year names no period: store such a text in a field of its own instead.'
    : '';
  return (
    ' A bound is the beginning of the period, or of the next one: that is where `$eq` and `$lte` end, and `$gt` begins.' +
    withoutYear
  );
}

export function storedSteps(): RemedyStep[] {
  return stepsOf(
    'Store what is computed in a field of its own, and let every write keep it. Filling it once writes every document: do it in batches if they are many.',
    'Index that field, and ask for its value. The other conditions of the query stay.',
  );
}

export function unknownSteps(): RemedyStep[] {
  return stepsOf(
    'Write what the script tests as plain conditions, and index their fields. What compares fields with each other is `$expr`, at a hundredth of the cost of each document; or store it with each write, in a field of its own, and ask for its value.',
  );
}

/**
 * The keys of the indexes that would find a query's documents if it asked by these filters instead: one, or one for each
 * branch of `$or`, which is searched by an index only if all of them are. Empty if none would.
 */
function indexKeysFor(query: Query, filters: readonly ObjectShape[]): readonly IndexDescription['key'][] {
  const { fieldTypes } = query.known;
  const types = fieldTypes.present ? fieldTypes.value : null;
  const conditions = negationsAsRanges(conditionsOf(filters), types);
  const suggested = suggestedIndexes({ conditions, sort: query.sort, longestLiteralArray: null }, types) ?? [];
  return suggested.map(keyOf);
}
