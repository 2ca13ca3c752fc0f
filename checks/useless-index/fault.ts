import type { Collection, FieldType, FieldTypes, IndexDescription } from '../../src/check.js';
import { fieldsOfEntries, isIdIndex, isVisible } from '../../src/inventory/index-key.js';
import { shareWithin, type SeenPart } from '../../src/judgement/margins.js';
import { isWithin, queryPath } from '../../src/profile/path-steps.js';
import { requiredFields } from '../too-many-indexes/written-per-insert.js';

/** Values that no index tells from a missing field. */
const NOTHING = ['null', 'undefined'] as const;
/** Objects and arrays are no values of which the sample counts the different ones. */
const NOT_COUNTED = ['object', 'array'] as const;

/** Why an index serves nothing, as its leading field shows. */
export interface Fault {
  readonly field: string;
  /** 0 if no sampled document has the field; null if it is `_id`. */
  readonly values: number | null;
  /** Whether its one value is null: a search for it finds all documents, in the order of the fields behind it. */
  readonly isNull: boolean;
  /** Share of the documents with the rarer of two values, 0 to 1; 1 for a single value, 0 without a field. */
  readonly rarest: number;
  /** True if only a record of all that runs shows that no query asks for a value of few documents. */
  readonly byRecord: boolean;
  /** Whether it holds of the whole collection: all documents were read, or the type has no further values. */
  readonly isSure: boolean;
}

/** Up to how many values a field has few, and below which share of the documents one of two is rare. */
export interface FewValues {
  readonly values: number;
  readonly rare: number;
}

/** Null if its leading field shows no fault. */
export function faultOf(
  index: IndexDescription,
  { sharding }: Collection,
  types: FieldTypes,
  seen: SeenPart,
  most: FewValues,
): Fault | null {
  const [[field, kind] = ['', '']] = Object.entries(index.key);
  if (!isVisible(index) || isIdIndex(index) || kind === 'text' || field.includes('$**')) return null;
  if (sharding?.key[0]?.path === field) return null;
  if (field === '_id') {
    const isMore = typeof kind === 'number' && Object.keys(index.key).length > 1;
    return isMore ? { field, values: null, isNull: false, rarest: 0, byRecord: false, isSure: true } : null;
  }
  if (index.unique) return null;
  const found = types.fields.filter(({ path }) => isWithin(queryPath(path), field));
  if (found.length === 0)
    return { field, values: 0, isNull: false, rarest: 0, byRecord: false, isSure: types.complete };
  const [type, ...others] = found;
  const isPlain = typeof kind === 'number' || kind === 'hashed';
  if (type === undefined || others.length > 0 || type.path !== field || !isPlain) return null;
  if (index.expireAfterSeconds !== undefined || index.partialFilterExpression !== undefined) return null;
  return fewValues(type, index.sparse, types, seen, most);
}

function fewValues(
  { path: field, types, documents, spread }: FieldType,
  isSparse: boolean,
  { documents: sampled, complete }: FieldTypes,
  seen: SeenPart,
  most: FewValues,
): Fault | null {
  if (NOT_COUNTED.some((type) => (types[type] ?? 0) > 0)) return null;
  const nulls = NOTHING.reduce((sum, type) => sum + (types[type] ?? 0), 0);
  const nothing = isSparse ? nulls : sampled - documents + nulls;
  const { distinct, commonest } = spread ?? { distinct: 0, commonest: 0 };
  const values = distinct + (nothing > 0 ? 1 : 0);
  if (values < 1 || values > most.values || (isSparse && documents < sampled)) return null;
  const something = documents - nulls;
  const rarer = distinct === 2 ? (1 - commonest) * something : Math.min(nothing, something);
  const byRecord = values > 2 || (values === 2 && shareWithin(rarer, sampled, seen)[0] < most.rare);
  if (byRecord && most.values <= 2) return null;
  const isOfBooleans = Object.keys(types).every((type) => type === 'bool');
  const isSure = complete || (isOfBooleans && nothing === 0);
  return { field, values, isNull: something === 0, rarest: values === 1 ? 1 : rarer / sampled, byRecord, isSure };
}

/** What holds no entry costs nothing, and waits for documents that have the field. */
export function isEmpty(index: IndexDescription, { values }: Fault, { fields }: FieldTypes): boolean {
  const isMissing = (field: string) => !fields.some(({ path }) => isWithin(queryPath(path), field));
  if (values !== 0) return false;
  return (
    fieldsOfEntries(index)?.every(isMissing) === true ||
    requiredFields(index.partialFilterExpression ?? {}).some(isMissing)
  );
}
