import { BSON_TYPES, type BsonType, type TypeCounts } from '../../profile/document-profile.js';
import type { FieldType, FieldTypes } from '../../profile/field-types.js';
import { queryPath } from '../../profile/path-steps.js';
import type { Origin } from '../../workload/joins/join.js';

export interface JoinedValues {
  /** As stored; an array counts as one value. */
  readonly types: TypeCounts;
  readonly elementTypes: TypeCounts;
  /** Whether some documents lack the field. */
  readonly isMissing: boolean;
  /** On average; null if there are no arrays. */
  readonly elementsPerArray: number | null;
}

/** The types that converting operators produce. Source: MongoDB manual, "Type Expression Operators". */
const CONVERTED: Readonly<Record<string, BsonType>> = {
  $toString: 'string',
  $toObjectId: 'objectId',
  $toInt: 'int',
  $toLong: 'long',
  $toDouble: 'double',
  $toDecimal: 'decimal',
  $toDate: 'date',
  $toBool: 'bool',
};

const CONVERT_TO = '$convert to ';

/**
 * The values that a join finds at a traced field; null if the sample does not contain the field.
 *
 * @param unwound paths that were unwound before: their arrays are elements by then
 */
export function joinedValues(
  origin: Origin,
  fieldTypes: FieldTypes | null,
  unwound: readonly string[] = [],
): JoinedValues | null {
  if (!origin.traced || fieldTypes === null) return null;
  const values = valuesAt(fieldTypes, origin.path, unwound);
  if (values === null || origin.conversion === null) return values;
  const type = convertedType(origin.conversion);
  if (type === null) return null;
  const { null: nulls = 0, ...others } = values.types;
  const converted = Object.values(others).reduce((sum, count) => sum + count, 0);
  return {
    ...values,
    types: { [type]: converted, ...(nulls > 0 && { null: nulls }) },
    elementTypes: {},
    elementsPerArray: null,
  };
}

/** The values at a dotted path without marks for arrays; null if the sample contains none. */
export function valuesAt(
  { documents, fields }: FieldTypes,
  path: string,
  unwound: readonly string[] = [],
): JoinedValues | null {
  const seen = fields.filter((field) => queryPath(field.path) === path);
  if (seen.length === 0) return null;
  const types: TypeCounts = {};
  const elementTypes: TypeCounts = {};
  let elementsPerArray: number | null = null;
  for (const field of seen) {
    const arrays = arraysOnTheWay(field.path).filter((array) => !unwound.includes(array));
    const isUnwound = unwound.includes(path);
    if (arrays.length === 0) add(types, isUnwound ? { ...field.types, array: 0 } : field.types);
    else {
      add(elementTypes, { ...field.types, array: 0 });
      // An array on the way gives one value per document: the array of what its elements hold.
      if (arrays.some((array) => array !== path)) add(types, { array: field.documents });
    }
    elementsPerArray = largest(elementsPerArray, isUnwound ? null : elementsOnTheWay(field, fields, arrays));
  }
  const documentsWithIt = Math.max(...seen.map((field) => field.documents));
  return { types, elementTypes, isMissing: documentsWithIt < documents, elementsPerArray };
}

/** Whether documents hold an array at the path or on the way to it; undefined if the sample does not contain the path. */
export function holdsArrays(fieldTypes: FieldTypes | null, path: string): boolean | undefined {
  const values = fieldTypes === null ? null : valuesAt(fieldTypes, path);
  return values === null ? undefined : (values.types.array ?? 0) > 0 || Object.keys(values.elementTypes).length > 0;
}

/** The plain paths of the arrays on the way: `a` and `a.b` for `a[].b[]`. */
function arraysOnTheWay(path: string): string[] {
  return [...path.matchAll(/\[\]/g)].map(({ index }) => queryPath(path.slice(0, index)));
}

function elementsOnTheWay(field: FieldType, fields: readonly FieldType[], arrays: readonly string[]): number | null {
  if (arrays.length === 0) return field.elementsPerArray;
  const lengths = fields
    .filter((other) => arrays.includes(queryPath(other.path)))
    .map(({ elementsPerArray }) => elementsPerArray);
  return lengths.reduce(largest, null);
}

function convertedType(conversion: string): BsonType | null {
  const name = conversion.startsWith(CONVERT_TO) ? conversion.slice(CONVERT_TO.length) : CONVERTED[conversion];
  return BSON_TYPES.find((type) => type === name) ?? null;
}

function add(sums: TypeCounts, counts: TypeCounts): void {
  for (const [type, count] of Object.entries(counts) as [BsonType, number][]) {
    if (count > 0) sums[type] = (sums[type] ?? 0) + count;
  }
}

function largest(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.max(one, other);
}
