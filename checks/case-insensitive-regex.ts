import type { IndexDescription, RemedyStep } from '../src/check.js';
import type { QueryPlace } from '../src/judgement/advice/query-suggestions.js';
import { canBeFound, type Condition, everyCondition } from '../src/judgement/queries/conditions.js';
import { averageOf } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import { isScanned } from '../src/judgement/queries/query-cost.js';
import { RETIRED_OF_OPERATIONS, SEARCH_THRESHOLDS } from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { comparedInVain, comparedText, searchSeverity } from '../src/judgement/queries/search-severity.js';
import { shellStatement } from '../src/judgement/shell-statement.js';

/** Collations up to this strength compare without case. Source: MongoDB manual, "Collation". */
const STRENGTH_WITHOUT_CASE = 2;

export const caseInsensitiveRegex = defineQueryCheck({
  id: 'case-insensitive-regex',
  title: 'Case-insensitive regular expression',
  summary: 'a `$regex` with option `i`, for which no index can be searched',
  thresholds: SEARCH_THRESHOLDS,
  retiredThresholds: RETIRED_OF_OPERATIONS,
  floor: 'info',
  // If another condition lacks its index, that one comes first: collection-scan reports it.
  match: isSearched,
  wasted: (query, cost) => (isSearched(query) ? comparedInVain(query, cost) : null),
  place: placeOf,
  severity: (group, { limits }) => {
    const isLookUp = group.queries.some((query) => conditionOf(query)?.equalsButCase === true);
    // An index and a collation are all that a look-up lacks.
    return searchSeverity(group, limits, isLookUp ? limits.info : undefined);
  },
  message: (group) =>
    `A case-insensitive regular expression searches \`${group.path}\`, which no index can serve. An execution compares ` +
    `${comparedText(group)}${averageOf(group)}`,
});

function isSearched(query: Query): boolean {
  return pathOf(query) !== null && !query.joins && !(isScanned(query) && canBeFound(query.conditions));
}

function conditionOf({ conditions }: Query): Condition | null {
  return everyCondition(conditions).find(({ ignoresCase }) => ignoresCase) ?? null;
}

function pathOf(query: Query): string | null {
  return conditionOf(query)?.path ?? null;
}

function placeOf(query: Query, existing: readonly IndexDescription[]): QueryPlace {
  const path = pathOf(query);
  const index = existing.find(
    (each) => path !== null && Object.keys(each.key)[0] === path && comparesWithoutCase(each),
  );
  return { path, remedy: { steps: remedySteps(path ?? '', index ?? null, query) } };
}

function comparesWithoutCase({ collation }: IndexDescription): boolean {
  return (
    collation !== undefined && Number(collation['strength']) <= STRENGTH_WITHOUT_CASE && collation['caseLevel'] !== true
  );
}

function remedySteps(path: string, index: IndexDescription | null, { known: { collection } }: Query): RemedyStep[] {
  const { locale, strength } = index?.collation ?? { locale: 'en', strength: STRENGTH_WITHOUT_CASE };
  const collation = `{ locale: "${String(locale)}", strength: ${String(strength)} }`;
  // With a name of its own: there may be an index on the field, and the server gives both the same name.
  const options = `{ name: ${JSON.stringify(`${path}_without_case`)}, collation: ${collation} }`;
  const field = JSON.stringify(path);
  const create: RemedyStep =
    index === null
      ? {
          text: 'For whole values: create a case-insensitive index. The build reads every document, while reads and writes go on.',
          code: shellStatement(collection.namespace, 'createIndex', `{ ${field}: 1 }`, options),
        }
      : { text: `For whole values: the index ${index.name} ignores case, but a $regex cannot use its collation.` };
  return [
    create,
    {
      text: 'Query by equality with the same collation instead of the regular expression. Check with explain() that the index is used.',
      code: `${shellStatement(collection.namespace, 'find', `{ ${field}: value }`)}.collation(${collation})`,
    },
    {
      text: 'For prefixes: store the value in lower case in a field of its own, index that field, and match /^…/ without the i flag.',
    },
    { text: 'For words within a text: use a text index.' },
  ];
}
