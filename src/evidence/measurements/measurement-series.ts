import type { Document } from 'mongodb';
import { median, quantileSorted, sampleRankCorrelation } from 'simple-statistics';
import { z } from 'zod';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import { groupedBy } from '../../grouped-by.js';
import type { Collection } from '../../inventory/collection.js';
import type { Plain } from '../../plain.js';
import { absent, type Evidence, present } from '../../presence.js';
import { bsonIdentity } from '../../profile/bson-order.js';
import type { DocumentProfile } from '../../profile/document-profile.js';
import { validDocuments } from '../../workload/sources/raw-documents.js';
import { projectionOnlyOn, valueAt } from '../field-projection.js';
import { measurementFields, type MeasurementFields } from './measurement-fields.js';

/** What the readings of a window say of the series that they belong to. Times in ms. */
const seriesFiguresSchema = z.strictObject({
  /** Different sources in the window. */
  sources: z.number(),
  /** The median for a source in the window. */
  readingsPerSource: z.number(),
  /** Between two readings of a source, the median over sources of their medians. */
  interval: z.number(),
  /** The distance of the intervals' quartiles over their median; the median over sources. */
  intervalSpread: z.number(),
  /** Share of the readings, in the order of insertion, that are not earlier than the one before of the same source. */
  risingShare: z.number(),
});

const LEAST_READINGS = 8;

/** The evidence `measurements`: the series that documents form if each looks like one measurement. */
export const measurementSeriesSchema = seriesFiguresSchema.extend({
  timeField: z.string(),
  /** The field that names the source: of several, the one by which the times are most regular. */
  sourceField: z.string(),
  /** Paths of numbers that may be what was measured. */
  valueFields: z.array(z.string()),
  /** The last inserted documents, on which the figures are based. */
  documents: z.number(),
});

export type MeasurementSeries = Plain<typeof measurementSeriesSchema>;

/** Documents that show whether they may be measurements at all; most collections with a date hold none. */
const FIRST_WINDOW = 500;

/** Documents read at the end of the collection: 250 sources with eight readings each. */
const WINDOW = 2_000;

/** Read if there are more sources than that, and the documents come in the order of their times. */
const WIDE_WINDOW = 20_000;

const IN_ORDER = 0.9;

/** Share of a source's readings that follow an earlier one; random dates reach a half. */
const RISING = 0.8;

const REGULAR = 0.5;

/** The projected documents have two or three short fields. */
const MOST_BYTES = 4 * 1024 * 1024;

// Null if the documents form no series. They are read in the order of insertion: natural order on the primary, which is
// that of one mongod only, or by `_id`, if it is an ObjectId.
export async function readMeasurements(
  reader: ClusterReader,
  collection: Collection,
  profile: DocumentProfile,
): Promise<Evidence<MeasurementSeries | null>> {
  const fields = collection.capped === undefined ? measurementFields(profile) : null;
  if (fields === null) return present(null);
  const { namespace } = collection;
  try {
    const newest = await newestDocuments(reader, collection, profile, fields);
    if (newest === null) {
      const why =
        'only a primary keeps the order of insertion, none can be read here, and not all `_id`s are ObjectIds.';
      return absent('insufficient', `reading the newest documents of ${namespace}: ${why}`);
    }
    if (!mayBeSeries(await newest(FIRST_WINDOW), fields)) return present(null);
    const inserted = await newest(WINDOW);
    const best = mostRegular(inserted, fields);
    if (best !== null && best.intervalSpread <= REGULAR) return present(best);
    if (inserted.length < WINDOW || !isInOrder(inserted, fields.time)) return present(best);
    return present(mostRegular(await newest(WIDE_WINDOW), fields) ?? best);
  } catch (error) {
    return absentBecause(error, `reading the newest documents of ${namespace}`, `find on ${namespace}`);
  }
}

/** Whether dates rise from one document to the next, or from one of a source to its next; without a next, they may. */
function mayBeSeries(documents: readonly Document[], { time, sources }: MeasurementFields): boolean {
  if (documents.length < FIRST_WINDOW) return true;
  const shares = [
    risingShare(readingsOf(documents, time, null)),
    ...sources.map((source) => risingShare(readingsOf(documents, time, source))),
  ];
  return shares.some((share) => (share ?? 1) >= RISING);
}

function mostRegular(documents: readonly Document[], fields: MeasurementFields): MeasurementSeries | null {
  const series = fields.sources.flatMap((source) => seriesBy(source, documents, fields));
  return series.reduce<MeasurementSeries | null>(
    (best, each) => (best === null || each.intervalSpread < best.intervalSpread ? each : best),
    null,
  );
}

function seriesBy(source: string, documents: readonly Document[], fields: MeasurementFields): MeasurementSeries[] {
  const figures = seriesFigures(readingsOf(documents, fields.time, source));
  // A field with one value tells no sources apart, and any import has regular dates.
  const valueFields = fields.values.filter((path) => path !== source);
  if (figures === null || figures.sources < 2 || valueFields.length === 0) return [];
  return [{ ...figures, timeField: fields.time, sourceField: source, valueFields, documents: documents.length }];
}

function readingsOf(documents: readonly Document[], timeField: string, source: string | null): Reading[] {
  const readings: Reading[] = [];
  for (const document of documents) {
    const time = valueAt(document, timeField);
    if (time instanceof Date)
      readings.push({ time: time.getTime(), source: source === null ? '' : bsonIdentity(valueAt(document, source)) });
  }
  return readings;
}

function isInOrder(documents: readonly Document[], timeField: string): boolean {
  const times = documents.map((document) => valueAt(document, timeField)).filter((time) => time instanceof Date);
  return (
    sampleRankCorrelation(
      times.map((_, position) => position),
      times.map((time) => time.getTime()),
    ) >= IN_ORDER
  );
}

type NewestDocuments = (count: number) => Promise<Document[]>;

async function newestDocuments(
  reader: ClusterReader,
  { database, name, sharding }: Collection,
  profile: DocumentProfile,
  fields: MeasurementFields,
): Promise<NewestDocuments | null> {
  const projection = projectionOnlyOn([fields.time, ...fields.sources]);
  const by = (from: ClusterReader, order: string): NewestDocuments => {
    return async (limit) => {
      const bounds = { sort: { [order]: -1 } as const, limit, projection, batchSize: limit };
      const { documents } = await validDocuments(from.findRaw(database, name, {}, bounds), MOST_BYTES);
      return documents.toReversed();
    };
  };
  const primary = sharding === undefined ? await reader.ofPrimary() : null;
  if (primary !== null) return by(primary, '$natural');
  const id = profile.paths.find(({ path }) => path === '_id');
  return id?.types.objectId === profile.documents ? by(reader, '_id') : null;
}

export interface Reading {
  readonly time: number;
  readonly source: string;
}

type SeriesFigures = Plain<typeof seriesFiguresSchema>;

/** Null if no source has enough readings, which must be in the order in which they were inserted. */
export function seriesFigures(readings: readonly Reading[]): SeriesFigures | null {
  const all = timesBySource(readings);
  const intervals = all.filter((times) => times.length >= LEAST_READINGS).map(intervalsOf);
  const regular = intervals.filter((each) => median(each) > 0);
  if (regular.length === 0 || 2 * regular.reduce((sum, each) => sum + each.length + 1, 0) < readings.length)
    return null;
  return {
    sources: all.length,
    readingsPerSource: median(all.map(({ length }) => length)),
    interval: median(regular.map((each) => median(each))),
    intervalSpread: median(regular.map(spreadOf)),
    risingShare: risingShareOf(all) ?? 0,
  };
}

export function risingShare(readings: readonly Reading[]): number | null {
  return risingShareOf(timesBySource(readings));
}

function timesBySource(readings: readonly Reading[]): number[][] {
  const bySource = groupedBy(readings, ({ source }) => source);
  return [...bySource.values()].map((ofSource) => ofSource.map(({ time }) => time));
}

function risingShareOf(sources: readonly (readonly number[])[]): number | null {
  let steps = 0;
  let rising = 0;
  for (const times of sources) {
    for (let index = 1; index < times.length; index += 1) {
      steps += 1;
      if ((times[index] as number) >= (times[index - 1] as number)) rising += 1;
    }
  }
  return steps === 0 ? null : rising / steps;
}

function intervalsOf(times: readonly number[]): number[] {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
}

function spreadOf(intervals: readonly number[]): number {
  const sorted = intervals.toSorted((a, b) => a - b);
  return (quantileSorted(sorted, 0.75) - quantileSorted(sorted, 0.25)) / quantileSorted(sorted, 0.5);
}
