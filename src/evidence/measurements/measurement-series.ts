import type { Document } from 'mongodb';
import type { ClusterReader, FindBounds } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import { bsonIdentity } from '../../shard-keys/bson-order.js';
import type { DocumentProfile } from '../documents/document-profile.js';
import { present, type Evidence } from '../evidence.js';
import { readDocuments } from '../workload/raw-documents.js';
import { measurementFields, type MeasurementFields } from './measurement-fields.js';
import { seriesFigures, type Reading, type SeriesFigures } from './series-figures.js';

/** The evidence `measurements`, where documents look like one measurement each: the series that they form. */
export interface MeasurementSeries extends SeriesFigures {
  readonly timeField: string;
  /** The field that names the source: of several, the one by which the times are most regular. */
  readonly sourceField: string;
  /** Numbers that may be what was measured, as paths. */
  readonly valueFields: readonly string[];
  /** Documents that the figures rest on. */
  readonly documents: number;
  /** How they were chosen: the last that were inserted, or the newest of a few sources. */
  readonly chosenBy: 'insertion' | 'source';
}

/** Documents read at the end of the collection: 250 sources with eight readings each. */
const WINDOW = 2_000;
/** Where there are more sources than that, some are looked up by an index, and so many of their newest readings read. */
const SOURCES = 5;
const READINGS = 50;
/** Spread of the intervals with which the search for the source ends. */
const REGULAR = 0.5;
/** The projected documents have two or three short fields. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads the last documents of a collection whose profile looks like measurements: their dates and possible sources, and
 * nothing else. Null where it does not, or where they form no series.
 */
export async function readMeasurements(
  reader: ClusterReader,
  collection: Collection,
  profile: DocumentProfile,
  indexes: readonly IndexDescription[],
): Promise<Evidence<MeasurementSeries | null>> {
  const fields = collection.capped === undefined ? measurementFields(profile) : null;
  if (fields === null) return present(null);
  const { namespace } = collection;
  try {
    const projection = { _id: 0, ...Object.fromEntries([fields.time, ...fields.sources].map((path) => [path, 1])) };
    const newest = await read(reader, collection, {}, { sort: { $natural: -1 }, limit: WINDOW, projection });
    const inserted = newest.toReversed();
    const found = fields.sources.flatMap((source) => seriesBy(source, inserted, fields, 'insertion'));
    const best = mostRegular(found);
    if (best !== null && best.intervalSpread <= REGULAR) return present(best);
    return present(mostRegular([...found, ...(await seriesByIndex(reader, collection, inserted, fields, indexes))]));
  } catch (error) {
    return absentBecause(error, `reading the newest documents of ${namespace}`, `find on ${namespace}`);
  }
}

/** The series that the documents form by one field as their source; none or one. */
function seriesBy(
  source: string,
  documents: readonly Document[],
  fields: MeasurementFields,
  chosenBy: MeasurementSeries['chosenBy'],
): MeasurementSeries[] {
  const figures = seriesFigures(documents.flatMap((document) => readingOf(document, fields.time, source)));
  // A field with one value tells no sources apart, and regular dates alone are what any import gives.
  const valueFields = fields.values.filter((path) => path !== source);
  if (figures === null || figures.sources < 2 || valueFields.length === 0) return [];
  return [{ ...figures, timeField: fields.time, sourceField: source, valueFields, documents: documents.length, chosenBy }];
}

function readingOf(document: Document, timeField: string, source: string): Reading[] {
  const time = valueAt(document, timeField);
  if (!(time instanceof Date)) return [];
  return [{ time: time.getTime(), source: bsonIdentity(valueAt(document, source)) }];
}

function mostRegular(series: readonly MeasurementSeries[]): MeasurementSeries | null {
  return series.reduce<MeasurementSeries | null>((best, each) => (best === null || each.intervalSpread < best.intervalSpread ? each : best), null);
}

/** The series of the newest readings of a few sources, where an index on source and time finds them; none or one. */
async function seriesByIndex(
  reader: ClusterReader,
  collection: Collection,
  documents: readonly Document[],
  fields: MeasurementFields,
  indexes: readonly IndexDescription[],
): Promise<MeasurementSeries[]> {
  const source = fields.sources.find((path) => indexes.some((index) => isIndexOf(index, path, fields.time)));
  if (source === undefined) return [];
  const values = new Map(documents.map((document) => [bsonIdentity(valueAt(document, source)), valueAt(document, source)]));
  const projection = { _id: 0, [fields.time]: 1, [source]: 1 };
  const bounds = { sort: { [fields.time]: -1 as const }, limit: READINGS, projection };
  const reads = [...values.values()].slice(0, SOURCES).map((value) => read(reader, collection, { [source]: value }, bounds));
  const readings = (await Promise.all(reads)).flatMap((each) => each.toReversed());
  return seriesBy(source, readings, fields, 'source');
}

function isIndexOf({ key, hidden, partialFilterExpression, collation }: IndexDescription, source: string, time: string): boolean {
  const [first, second] = Object.keys(key);
  return first === source && second === time && !hidden && partialFilterExpression === undefined && collation === undefined;
}

async function read(reader: ClusterReader, { database, name }: Collection, filter: Document, bounds: FindBounds): Promise<Document[]> {
  const documents: Document[] = [];
  const end = await readDocuments(reader.findRaw(database, name, filter, bounds), MOST_BYTES, (document) => {
    if (document !== null) documents.push(document);
  });
  if (typeof end === 'object') throw end.error;
  return documents;
}

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? (value as Document)[name] : undefined), document);
}
