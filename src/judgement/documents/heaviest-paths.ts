import type { FieldType } from '../../profile/field-types.js';
import { isQueryable } from '../../profile/path-steps.js';

export interface HeavyPath {
  readonly path: string;
  readonly share: number;
}

/** A path of documents, with its share of all bytes. */
interface WeighedPath {
  readonly path: string;
  readonly parent: string | null;
  readonly shareOfBytes: number;
}

/** Share from which what is heavy is the payload: the rest of a document only describes it. Judgement. */
export const NEARLY_ALL = 0.8;

/** Share of all bytes from which a field is heavy. Reads could do with the lighter ones. */
export const HEAVY_SHARE = 0.2;

/** Top-level fields, or the field within that makes up nearly all of one. */
export function heaviestPaths(paths: readonly WeighedPath[], most = 3): HeavyPath[] {
  return paths
    .filter(({ parent }) => parent === null)
    .toSorted((a, b) => b.shareOfBytes - a.shareOfBytes)
    .slice(0, most)
    .map((top) => within(top, paths))
    .map(({ path, shareOfBytes }) => ({ path, share: shareOfBytes }));
}

function within(path: WeighedPath, paths: readonly WeighedPath[]): WeighedPath {
  const field = paths.find((each) => each.parent === path.path && each.shareOfBytes >= NEARLY_ALL * path.shareOfBytes);
  return field === undefined || field.path.endsWith('[]') ? path : within(field, paths);
}

/** The fewest heavy fields that make up nearly all of a share of the bytes; null if no few do. The heaviest comes first. */
export function payloadPaths(paths: readonly WeighedPath[], of = 1): readonly [HeavyPath, ...HeavyPath[]] | null {
  const heavy = heaviestPaths(paths).filter(({ share }) => share >= HEAVY_SHARE * of);
  for (let fields = 1; fields <= heavy.length; fields += 1) {
    const [first, ...others] = heavy.slice(0, fields);
    const share = others.reduce((sum, each) => sum + each.share, first?.share ?? 0);
    if (first !== undefined && share >= NEARLY_ALL * of) return [first, ...others];
  }
  return null;
}

/** The fields that a projection can name, outside of arrays, each with the field that it is in. */
export function weighedFields<Field extends FieldType>(fields: readonly Field[]): (Field & WeighedPath)[] {
  return fields
    .filter(({ path }) => isQueryable(path) && !path.includes('['))
    .map((field) => {
      const end = field.path.lastIndexOf('.');
      const parent = end === -1 ? null : field.path.slice(0, end);
      return { ...field, parent, shareOfBytes: field.shareOfBytes ?? 0 };
    });
}
