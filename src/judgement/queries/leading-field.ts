import type { FieldTypes } from '../../profile/field-types.js';
import { nameInField, nameOfTarget, suggestsTarget } from '../../references/suggested-target.js';
import type { BsonType } from '../../profile/document-profile.js';
import type { Evidence } from '../../presence.js';
import type { Query } from './query.js';

/** Types that hold nothing but identifiers, so that a field of one may lead to a document under any name. */
const OF_IDENTIFIERS: ReadonlySet<BsonType> = new Set(['objectId', 'binData']);
const NUMBERS: readonly BsonType[] = ['int', 'long', 'double', 'decimal'];

/**
 * Whether documents hold what a find asks for: a field of the type of its value, whose name suggests the field or the
 * collection that is searched. Identifiers need no name. False if the fields are not known.
 *
 * @param asked a find by one value, a placeholder such as `?objectId`, of one field
 */
export function holdsValueFor(
  { query, path, value }: { readonly query: Query; readonly path: string; readonly value: string },
  fieldTypes: Evidence<FieldTypes> | undefined,
): boolean {
  if (fieldTypes?.present !== true) return false;
  const wanted = typesOf(value);
  const target = nameOfTarget(query.known.collection.name);
  return fieldTypes.value.fields.some((field) => {
    const shared = wanted.filter((type) => (field.types[type] ?? 0) > 0);
    if (field.path === '_id' || shared.length === 0) return false;
    const name = nameInField(field.path);
    const isNamed = suggestsTarget(name, target) || (path !== '_id' && name !== null && name === nameInField(path));
    return isNamed || (path === '_id' && shared.some((type) => OF_IDENTIFIERS.has(type)));
  });
}

function typesOf(placeholder: string): readonly BsonType[] {
  const type = placeholder.replace(/^\?/, '');
  return type === 'number' ? NUMBERS : [type as BsonType];
}
