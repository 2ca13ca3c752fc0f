import type { BsonType } from '../profile/document-profile.js';
import type { FieldTypes } from '../profile/field-types.js';
import { queryPath } from '../profile/path-steps.js';
import type { PlannedCollection } from './access.js';
import { OPERAND_TYPES, type OperandType } from './operand.js';

const NUMBERS: ReadonlySet<BsonType> = new Set(['double', 'int', 'long', 'decimal']);
const NO_VALUES: ReadonlySet<OperandType> = new Set(['null', 'undefined', 'array', 'regex']);

/** What the planner has to know of a collection, as far as a sample shows it. */
export function sampledCollection(fieldTypes: FieldTypes | null): PlannedCollection {
  const arrays = new Map<string, boolean>();
  for (const { path, types } of fieldTypes?.fields ?? []) {
    const plain = queryPath(path);
    arrays.set(plain, arrays.get(plain) === true || path.endsWith('[]') || (types.array ?? 0) > 0);
  }
  return { holdsArray: (path) => arrays.get(path) };
}

/** The types by which the values of a field are searched, one at a time: those of the sample, or any if it shows none. */
export function searchedTypes(fieldTypes: FieldTypes | null, path: string): readonly OperandType[] {
  const seen = (fieldTypes?.fields ?? []).filter((field) => queryPath(field.path) === path);
  const types = new Set(seen.flatMap((field) => (Object.keys(field.types) as BsonType[]).map(operandTypeOf)));
  const values = [...(types.size === 0 ? OPERAND_TYPES : types)].filter((type) => !NO_VALUES.has(type));
  return values.length === 0 ? OPERAND_TYPES.filter((type) => !NO_VALUES.has(type)) : values;
}

export function operandTypeOf(type: BsonType): OperandType {
  return NUMBERS.has(type) ? 'number' : (type as OperandType);
}
