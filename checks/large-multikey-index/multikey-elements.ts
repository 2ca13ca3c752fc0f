import type { ArrayProfile, Distribution, PathProfile } from '../../src/profile/document-profile.js';
import { queryPath, withoutElements } from '../../src/profile/path-steps.js';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { elementsPerDocument } from '../../src/judgement/arrays/array-shape.js';

/** The array that makes an index multikey, with an entry for each different value that a document's elements have. */
export interface MultikeyElements {
  /** As in the profile, without the mark of its elements. */
  readonly array: string;
  readonly profile: PathProfile & { readonly array: ArrayProfile };
  /** Elements per document, of those that hold the array. */
  readonly counts: Distribution;
  /** The most values that the elements of a document can have by their type and range; Infinity if these do not say. */
  readonly mostValues: number;
}

const NUMERIC = ['int', 'long', 'double'] as const;

/** By the field of the index with the most elements; null without an array whose elements may all differ. */
export function multikeyElements(
  { key }: Pick<IndexDescription, 'key'>,
  paths: readonly PathProfile[],
): MultikeyElements | null {
  const found = Object.entries(key).flatMap(([field, kind]): MultikeyElements[] => {
    const profile = typeof kind === 'number' ? innermostArray(field, paths) : null;
    const mostValues = profile === null ? 0 : mostValuesOf(field, profile, paths);
    if (profile === null || mostValues === 0) return [];
    const isNested = profile.path.includes('[]');
    const counts = isNested ? elementsPerDocument(profile.array) : profile.array.lengths;
    return [{ array: withoutElements(profile.path), profile, counts, mostValues }];
  });
  return found.toSorted((one, other) => other.counts.median - one.counts.median)[0] ?? null;
}

function innermostArray(
  field: string,
  paths: readonly PathProfile[],
): (PathProfile & { readonly array: ArrayProfile }) | null {
  const onTheWay = paths.flatMap((each) => {
    const { array } = each;
    const path = queryPath(each.path);
    return array !== undefined && (field === path || field.startsWith(`${path}.`)) ? [{ ...each, array }] : [];
  });
  return onTheWay.toSorted((one, other) => other.path.length - one.path.length)[0] ?? null;
}

/** Texts and truth values beside others in an element are of a few kinds most often: 0, as they can't be counted. */
function mostValuesOf(field: string, array: PathProfile, paths: readonly PathProfile[]): number {
  if (queryPath(array.path) === field) {
    const values = paths.find(({ path }) => path === `${array.path}[]`);
    return values === undefined ? 0 : byRange(values);
  }
  const values = paths.find(({ path }) => queryPath(path) === field && path.startsWith(`${array.path}[]`));
  const types = Object.keys(values?.types ?? {});
  const isOfFew = types.some((type) => type === 'string' || type === 'bool' || type === 'null');
  // Elements without the field have one entry together.
  return values === undefined || isOfFew || values.presence < 1 ? 0 : byRange(values);
}

function byRange({ types, values }: PathProfile): number {
  const { numbers } = values ?? {};
  const isOfNumbers = Object.keys(types).every((type) => (NUMERIC as readonly string[]).includes(type));
  if (numbers === undefined || !isOfNumbers || numbers.whole < numbers.count) return Infinity;
  return numbers.max - numbers.min + 1;
}
