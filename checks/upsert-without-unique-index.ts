import { formatCount } from '../src/format.js';
import type { IndexDescription } from '../src/inventory/collection.js';
import { VALUES_OF_KEY, mayBeKey, sampledValues } from '../src/judgement/advice/upserted-key.js';
import { uniqueSteps } from '../src/judgement/indexes/index-steps.js';
import { equalPaths, everyCondition } from '../src/judgement/queries/conditions.js';
import { plannedFigures, recordedQueries } from '../src/judgement/queries/query-cost.js';
import { isRepeated } from '../src/judgement/queries/query-size.js';
import { RETIRED_OF_OPERATIONS } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../src/judgement/queries/worst-query-check.js';
import { predicateOf, predicateOfShape } from '../src/planner/filter-predicate.js';
import { implies } from '../src/planner/implied.js';
import { conjunction } from '../src/planner/predicate.js';
import type { ValueSpread } from '../src/profile/value-tally.js';
import { isObjectShape, type ObjectShape, type Shape } from '../src/workload/shapes/shape.js';
import { keyText } from '../src/workload/shapes/sort-shape.js';

interface RacingUpsert extends FoundQuery {
  /** The fields by which it looks for the document, in order of their names. */
  readonly fields: readonly string[];
  /** How the sampled values of the one field are spread; null if unknown. */
  readonly sampled: ValueSpread | null;
  /** Values of the sample that are there once more. */
  readonly repeated: number;
}

export const upsertWithoutUniqueIndex = defineWorstQueryCheck({
  id: 'upsert-without-unique-index',
  title: 'Upsert without a unique index',
  summary: 'upserts by fields that no unique index holds, so that two at once insert the document twice',
  thresholds: {
    keys: VALUES_OF_KEY,
  },
  retiredThresholds: RETIRED_OF_OPERATIONS,
  find({ cluster }) {
    return queriesOf(cluster).flatMap((query): RacingUpsert[] => {
      const fields = racingFields(query);
      if (fields === null) return [];
      const sampled = sampledValues(query, fields);
      const cost = recordedQueries([query], cluster.workload);
      return [{ query, cost, fields, sampled, repeated: repeatedIn(sampled) }];
    });
  },
  path: ({ fields }) => indexName(fields),
  pathIs: 'missing-index',
  rank: ({ cost }) => cost.executions,
  severity({ query, cost, sampled, repeated }, { limits }) {
    // A field that most documents share is no key, however it is searched.
    if (!mayBeKey(sampled, limits.keys)) return 'info';
    return isRepeated(query, cost) || repeated > 0 ? 'warning' : 'info';
  },
  // Whether two ever run at once is not recorded.
  confidence: ({ repeated }) => (repeated > 0 ? 'high' : 'medium'),
  message: (all) =>
    `Concurrent upserts can insert duplicates: no unique index on ${namesOf(all[0].fields)} prevents it. Query: ` +
    `${textOf(all)} (${all[0].cost.window}).${repeatedText(all[0])}`,
  figures: ([{ fields, sampled, repeated }]) => ({
    fields: [...fields],
    ...(sampled !== null && repeated > 0 && { repeatedInSample: repeated, comparedInSample: sampled.compared }),
  }),
  remedy: ({ query, fields }) => {
    const { namespace } = query.known.collection;
    return uniqueSteps({ namespace, key: Object.fromEntries(fields.map((field) => [field, 1])) });
  },
});

/** Null if it is no upsert, or a unique index or the `_id` keeps a second document out. */
function racingFields(query: Query): readonly string[] | null {
  const {
    operation: { shape },
    conditions,
    known: { indexes },
  } = query;
  if (shape.upsert !== true || shape.truncated === true || conditions.alternatives.length > 0) return null;
  const written = writtenBy(shape.update);
  const isWritten = (path: string) => written === null || written.has(path.split('.')[0] as string);
  const equal = equalPaths(conditions);
  const others = everyCondition(conditions).filter(({ role }) => role !== 'equality');
  // What it looks for by a range too is no key: the next document may have the same values. A field that must be missing is
  // part of the key: it is null in the next document, too.
  if (others.some(({ operator, path }) => operator !== '$exists' || isWritten(path))) return null;
  const fields = [...new Set([...equal, ...others.map(({ path }) => path)])].toSorted();
  // From parts of the `_id`, the server makes the `_id` of what it inserts.
  const setsId = fields.some((path) => path === '_id' || path.startsWith('_id.'));
  if (equal.length === 0 || setsId || !indexes.present) return null;
  // What neither the filter nor the update sets is null in both documents.
  const isHeld = (path: string) => fields.includes(path) || !isWritten(path);
  const isKept = indexes.value.some((index) => {
    const paths = Object.keys(index.key);
    const isWhole =
      index.partialFilterExpression === undefined ||
      (paths.every((path) => fields.includes(path)) && !isPassedOver(index, query));
    return index.unique && isWhole && paths.some((path) => fields.includes(path)) && paths.every(isHeld);
  });
  return isKept ? null : fields;
}

/**
 * Whether it hangs on values if what is inserted is in a partial index, and the server never found by it: a search that sets all
 * fields of a unique index equal finds by that, unless its values are other ones.
 */
function isPassedOver({ key, partialFilterExpression = {} }: IndexDescription, query: Query): boolean {
  const asked = conjunction(query.filters.map(predicateOfShape));
  const plans = Object.keys(plannedFigures(query.operation)?.figures.planSummaries ?? {});
  return (
    implies(asked, predicateOf(partialFilterExpression), 'same') === null &&
    plans.length > 0 &&
    !plans.some((plan) => plan.includes(keyText(key)))
  );
}

/** The first names of the paths that an update writes; null if it may write any. */
function writtenBy(update: Shape | undefined): ReadonlySet<string> | null {
  if (!isObjectShape(update) || !Object.values(update).every(isObjectShape)) return null;
  const paths = Object.values(update).flatMap((fields) => Object.keys(fields as ObjectShape));
  return new Set(paths.map((path) => path.split('.')[0] as string));
}

/** One of two thousand hashes with 32 bits is equal to another by chance once in two thousand samples: two hardly ever. */
const LEAST_REPEATED = 2;

function repeatedIn(sampled: ValueSpread | null): number {
  const repeated = sampled === null ? 0 : sampled.compared - sampled.distinct;
  return repeated >= LEAST_REPEATED ? repeated : 0;
}

function repeatedText({ sampled, repeated }: RacingUpsert): string {
  return repeated === 0 || sampled === null
    ? ''
    : ` Of ${formatCount(sampled.compared)} sampled values, ${formatCount(repeated)} are there once more.`;
}

function indexName(fields: readonly string[]): string {
  return fields.map((field) => `${field}_1`).join('_');
}

function namesOf(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}\``).join(', ');
}
