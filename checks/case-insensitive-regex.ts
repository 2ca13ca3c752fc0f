import { plural } from '../src/format.js';
import { canBeFound, everyCondition } from '../src/judgement/queries/conditions.js';
import { isScanned } from '../src/judgement/queries/query-cost.js';
import { queryGroups, type QueryGroup } from '../src/judgement/queries/query-groups.js';
import type { QueryPlace } from '../src/judgement/queries/query-places.js';
import type { Query } from '../src/judgement/queries/query.js';
import { comparedBy, SEARCH_THRESHOLDS, searchSeverity } from '../src/judgement/queries/search-severity.js';
import { averageOf, searchVerdicts } from '../src/judgement/queries/search-verdicts.js';
import { shellCollection } from '../src/shell-collection.js';
import { defineClusterCheck, type IndexDescription, type RemedyStep } from '../src/check.js';

/** Collations up to this strength compare without case. Source: MongoDB manual, "Collation". */
const STRENGTH_WITHOUT_CASE = 2;

const thresholds = {
  ...SEARCH_THRESHOLDS,
  errorPerDay: {
    ...SEARCH_THRESHOLDS.errorPerDay,
    source: 'judgement: an equality with a collation examines a thousandth of them',
  },
} as const;

export const caseInsensitiveRegex = defineClusterCheck({
  id: 'case-insensitive-regex',
  title: 'Case-insensitive regular expression',
  summary: 'a `$regex` with option `i`, for which no index can be searched',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    return searchVerdicts(queryGroups(cluster, isMeant, placeOf), {
      leastDocuments: limits.info,
      severityOf: (group) => searchSeverity(group, limits),
      messageOf,
    });
  },
});

function isMeant(query: Query): boolean {
  // If another condition lacks its index, that one comes first: collection-scan reports it.
  return pathOf(query) !== null && !query.joins && !(isScanned(query) && canBeFound(query.conditions));
}

function pathOf({ conditions }: Query): string | null {
  return everyCondition(conditions).find(({ ignoresCase }) => ignoresCase)?.path ?? null;
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
          text: 'For whole values: create an index that compares without case. The build reads every document, while reads and writes go on.',
          code: `${shellCollection(collection.namespace)}.createIndex({ ${field}: 1 }, ${options})`,
        }
      : { text: `For whole values: the index ${index.name} compares without case, but no $regex uses a collation.` };
  return [
    create,
    {
      text: 'Ask for equality with the same collation instead of the regular expression; explain() then shows the index.',
      code: `${shellCollection(collection.namespace)}.find({ ${field}: value }).collation(${collation})`,
    },
    {
      text: 'For beginnings: store the value in lower case in a field of its own, index that, and match it by /^…/ without i.',
    },
    { text: 'For words within a text: use a text index.' },
  ];
}

function messageOf(group: QueryGroup): string {
  const { path, cost } = group;
  const what = (cost.documentsExamined ?? 0) >= (cost.keysExamined ?? 0) ? 'document' : 'index key';
  return (
    `A regular expression that ignores case searches \`${path}\`, and no index can be searched for that. An execution compares ` +
    `${plural(Math.round(comparedBy(cost)), what)}${averageOf(group)}`
  );
}
