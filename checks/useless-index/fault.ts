import type { Collection, FieldType, FieldTypes, IndexDescription } from '../../src/check.js';
import { formatCount, formatShare, plural } from '../../src/format.js';
import { fieldsOfEntries, isIdIndex, isVisible } from '../../src/inventory/index-key.js';
import { shareWithin, type SeenPart } from '../../src/judgement/margins.js';
import { isWithin, queryPath } from '../../src/profile/path-steps.js';
import { requiredFields } from '../too-many-indexes/written-per-insert.js';

/** Why an index serves nothing, as its leading field shows. */
export interface Fault {
  /** It is `_id`, no document has it, it is null in all that have it, or it has few values. */
  readonly kind: 'id' | 'missing' | 'null' | 'few';
  readonly field: string;
  /** Whether it holds of the whole collection, whatever its queries ask for. */
  readonly isSure: boolean;
  /** What is said of the field: "which has one value in all 100 documents.". */
  readonly text: string;
  readonly figures: { readonly values?: number; readonly rarestShare?: number };
}

/** Null if its leading field shows no fault, or if it holds no entry: that costs nothing, and waits for documents. */
export function faultOf(
  index: IndexDescription,
  { sharding }: Collection,
  types: FieldTypes,
  seen: SeenPart,
  most: { readonly values: number; readonly rare: number },
): Fault | null {
  const [[field, kind] = ['', '']] = Object.entries(index.key);
  const isShardKey = sharding?.key[0]?.path === field;
  if (!isVisible(index) || isIdIndex(index) || isShardKey || kind === 'text' || field.includes('$**')) return null;
  if (field === '_id') {
    const text = 'which alone identifies a document: the fields after it narrow nothing. Each insert writes it.';
    const isMore = typeof kind === 'number' && Object.keys(index.key).length > 1;
    return isMore ? { kind: 'id', field, isSure: true, text, figures: {} } : null;
  }
  const [type, ...others] = fieldsWithin(field, types);
  const hasTtl = index.expireAfterSeconds !== undefined;
  if (index.unique) return null;
  if (type === undefined) {
    const isMissing = (path: string) => fieldsWithin(path, types).length === 0;
    const needed = requiredFields(index.partialFilterExpression ?? {});
    if (needed.some(isMissing) || fieldsOfEntries(index)?.every(isMissing) === true) return null;
    const text = `which none of ${sampled(types)} has: it finds nothing${hasTtl ? ', and its TTL deletes nothing' : ''}.`;
    return { kind: 'missing', field, isSure: types.complete, text, figures: { values: 0 } };
  }
  const isWhole = !hasTtl && index.partialFilterExpression === undefined;
  const isPlain = others.length === 0 && type.path === field && (typeof kind === 'number' || kind === 'hashed');
  if (!isWhole || !isPlain || (index.sparse && type.documents < types.documents)) return null;
  const few = fewValues(type, types, seen, most);
  return few?.kind === 'few' && isNarrowedBehind(index, types, most.values) ? null : few;
}

/** Whether a field behind the first has more values: a search by both, such as a tenant and what is its own, finds few. */
function isNarrowedBehind({ key }: IndexDescription, { fields }: FieldTypes, most: number): boolean {
  return Object.keys(key)
    .slice(1)
    .some((path) => path === '_id' || fields.some((each) => each.path === path && (each.spread?.distinct ?? 0) > most));
}

function fewValues(
  { path: field, types, documents, spread }: FieldType,
  all: FieldTypes,
  seen: SeenPart,
  most: { readonly values: number; readonly rare: number },
): Fault | null {
  const { object = 0, array = 0, null: ofNull = 0, undefined: ofNothing = 0 } = types;
  const something = documents - ofNull - ofNothing;
  const nothing = all.documents - something;
  const { distinct, commonest } = spread ?? { distinct: 0, commonest: 0 };
  const values = distinct + (nothing > 0 ? 1 : 0);
  const rarer = distinct === 2 ? (1 - commonest) * something : Math.min(nothing, something);
  // Only a record of all that runs shows that no query asks for a value of few documents.
  const byRecord = values > 2 || (values === 2 && shareWithin(rarer, all.documents, seen)[0] < most.rare);
  // The sample does not count the different objects and arrays.
  if (object + array > 0 || values < 1 || values > most.values || (byRecord && most.values <= 2)) return null;
  const isOfBooleans = Object.keys(types).every((type) => type === 'bool') && nothing === 0;
  const isSure = !byRecord && (all.complete || isOfBooleans);
  const rarestShare = values === 1 ? 1 : rarer / all.documents;
  const isNull = something === 0;
  const has = values === 1 ? 'one value in all' : `${values === 2 ? 'two' : formatCount(values)} values in`;
  const rare = values === 2 ? `, the rarer one in ${formatShare(rarestShare)}` : '';
  const text = isNull
    ? `which is null or missing in all ${sampled(all)}: a search by it finds all of them or none.`
    : `which has ${has} ${sampled(all)}${rare}.${byRecord ? '' : ' A search by it reads a large part of the collection, which a scan does faster.'}`;
  const figures = { values, ...(values <= 2 && { rarestShare }) };
  return { kind: isNull ? 'null' : 'few', field, isSure, text, figures };
}

function fieldsWithin(path: string, { fields }: FieldTypes): readonly FieldType[] {
  return fields.filter((field) => isWithin(queryPath(field.path), path));
}

function sampled({ documents, complete }: FieldTypes): string {
  return `${plural(documents, 'document')}${complete ? '' : ' of the sample'}`;
}
