import { Binary, Double, Int32, Long, ObjectId } from 'mongodb';
import type { IdConversion } from './references.js';

/** A value as it is stored, or converted to another type of `_id`. */
export interface IdentifierForm {
  readonly value: unknown;
  /** Equal for values that the server holds for equal: `5` and `5.0`. */
  readonly key: string;
  readonly conversion: IdConversion | null;
}

const OBJECT_ID = /^[0-9a-f]{24}$/i;
export const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_BYTES = 16;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** The value itself first; empty for types that ids are not made of. */
export function identifierForms(value: unknown): IdentifierForm[] {
  const key = identifierKey(value);
  if (key === null) return [];
  const itself: IdentifierForm = { value, key, conversion: null };
  return [
    itself,
    ...converted(value).flatMap(([other, conversion]) => ({
      value: other,
      key: identifierKey(other) as string,
      conversion,
    })),
  ];
}

export function formsOf(
  forms: readonly IdentifierForm[],
  families: ReadonlySet<string> | null,
): readonly IdentifierForm[] {
  return families === null ? forms : forms.filter(({ key }) => families.has(key.slice(0, key.indexOf(' '))));
}

export function distinctValues(forms: readonly IdentifierForm[]): unknown[] {
  return [...new Map(forms.map(({ key, value }) => [key, value])).values()];
}

/** Begins with the family; null for other types. */
export function identifierKey(value: unknown): string | null {
  if (typeof value === 'string') return `string ${value}`;
  if (value instanceof ObjectId) return `objectId ${value.toHexString()}`;
  if (value instanceof Binary) return `binData ${value.sub_type} ${value.toString('hex')}`;
  const number = wholeNumber(value);
  return number === null ? null : `number ${number}`;
}

function converted(value: unknown): [unknown, IdConversion][] {
  if (value instanceof ObjectId) return [[value.toHexString(), 'objectId to string']];
  if (value instanceof Binary) return isUuid(value) ? [[value.toUUID().toString(), 'UUID to string']] : [];
  if (typeof value !== 'string') return [[String(wholeNumber(value)), 'number to string']];
  if (OBJECT_ID.test(value)) return [[new ObjectId(value), 'string to objectId']];
  if (UUID_TEXT.test(value))
    return [[Binary.createFromHexString(value.replaceAll('-', ''), Binary.SUBTYPE_UUID), 'string to UUID']];
  return WHOLE_NUMBER.test(value) ? [[Number(value), 'string to number']] : [];
}

function isUuid({ sub_type: subtype, position }: Binary): boolean {
  return subtype === Binary.SUBTYPE_UUID && position === UUID_BYTES;
}

function wholeNumber(value: unknown): string | null {
  if (value instanceof Long) return value.toString();
  const number = value instanceof Int32 || value instanceof Double ? value.valueOf() : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? String(number) : null;
}
