import type { Collection, IndexDescription, KnownCollection } from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { isIdIndex } from '../../src/inventory/index-key.js';

const UUID = '[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}';
const OBJECT_ID = '[0-9a-f]{24}';
/** SHA-256 and SHA-1; an MD5 has as many digits as a UUID. */
const HASH = '[0-9a-f]{64}|[0-9a-f]{40}';
const VALUE = `(?:${HASH}|${UUID}|${OBJECT_ID}|\\d+)`;
const VARIABLE = new RegExp(`${VALUE}(?:[-_.]?${VALUE})*`, 'gi');
const YEAR_AND_MORE = /(?:^|\D)(?:19|20)\d\d[-_.]?(?:0[1-9]|1[0-2]|W\d\d|Q[1-4])/i;

type Known = KnownCollection<'indexes' | 'fieldTypes'>;

interface Described {
  readonly collection: Known['collection'];
  readonly words: readonly string[];
  readonly indexes: string;
  readonly fields: ReadonlySet<string>;
}

/** Share of the documents that have a field, from which it belongs to the shape. */
const USUAL = 0.5;

/** Share of the fields of two shapes that both have, from which they are the same: tenants differ in what they use. */
const SAME_SHAPE = 0.7;

/** Shapes among collections with the same indexes, beyond which further ones are left out: each is compared with all. */
const MOST_SHAPES = 200;

/**
 * Collections of one kind, divided by a name such as a tenant's: their names begin or end alike, and they have the same
 * indexes and fields. Those whose indexes or fields are not known are left out. The largest family first.
 */
export function namedFamilies(collections: readonly Known[], least: number): CollectionFamily[] {
  const groups = [...groupedBy(collections.flatMap(describedOf).flatMap(candidatesOf), ({ part }) => part)]
    .filter(([, members]) => members.length >= least)
    .flatMap(([part, members]) => ofOneKind(members.map(({ described }) => described)).map((each) => ({ part, each })))
    .toSorted((one, other) => other.each.length - one.each.length || other.part.length - one.part.length);
  const taken = new Set<Described>();
  return groups.flatMap(({ each }): CollectionFamily[] => {
    const members = each.filter((member) => !taken.has(member));
    if (members.length < least) return [];
    for (const member of members) taken.add(member);
    return [{ namespaces: globOf(members), members: members.map(({ collection }) => collection), dividedBy: 'name' }];
  });
}

function describedOf({ collection, indexes, fieldTypes }: Known): Described[] {
  if (collection.kind !== 'collection' || !indexes.present || !fieldTypes.present) return [];
  const { documents, fields } = fieldTypes.value;
  const usual = fields.filter((field) => !/[.[*]/.test(field.path) && field.documents >= USUAL * documents);
  const names = new Set(usual.map(({ path }) => path).filter((path) => path !== '_id'));
  // Separators are kept, so that words are joined again as they were.
  const words = collection.name.split(/(?<=[-_.])|(?=[-_.])/);
  return names.size === 0 || words.length === 1
    ? []
    : [{ collection, words, indexes: signatureOf(indexes.value), fields: names }];
}

function signatureOf(indexes: readonly IndexDescription[]): string {
  const described = indexes
    .filter((index) => !isIdIndex(index))
    .map(({ key, unique, expireAfterSeconds }) => JSON.stringify([Object.entries(key), unique, expireAfterSeconds]));
  return described.toSorted().join();
}

/** Each beginning and each end of a name that closes with a separator. */
function candidatesOf(described: Described): { part: string; described: Described }[] {
  const { words, collection } = described;
  const cuts = words.flatMap((word, position) => (/^[-_.]$/.test(word) ? [position] : []));
  return cuts.flatMap((position) => [
    { part: JSON.stringify([collection.database, words.slice(0, position + 1).join(''), '*']), described },
    { part: JSON.stringify([collection.database, '*', words.slice(position).join('')]), described },
  ]);
}

/** Each joins the first whose shape it has, in the order of their names. */
function ofOneKind(members: readonly Described[]): Described[][] {
  return [...groupedBy(members, ({ indexes }) => indexes).values()].flatMap((alike) => {
    const kinds: [Described, ...Described[]][] = [];
    for (const member of alike) {
      const kind = kinds.find(([first]) => sharedFields(first, member) >= SAME_SHAPE);
      if (kind !== undefined) kind.push(member);
      else if (kinds.length < MOST_SHAPES) kinds.push([member]);
    }
    return kinds;
  });
}

function sharedFields({ fields }: Described, other: Described): number {
  const shared = [...fields].filter((field) => other.fields.has(field)).length;
  return shared / (fields.size + other.fields.size - shared);
}

/** What all names begin and end with. */
function globOf(members: readonly Described[]): string {
  const [{ collection, words }] = members as [Described];
  const isShared = (wordAt: (words: readonly string[]) => string | undefined) =>
    members.every((member) => wordAt(member.words) === wordAt(words));
  const shortest = Math.min(...members.map((member) => member.words.length));
  const lengthOf = (wordAt: (words: readonly string[], position: number) => string | undefined, most: number) => {
    let length = 0;
    while (length < most && isShared((each) => wordAt(each, length))) length += 1;
    return length;
  };
  const beginning = lengthOf((each, position) => each[position], shortest - 1);
  const end = lengthOf((each, position) => each.at(-1 - position), shortest - 1 - beginning);
  return `${collection.database}.${words.slice(0, beginning).join('')}*${words.slice(words.length - end).join('')}`;
}

/** Collections whose names differ only in one part: the same things, divided by name. */
export interface CollectionFamily {
  /** The names as a glob: "shop.readings_*". */
  readonly namespaces: string;
  readonly members: readonly Collection[];
  readonly dividedBy: 'date' | 'number or id' | 'name';
}

/** Those whose names differ only in numbers, dates or ids. Without views, the largest family first. */
export function collectionFamilies(collections: readonly Collection[], least: number): CollectionFamily[] {
  const variable = collections.filter(({ kind, name }) => kind !== 'view' && name.replace(VARIABLE, '*') !== name);
  return [...groupedBy(variable, ({ database, name }) => `${database}.${name.replace(VARIABLE, '*')}`)]
    .filter(([, members]) => members.length >= least)
    .map(([namespaces, members]): CollectionFamily => {
      const dated = members.filter(({ name }) => YEAR_AND_MORE.test(name)).length;
      return { namespaces, members, dividedBy: 2 * dated > members.length ? 'date' : 'number or id' };
    })
    .sort((a, b) => b.members.length - a.members.length);
}
