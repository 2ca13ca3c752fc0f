import type { KnownCollection } from '../../src/check.js';
import { groupedBy, groupedByEach } from '../../src/grouped-by.js';

export type Known = KnownCollection<'storage' | 'fieldTypes'>;

/** Collections of one database that hold the same kind of thing: their names differ in one part. */
export interface CollectionFamily {
  /** The names as a glob: "shop.readings_*". */
  readonly namespaces: string;
  readonly members: readonly Known[];
  readonly dividedBy: 'date' | 'number or id' | 'name';
}

/** A UUID, an ObjectId or hash of 24 to 64 digits, or a number. */
const VALUE = '(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,64}|\\d+)';
const VARIABLE = new RegExp(`${VALUE}(?:[-_.]?${VALUE})*`, 'gi');
const YEAR_AND_MORE = /(?:^|\D)(?:19|20)\d\d[-_.]?(?:0[1-9]|1[0-2]|W\d\d|Q[1-4])/i;

/** Share of the documents that have a field, and of the members of a family, from which it belongs to the shape. */
const USUAL = 0.5;
/** Share of the fields of two shapes that both have, from which they are the same: tenants differ in what they use. */
const SAME_SHAPE = 0.7;

/** A collection, and a name that others may have in common with it. */
interface Candidate {
  readonly known: Known;
  readonly glob: string;
  /** Null if the name alone shows the family. */
  readonly fields: ReadonlySet<string> | null;
}

/**
 * The families of so many members at least, the largest first: names that differ in numbers, dates or ids, or that begin or
 * end alike if the collections have the same fields.
 */
export function familiesOf(collections: readonly Known[], least: number): CollectionFamily[] {
  const groups = [...groupedBy(collections.flatMap(candidatesOf), ({ glob, fields }) => `${glob} ${fields === null}`)]
    .filter(([, group]) => group.length >= least)
    .map(([, group]) => ofOneShape(group))
    .toSorted(numberedFirst);
  const taken = new Set<Known>();
  const families = groups.flatMap((group): CollectionFamily[] => {
    const members = group.map(({ known }) => known).filter((known) => !taken.has(known));
    const [{ glob: namespaces, fields } = { glob: '' }] = group;
    if (members.length < least) return [];
    for (const member of members) taken.add(member);
    const dated = members.filter(({ collection }) => YEAR_AND_MORE.test(collection.name)).length;
    const dividedBy = fields !== null ? 'name' : 2 * dated > members.length ? 'date' : 'number or id';
    return [{ namespaces, members, dividedBy }];
  });
  return families.toSorted((one, other) => other.members.length - one.members.length);
}

/** Puts numbered families first, then the largest, then that of the longest name. */
function numberedFirst(one: readonly Candidate[], other: readonly Candidate[]): number {
  const rankOf = ([first]: readonly Candidate[]) => (first?.fields === null ? 0 : 1);
  const lengthOf = ([first]: readonly Candidate[]) => first?.glob.length ?? 0;
  return rankOf(one) - rankOf(other) || other.length - one.length || lengthOf(other) - lengthOf(one);
}

function candidatesOf(known: Known): Candidate[] {
  const { database, name, kind } = known.collection;
  const variable = name.replace(VARIABLE, '*');
  const numbered = variable === name ? [] : [{ known, glob: `${database}.${variable}`, fields: null }];
  const { documents = 0, fields: all = [] } = known.fieldTypes.present ? known.fieldTypes.value : {};
  const usual = all.filter((each) => !/^_id$|[.[*]/.test(each.path) && each.documents >= USUAL * documents);
  const fields = new Set(usual.map(({ path }) => path));
  if (kind !== 'collection' || fields.size === 0) return numbered;
  const cuts = [...name.matchAll(/[-_.]/g)].map(({ index }) => index);
  const parts = cuts.flatMap((cut) => [`${name.slice(0, cut + 1)}*`, `*${name.slice(cut)}`]);
  return [...numbered, ...parts.map((part) => ({ known, glob: `${database}.${part}`, fields }))];
}

/** Those that have most of the fields that are usual among them, and few others. */
function ofOneShape(group: readonly Candidate[]): readonly Candidate[] {
  const holders = [...groupedByEach(group, ({ fields }) => fields ?? [])];
  const usual = holders.filter(([, { length }]) => length >= USUAL * group.length).map(([field]) => field);
  return group.filter(({ fields }) => {
    const shared = usual.filter((field) => fields?.has(field)).length;
    return fields === null || shared >= SAME_SHAPE * (usual.length + fields.size - shared);
  });
}
