import { queryPath } from '../../src/profile/path-steps.js';
import type { Collection, IndexDescription } from '../../src/inventory/collection.js';

/** A field of an index that documents of production have, and none here. */
export interface RenamedField {
  readonly path: string;
  /** The field that stands in its place in an index here; null if there is none. */
  readonly renamedTo: string | null;
}

/** The first field of an index that documents of production alone have; null if there is none, or it is not known. */
export function fieldGoneHere(
  index: IndexDescription,
  here: readonly IndexDescription[],
  { production }: Collection,
): RenamedField | null {
  const fields = production?.present === true ? (production.value?.fields ?? null) : null;
  if (fields === null) return null;
  const gone = new Set(fields.onlyInProduction.map(queryPath));
  const added = new Set(fields.onlyHere.map(queryPath));
  const path = Object.keys(index.key).find((each) => gone.has(each));
  if (path === undefined) return null;
  const replacing = here.flatMap(({ key }) => fieldInPlace(path, Object.entries(index.key), Object.entries(key)));
  return { path, renamedTo: replacing.find((each) => added.has(each)) ?? null };
}

type KeyFields = readonly (readonly [string, number | string])[];

/** The field that a key has in place of one of another key; nothing if they differ in more. */
function fieldInPlace(path: string, key: KeyFields, other: KeyFields): readonly string[] {
  const isAlike = key.length === other.length && key.every(([, kind], position) => other[position]?.[1] === kind);
  const differing = other.flatMap(([field], position) => (key[position]?.[0] === field ? [] : [{ field, position }]));
  const [first, ...others] = differing;
  const isInPlace = first !== undefined && others.length === 0 && key[first.position]?.[0] === path;
  return isAlike && isInPlace ? [first.field] : [];
}
