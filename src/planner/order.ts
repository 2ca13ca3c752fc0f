import type { SortField } from './access.js';
import type { SearchedField } from './searched-field.js';

/** One field of an index as a scan reads it. */
export interface ReadField extends Pick<SearchedField, 'kind' | 'points'> {
  readonly path: string;
  /** 1 or -1; 0 if its keys have no order of values. */
  readonly direction: 1 | -1 | 0;
  /** At the path and on the way to it: a document may have several places in the order. */
  readonly arrays: readonly string[];
  /** Whether its keys are in the order that the query compares by. */
  readonly isSameOrder: boolean;
}

/** Default of `internalQueryMaxScansToExplode`: above it scans for single values are not merged in order. */
const MOST_SCANS_TO_MERGE = 200;

/**
 * Whether the scans give documents in an order, also read backwards: each by itself, or, if they may be, split into scans for
 * single values.
 */
export function giveOrder(
  scans: readonly (readonly ReadField[])[],
  sort: readonly SortField[],
  mayBeSplit: boolean,
): boolean {
  if (scans.every((fields) => isWalkedInOrder(fields, sort))) return true;
  if (!mayBeSplit) return false;
  const splits = scans.map((fields) => splitIntoValues(fields, sort));
  return !splits.includes(null) && splits.reduce<number>((sum, count) => sum + (count ?? 0), 0) <= MOST_SCANS_TO_MERGE;
}

/** How many scans for single values of the fields in front would each be in order; null if they would not be. */
function splitIntoValues(fields: readonly ReadField[], sort: readonly SortField[]): number | null {
  const end = fields.findIndex(({ kind }) => kind !== 'points');
  const behind = fields.slice(end);
  if (end <= 0 || behind.some(({ arrays }) => arrays.length > 0) || !isInOrder(behind, sort)) return null;
  return fields.slice(0, end).reduce((product, { points }) => product * (points ?? 1), 1);
}

/** Fields of one value have any order. */
function isWalkedInOrder(fields: readonly ReadField[], sort: readonly SortField[]): boolean {
  const one = fields.filter(({ points }) => points === 1);
  const wanted = sort.filter(([path]) => !one.some((field) => field.path === path && field.arrays.length === 0));
  return isInOrder(
    fields.filter((field) => !one.includes(field)),
    wanted,
    fields,
  );
}

/** For an array, a document has several keys: its place is the first or the last of them, which must not be left out. */
function isInOrder(
  fields: readonly ReadField[],
  wanted: readonly SortField[],
  all: readonly ReadField[] = fields,
): boolean {
  const turns = wanted.map(([path, direction], position) => {
    const field = fields[position];
    if (field === undefined || field.path !== path || field.direction === 0 || !field.isSameOrder) return null;
    const beside = all.filter(({ arrays }) => arrays.some((array) => field.arrays.includes(array)));
    return beside.every(({ kind }) => kind === 'all') ? field.direction * direction : null;
  });
  return new Set(turns).size <= 1 && !turns.includes(null);
}
