import type { CollectedEvidence } from '../evidence/source.js';
import {
  GROWTH_SOURCES,
  type DayRange,
  type LimitForecast,
  type MeasuredGrowth,
  type OplogGrowth,
} from '../growth/growth.js';
import type { Collection } from '../inventory/collection.js';
import type { ReportedCollection } from '../report/reported-collection.js';

export function measuredCollection(collection: Collection, evidence: CollectedEvidence): ReportedCollection {
  const storage = evidence.storage?.present === true ? evidence.storage.value : null;
  const {
    count = null,
    averageDocumentSize = null,
    size = null,
    storageSize = null,
    indexSizes = null,
  } = storage ?? {};
  return {
    namespace: collection.namespace,
    kind: collection.kind,
    ...(collection.encrypted === true && { encrypted: true }),
    documents: count,
    averageDocumentSize: averageDocumentSize === null ? null : Math.round(averageDocumentSize),
    size,
    storageSize,
    indexes: indexSizes === null ? null : Object.keys(indexSizes).length,
    ...(indexSizes !== null && { indexBytes: Object.values(indexSizes).reduce((sum, bytes) => sum + bytes, 0) }),
    ...sampled(collection, evidence),
    ...grown(evidence),
  };
}

function grown({ growth }: CollectedEvidence): Pick<ReportedCollection, 'growth' | 'writtenArrays' | 'growthUnseen'> {
  if (growth?.present !== true) return {};
  const { arrays, sizes, sources } = growth.value;
  const measured = [
    ...arrays.map(({ path, growth: one, forecasts }) => ({ path, unit: 'elements' as const, growth: one, forecasts })),
    { path: null, unit: 'bytes' as const, growth: sizes.growth, forecasts: sizes.forecast ?? [] },
  ];
  const written = arrays.flatMap(({ path, oplog }) => (oplog === null ? [] : writtenArray(path, oplog)));
  const unseen = GROWTH_SOURCES.flatMap((source) => {
    const evidence = sources[source];
    return evidence.present ? [] : [{ source, reason: evidence.reason, detail: evidence.detail }];
  });
  return {
    growth: measured.flatMap(({ growth: one, forecasts, ...what }) =>
      one === null ? [] : [{ ...what, ...ratesOf(one), daysUntil: [forecasts].flat().map(daysUntil) }],
    ),
    ...(written.length > 0 && { writtenArrays: written }),
    ...(unseen.length > 0 && { growthUnseen: unseen }),
  };
}

const SHAPE_TEXTS: Readonly<Record<OplogGrowth['because'], string>> = {
  growing: 'It gets longer.',
  few: 'These are too few writes to say whether it gets longer.',
  replaced: 'Its elements are replaced, or removed as fast as they are added.',
  capped: 'It is cut at one length.',
  'one-off': 'It was written to for a short time only.',
  young: 'It stops getting longer some time after its first elements.',
};

function writtenArray(
  path: string,
  { writes, share, because: shape }: OplogGrowth,
): NonNullable<ReportedCollection['writtenArrays']> {
  if (writes === 0) return [];
  return [{ path, writes, share, shape, detail: SHAPE_TEXTS[shape] }];
}

type ReportedGrowth = NonNullable<ReportedCollection['growth']>[number];

function ratesOf({ rates, sources, confidence, windowDays }: MeasuredGrowth): Omit<ReportedGrowth, 'path' | 'unit'> {
  const { typical, largest } = rates;
  return {
    perDay: typical.perDay.estimate,
    sources: [...sources],
    confidence,
    windowDays,
    perDayRange: [typical.perDay.low, typical.perDay.high],
    typicalNow: typical.value,
    largestNow: largest.value,
    largestPerDay: largest.perDay.estimate,
  };
}

function daysUntil({ limit, unit, typical, largest }: LimitForecast): NonNullable<ReportedGrowth['daysUntil']>[number] {
  return { limit, unit, typical: rangeOf(typical), largest: rangeOf(largest) };
}

function rangeOf(range: DayRange | null): [number, number] | null {
  return range === null ? null : [range.earliest, range.latest];
}

function sampled(
  collection: Collection,
  { documents }: CollectedEvidence,
): Pick<ReportedCollection, 'sampled' | 'notSampled'> {
  if (collection.kind === 'view') return { sampled: null, notSampled: 'a view: its collection is judged instead' };
  if (collection.kind === 'timeseries') {
    return { sampled: null, notSampled: 'a time-series collection: the server shapes its buckets' };
  }
  if (documents === undefined) return { sampled: null, notSampled: 'no enabled check needs its documents' };
  if (!documents.present) return { sampled: null, notSampled: documents.detail };
  const { sample, profile } = documents.value;
  return {
    sampled: {
      documents: profile.documents,
      bytes: profile.bytes,
      method: sample.method,
      complete: sample.complete,
      boundedBy: sample.boundedBy,
    },
    notSampled: null,
  };
}
