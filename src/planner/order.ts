import type { SortField } from './access.js';

/** One field of an index as a scan reads it. */
export interface ReadField {
  readonly path: string;
  /** 1 or -1; 0 if its keys have no order of values. */
  readonly direction: 1 | -1 | 0;
  readonly bounds: 'one value' | 'points' | 'range' | 'all';
  /** Whether an array is at the path or on the way to it: a document then has several places in the order. */
  readonly isMultikey: boolean;
  /** Whether its keys are in the order that the query compares by. */
  readonly isSameOrder: boolean;
}

/** Default of `internalQueryMaxScansToExplode`: above it scans for the values of `$in` are not merged in order. */
const MOST_SCANS_TO_MERGE = 200;

/**
 * Whether a scan gives documents in an order, also read backwards. Fields of one value have any order; scans for several values
 * of the fields in front are merged.
 *
 * @param valuesOf how many values a field of several points has; null if that is not known
 */
export function givesOrder(
  fields: readonly ReadField[],
  sort: readonly SortField[],
  valuesOf: (path: string) => number | null,
): boolean {
  const one = new Set(fields.flatMap(({ path, bounds }) => (bounds === 'one value' ? [path] : [])));
  const wanted = sort.filter(([path]) => !one.has(path));
  if (wanted.length === 0) return true;
  if (
    isWalkedInOrder(
      fields.filter(({ path }) => !one.has(path)),
      wanted,
    )
  )
    return true;
  const end = fields.findIndex(({ bounds }) => bounds !== 'one value' && bounds !== 'points');
  const merged = end === -1 ? fields : fields.slice(0, end);
  const scans = merged.reduce(
    (product, { path, bounds }) => product * (bounds === 'points' ? (valuesOf(path) ?? 1) : 1),
    1,
  );
  return merged.length > 0 && scans <= MOST_SCANS_TO_MERGE && isWalkedInOrder(fields.slice(merged.length), wanted);
}

function isWalkedInOrder(fields: readonly ReadField[], wanted: readonly SortField[]): boolean {
  const turns = wanted.map(([path, direction], position) => {
    const field = fields[position];
    if (field === undefined || field.path !== path || field.direction === 0 || !field.isSameOrder) return null;
    return field.isMultikey ? null : field.direction * direction;
  });
  return new Set(turns).size === 1 && turns[0] !== null;
}
