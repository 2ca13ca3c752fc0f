import type { RemedyStep } from '../../finding.js';
import { isWithin, queryPath } from '../../profile/path-steps.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import type { QueryGroup } from './query-groups.js';
import type { Query } from './query.js';

/** Sampled documents from which a field that none has is missing: 5 % of such samples miss what three in a hundred have. */
const SAMPLED = 100;

/** The field that queries compare with values, if no sampled document has it and no execution found any; null otherwise. */
export function missingField({ queries, cost }: QueryGroup): string | null {
  const isFruitless = queries.every(({ returnsEachMatch, returnsIfAny }) => returnsEachMatch || returnsIfAny);
  if (!isFruitless || cost.documentsReturned !== 0) return null;
  const [first, ...others] = queries.map(missingFields) as [string[], ...string[][]];
  return first.find((path) => others.every((each) => each.includes(path))) ?? null;
}

function missingFields({ conditions, known: { fieldTypes } }: Query): string[] {
  if (!fieldTypes.present || fieldTypes.value.documents < SAMPLED) return [];
  const { fields } = fieldTypes.value;
  return conditions.all.flatMap(({ path, role, ofNull }) => {
    const isCompared = (role === 'equality' || role === 'list' || role === 'range') && !ofNull;
    const isMissing = !fields.some((field) => isWithin(queryPath(field.path), path));
    return isCompared && isMissing && path !== '' && !path.split('.').includes(DATA_NAME) ? [path] : [];
  });
}

/** An index would find nothing either, only faster. */
export function missingFieldSteps(path: string, key: string): RemedyStep[] {
  return [
    {
      text: `Find out whether \`${path}\` is misspelt where the query is built, or was renamed. Correct it there, or leave the query out.`,
    },
    { text: `If documents are yet to have the field, create the index then: ${key}.` },
  ];
}
