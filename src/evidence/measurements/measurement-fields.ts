import type { BsonType, DocumentProfile, PathProfile } from '../../profile/document-profile.js';
import { typesOfFamily } from '../../profile/type-families.js';

export interface MeasurementFields {
  readonly time: string;
  /** They may name what was measured: a sensor, a host, a symbol. */
  readonly sources: readonly string[];
  readonly values: readonly string[];
}

/** Bytes beyond which a document is more than a measurement. */
const MOST_BYTES = 2 * 1024;
/** Share of the documents that "every" means: clocks fail, too. */
const NEARLY_ALL = 0.99;
/** An array of at most so many numbers may belong to one measurement, such as a position or an acceleration. */
const VECTOR_ELEMENTS = 16;
const MOST_SOURCES = 6;
/** Mean bytes of a text that still names something. */
const LONGEST_NAME = 64;

const NUMBERS = typesOfFamily('number');
const SOURCE_TYPES: readonly BsonType[] = ['string', 'objectId', 'int', 'long', 'binData'];

export function measurementFields({ paths, sizes }: DocumentProfile): MeasurementFields | null {
  if (sizes.mean > MOST_BYTES || paths.some(isList)) return null;
  const fields = paths.filter(({ path }) => !path.includes('[]') && !path.includes('*') && !path.includes('"'));
  const dates = fields.filter(({ types }) => types.date !== undefined);
  const [time] = dates;
  if (time === undefined || dates.length > 1 || !isAlways(time, ['date'], sizes.count)) return null;
  const values = fields
    .filter(({ path, types }) => path !== '_id' && NUMBERS.some((type) => types[type] !== undefined))
    .map(({ path }) => path);
  const sources = fields
    .filter((field) => field.path !== '_id' && isAlways(field, SOURCE_TYPES, sizes.count) && isShort(field))
    .map(({ path }) => path);
  return values.length === 0 || sources.length === 0
    ? null
    : { time: time.path, sources: sources.slice(0, MOST_SOURCES), values };
}

/** Any other array makes the document a bucket already, or something else. */
function isList({ array }: PathProfile): boolean {
  if (array === undefined) return false;
  const elements = Object.keys(array.elementTypes) as BsonType[];
  return array.lengths.max > VECTOR_ELEMENTS || elements.some((type) => !NUMBERS.includes(type));
}

function isAlways({ types, documents }: PathProfile, expected: readonly BsonType[], all: number): boolean {
  const others = (Object.keys(types) as BsonType[]).filter((type) => !expected.includes(type));
  return others.length === 0 && documents >= NEARLY_ALL * all;
}

function isShort({ values }: PathProfile): boolean {
  const { strings } = values ?? {};
  return strings === undefined || strings.sum <= LONGEST_NAME * strings.count;
}
