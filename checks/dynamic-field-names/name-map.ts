import type { ObjectProfile, PathProfile } from '../../src/check.js';

/**
 * Nobody writes a schema of more names. Far beyond it, the count of different names (which saturates at 65,536) is too low to
 * be compared with the names per object, which are exact.
 */
const MOST_NAMES_OF_A_SCHEMA = 10_000;

/** Such names become more with the data, even if all objects share those of today. */
const NEVER_STABLE: ReadonlySet<string> = new Set(['objectId', 'uuid', 'hex', 'date']);

export const GROWING: ReadonlySet<string> = new Set([...NEVER_STABLE, 'numbered']);

/** The first level of a date that is spread over levels: `2026.05.17`. */
const YEAR = /^(?:19|20)\d{2}$/;

/** An object used as a map, with the maps in it. */
export interface NameMap {
  readonly fields: ObjectProfile['fields'];
  readonly namePattern: ObjectProfile['namePattern'];
  /** Different names of each level, the outermost first. */
  readonly levels: readonly number[];
  /** The product of the levels. */
  readonly distinct: number;
  /** The product of the levels' medians. */
  readonly median: number;
}

/** By the path that they lie in; null is the document itself. */
type Children = ReadonlyMap<string | null, readonly PathProfile[]>;

export function mapAt(path: string | null, object: ObjectProfile, children: Children): NameMap | null {
  const { fields, distinctFields, folded } = object;
  const below = (children.get(path) ?? []).filter((child) => child.path !== '_id');
  const isYears = !folded && below.length > 0 && below.every((child) => YEAR.test(lastStep(child.path)));
  if (!folded && !isYears) return null;
  const [inner] = below
    .filter((child) => isYears || lastStep(child.path) === '*')
    .flatMap((child) => (child.object?.folded === true ? (mapAt(child.path, child.object, children) ?? []) : []))
    .toSorted((one, other) => other.distinct - one.distinct);
  if (isYears && inner === undefined) return null;
  return {
    fields,
    namePattern: isYears ? 'date' : object.namePattern,
    levels: [distinctFields, ...(inner?.levels ?? [])],
    distinct: distinctFields * (inner?.distinct ?? 1),
    median: fields.median * (inner?.median ?? 1),
  };
}

function lastStep(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Names that most objects share are a wide schema, whatever they look like. */
export function isStable({ fields, distinct, median, namePattern }: NameMap, stableRatio: number): boolean {
  if (distinct > MOST_NAMES_OF_A_SCHEMA || median > MOST_NAMES_OF_A_SCHEMA) return false;
  const areKeys = namePattern === 'email' || (namePattern !== null && NEVER_STABLE.has(namePattern));
  return !areKeys && fields.count > 1 && distinct <= stableRatio * median;
}
