import type { CreateIndexesOptions, Document, IndexSpecification } from 'mongodb';
import type { SeededRandom } from '../../../src/demo/seeded-random.js';
import { CASE_INSENSITIVE, type ForeignCollection, type ForeignField } from './foreign-collections.js';

/** Seconds after which nothing expires in a test: the server's upper limit is near. */
const NEVER_SECONDS = 2_000_000_000;

type KeyPattern = Readonly<Record<string, number | string>>;

/** An index to create. */
export interface RandomIndex {
  readonly key: KeyPattern;
  readonly options: CreateIndexesOptions;
}

/** An index named `tested`, on the field or near it, of a kind and with options that the server accepts there. */
export function randomIndex(random: SeededRandom, collection: ForeignCollection, field: ForeignField): RandomIndex {
  const key = random.choose(keyPatterns(collection, field));
  const kinds = Object.values(key);
  const isSpecial = kinds.some((kind) => kind === 'text' || kind === '2d' || kind === '2dsphere');
  const isWildcard = Object.keys(key).some((name) => name.endsWith('$**'));
  const restricted = isSpecial || isWildcard ? {} : restriction(random, collection, field);
  const isSimple = kinds.some((kind) => typeof kind === 'string' && kind !== '2dsphere');
  const collation = isSimple ? { collation: { locale: 'simple' } } : randomCollation(random);
  return {
    key,
    options: {
      name: 'tested',
      // A time-series collection takes no collation together with a filter.
      ...((!isSeries(collection) || restricted.partialFilterExpression === undefined) && collation),
      ...(random.chance(0.05) && { hidden: true }),
      ...(key['$**'] !== undefined && wildcardProjection(random, field)),
      ...restricted,
      ...(mayExpire(collection, key) && random.chance(0.1) && { expireAfterSeconds: NEVER_SECONDS }),
      ...(mayBeUnique(collection, key) && random.chance(0.3) && { unique: true }),
    },
  };
}

/** The key pattern as the driver takes it; its type leaves out kinds of index. */
export function specification({ key }: RandomIndex): IndexSpecification {
  return key as IndexSpecification;
}

function keyPatterns(collection: ForeignCollection, { path, arrays }: ForeignField): KeyPattern[] {
  const { halves, serial } = collection;
  const isMeasured = isMeasurement(collection, path);
  // No document may hold an array in any field of a hashed index.
  const canBeHashed = !arrays && !isMeasured;
  const patterns: KeyPattern[] = [{ [path]: 1 }, { [path]: 1 }, { [path]: 1 }, { [path]: -1 }];
  if (canBeHashed) patterns.push({ [path]: 'hashed' });
  if (!isMeasured) patterns.push({ [`${path}.$**`]: 1 }, { [`${path.split('.')[0]}.$**`]: 1 });
  if (halves !== undefined && serial !== undefined) {
    patterns.push({ [path]: 1, [halves]: 1 }, { [path]: -1, [serial]: 1 }, { [halves]: 1, [path]: 1 }, { [halves]: 1 });
    patterns.push({ [serial]: 1, [path]: 1 }, { [halves]: 1, [serial]: -1, [path]: 1 });
    if (canBeHashed) {
      patterns.push(
        { [halves]: 'hashed', [path]: 1 },
        { [path]: 1, [halves]: 'hashed' },
        { [path]: -1, [halves]: 'hashed' },
      );
      patterns.push({ [halves]: 1, [path]: 'hashed' }, { [path]: 'hashed', [serial]: 1 });
    }
  }
  if (!isSeries(collection)) {
    patterns.push(
      { '$**': 1 },
      { '$**': 1 },
      { '$**': 1 },
      { place: '2d', [path]: 1 },
      { [path]: 1, place: '2dsphere' },
    );
    if (!arrays) patterns.push({ [path]: 1, note: 'text' });
  }
  return patterns;
}

function isSeries({ options }: ForeignCollection): boolean {
  return options.timeseries !== undefined;
}

function isMeasurement({ options }: ForeignCollection, path: string): boolean {
  return options.timeseries !== undefined && path.split('.')[0] !== options.timeseries.metaField;
}

function mayExpire(collection: ForeignCollection, key: KeyPattern): boolean {
  const isPlain =
    Object.keys(key).length === 1 &&
    Object.entries(key).every(([name, kind]) => typeof kind === 'number' && !name.endsWith('$**'));
  return isPlain && !isSeries(collection) && collection.options.capped !== true;
}

function mayBeUnique(collection: ForeignCollection, key: KeyPattern): boolean {
  return !isSeries(collection) && key[collection.serial ?? ''] !== undefined && !Object.values(key).includes('hashed');
}

function randomCollation(random: SeededRandom): CreateIndexesOptions {
  const choices = [undefined, undefined, undefined, CASE_INSENSITIVE, { locale: 'simple' }, { locale: 'fr_CA' }];
  const collation = random.choose(choices);
  return collation === undefined ? {} : { collation };
}

function wildcardProjection(random: SeededRandom, { path }: ForeignField): CreateIndexesOptions {
  const [parent = path] = path.split('.');
  const ofId: Document[] = [{ _id: 1 }, { _id: 1, note: 1 }, { _id: 1, note: 0 }, { _id: 0 }];
  const ofOthers: Document[] = [
    { [path]: 1 },
    { [path]: 0 },
    { [parent]: 1, note: 1 },
    { [`${path}.below`]: 1 },
    { [`${path}.below`]: 0 },
    { note: 0 },
  ];
  return random.chance(0.3) ? {} : { wildcardProjection: random.choose(parent === '_id' ? ofId : ofOthers) };
}

/** Sparse, partial, or, for the most part, neither. */
function restriction(
  random: SeededRandom,
  collection: ForeignCollection,
  { path }: ForeignField,
): CreateIndexesOptions {
  const { halves, serial } = collection;
  if (random.chance(0.2)) return isMeasurement(collection, path) ? {} : { sparse: true };
  if (random.chance(0.7) || halves === undefined || serial === undefined || isMeasurement(collection, path)) return {};
  return {
    partialFilterExpression: random.choose<Document>([
      { [halves]: 'A' },
      { [halves]: { $in: ['A', 'B'] } },
      { [halves]: { $type: 'string' } },
      { [halves]: { $exists: true } },
      { [serial]: { $gt: 10 } },
      { [halves]: 'A', [serial]: { $gte: 10 } },
      { $and: [{ [halves]: { $gte: 'A' } }, { [serial]: { $lt: 1_000 } }] },
      { $or: [{ [halves]: 'A' }, { [serial]: { $gt: 1_000 } }] },
      { [path]: { $exists: true } },
      { [path]: { $exists: true } },
      { [path]: { $exists: true }, [halves]: 'A' },
      { [path]: { $gt: 5 } },
      {},
    ]),
  };
}
