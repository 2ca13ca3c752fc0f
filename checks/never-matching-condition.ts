import { sum } from 'simple-statistics';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount } from '../src/format.js';
import { convertingUpdate, isConvertible } from '../src/judgement/documents/converting-update.js';
import { valuesAt } from '../src/judgement/joins/joined-values.js';
import { queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { isRepeated } from '../src/judgement/queries/query-size.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { missingFields } from '../src/judgement/queries/unsearched-field.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../src/judgement/queries/worst-query-check.js';
import { SCAN_COST } from '../src/judgement/shell-statement.js';
import type { OperandType } from '../src/planner/operand.js';
import type { Comparison, Predicate } from '../src/planner/predicate.js';
import type { BsonType } from '../src/profile/document-profile.js';
import { familyCounts, familyName, familyOf, type TypeFamily } from '../src/profile/type-families.js';

interface NeverMatching extends FoundQuery {
  readonly cost: QueryCost;
  readonly path: string;
  readonly asked: TypeFamily;
  /** Empty if no document has the field. */
  readonly stored: readonly TypeFamily[];
  /** Sampled values, or documents if none has the field. */
  readonly values: number;
  /** Whether all documents of the collection were sampled. */
  readonly complete: boolean;
  /** Whether the values are elements of arrays, or fields of them. */
  readonly inArrays: boolean;
}

/**
 * A recorded query that found nothing is a finding if one of its conditions compares a field with a type that none of its
 * values has: the server compares values of one type only.
 */
export const neverMatchingCondition = defineWorstQueryCheck({
  id: 'never-matching-condition',
  title: 'Condition that can never match',
  summary: 'queries that find nothing because they compare a field with another type than it holds',
  thresholds: {
    values: {
      default: 100,
      unit: 'values',
      description: 'values sampled of the field, at least, unless the whole collection was read',
      source: 'judgement: fewer may all be exceptions',
    },
  },
  byPlans: true,
  isWrongResult: true,
  find: ({ cluster, limits }) =>
    queriesOf(cluster).flatMap((query): NeverMatching[] => {
      const cost = queryCost([query], cluster.workload);
      const unmet = neverMet(query.planned.filter, query, limits.values);
      return cost === null || unmet === null || !mayFindNothing(query, cost, unmet) ? [] : [{ ...unmet, query, cost }];
    }),
  path: ({ path }) => path,
  rank: ({ cost }) => cost.executions,
  severity: ({ query, cost, stored }) => (stored.length > 0 && isRepeated(query, cost) ? 'warning' : 'info'),
  confidence: ({ query, complete, stored }) =>
    stored.length === 0 ? 'low' : complete || query.returnsEachMatch ? 'high' : 'medium',
  message(all) {
    const [{ path, asked, stored, values, cost }] = all;
    const holds = stored.map((family) => familyName(family, 2)).join(' and ');
    if (stored.length === 0)
      return `${textOf(all)} finds nothing: none of ${formatCount(values)} sampled documents has \`${path}\` (${cost.window}).`;
    return (
      `${textOf(all)} can never match: it compares \`${path}\` with ${withArticle(familyName(asked, 1))}, and all ` +
      `${formatCount(values)} sampled values are ${holds}. The server raises no error (${cost.window}).`
    );
  },
  figures: ([{ asked, stored, values, cost }]) => ({
    comparedWith: asked,
    storedTypes: [...stored],
    sampledValues: values,
    documentsExamined: cost.documentsExamined,
    documentsReturned: cost.documentsReturned,
  }),
  remedy({ query, path, asked, stored: [stored], inArrays, complete }) {
    const { namespace } = query.known.collection;
    if (stored === undefined)
      return stepsOf(
        `Compare the name \`${path}\` with what the application writes: the field may have been renamed, or be written elsewhere.`,
        'If nothing writes it any longer, remove the query.',
        'Check that the query finds documents again.',
      );
    const update =
      complete && !inArrays && isConvertible(stored, typeOf(asked))
        ? convertingUpdate(namespace, path, stored, typeOf(asked))
        : null;
    return stepsOf(
      {
        text: `Compare \`${path}\` with ${withArticle(familyName(stored, 1))}: convert the value where the query is built.`,
        ...(CONSTRUCTORS[stored] !== undefined && { code: `{ ${JSON.stringify(path)}: ${CONSTRUCTORS[stored]} }` }),
      },
      update !== null && {
        text: `If the stored type is the mistake, convert the values instead. ${SCAN_COST} Other queries that compare with ${familyName(stored, 2)} then have to change, too.`,
        code: update,
      },
      'Check that the query returns documents again.',
    );
  },
});

/** How mongosh writes a value of a type that is not plain. */
const CONSTRUCTORS: Readonly<Partial<Record<TypeFamily, string>>> = {
  objectId: 'ObjectId("<id>")',
  date: 'ISODate("<date>")',
  number: 'Number("<text>")',
  binData: 'UUID("<uuid>")',
};

function typeOf(family: TypeFamily): BsonType {
  return family === 'number' ? 'long' : family;
}

function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * Whether it is known that nothing matched. Nobody knows of a group, a count or a join: then all documents were sampled, or none
 * was examined.
 */
function mayFindNothing(
  query: Query,
  { documentsReturned, documentsExamined, keysExamined }: QueryCost,
  { complete }: Unmet,
): boolean {
  if (query.returnsEachMatch && !query.joins) return documentsReturned === 0;
  // A covered count examines keys alone.
  return complete || (documentsExamined === 0 && keysExamined !== null && keysExamined <= 1);
}

type Unmet = Omit<NeverMatching, keyof FoundQuery>;

/** The condition that no document meets, by its type; null if some may meet each. */
function neverMet(predicate: Predicate, query: Query, least: number): Unmet | null {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.map((each) => neverMet(each, query, least)).find((each) => each !== null) ?? null;
    case 'or': {
      const branches = predicate.of.map((each) => neverMet(each, query, least));
      return branches.every((each) => each !== null) ? (branches[0] ?? null) : null;
    }
    case 'element':
      return neverMet(predicate.of, query, least);
    case 'comparison':
      return unmetBy(predicate, query, least);
    default:
      return null;
  }
}

/** Values of a collection that was read whole, below which its types are chance. Judgement. */
const FEWEST = 20;

const BY_TYPE: ReadonlySet<string> = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$regex', '$mod']);

function unmetBy({ path, operator, operand, inExpression }: Comparison, query: Query, least: number): Unmet | null {
  const { fieldTypes } = query.known;
  if (!fieldTypes.present || !BY_TYPE.has(operator) || inExpression === true) return null;
  const { complete, documents } = fieldTypes.value;
  const asked = [...operand.types].map(familiesOf);
  const [askedFirst] = asked.flat();
  if (askedFirst === undefined || asked.some((families) => families.length === 0)) return null;
  const found = valuesAt(fieldTypes.value, path);
  // Within objects, names may be data.
  if (found === null)
    return isEquality(operator) && writesNothing(query) && !path.includes('.') && missingFields(query).includes(path)
      ? { path, asked: askedFirst, stored: [], values: documents, complete, inArrays: false }
      : null;
  const { types, elementTypes } = found;
  const elements = familyCounts(elementTypes);
  const counts = [...familyCounts(types), ...elements];
  // What arrays are to hold is not known while all are empty.
  if (elements.length === 0 && counts.some(([family]) => family === 'array')) return null;
  // The elements of an array are its values; as a whole it is one only for a list.
  const [first, ...others] = new Set(counts.map(([family]) => family).filter((each) => each !== 'array'));
  const values = sum(counts.map(([family, count]) => (family === 'array' ? 0 : count)));
  const mayMatch = asked.some((families) => families.some((each) => counts.some(([family]) => family === each)));
  if (first === undefined || values < (complete ? FEWEST : least) || mayMatch) return null;
  return { path, asked: askedFirst, stored: [first, ...others], values, complete, inArrays: elements.length > 0 };
}

/** What is older than a time, or locked since one, may be absent for now. */
function isEquality(operator: string): boolean {
  return operator === '$eq' || operator === '$in';
}

/** Documents with the field may come for reads. What an update or a delete is to change by it, stays as it is. */
function writesNothing({ operation: { shape } }: Query): boolean {
  return shape.kind === 'update' || shape.kind === 'delete';
}

/** What a value of a type finds; empty if that is no question of types, as for null and the bounds of all values. */
function familiesOf(type: OperandType): TypeFamily[] {
  const family = familyOf(type);
  return family === null ? [] : type === 'regex' ? ['string', 'regex'] : [family];
}
