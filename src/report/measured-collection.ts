import type { CollectedEvidence } from '../evidence/source.js';
import type { Collection } from '../inventory/collection.js';
import type { ReportedCollection } from './report.js';

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
    documents: count,
    averageDocumentSize: averageDocumentSize === null ? null : Math.round(averageDocumentSize),
    size,
    storageSize,
    indexes: indexSizes === null ? null : Object.keys(indexSizes).length,
    ...sampled(collection, evidence),
    ...grown(evidence),
  };
}

function grown({ growth }: CollectedEvidence): Pick<ReportedCollection, 'growth'> {
  if (growth?.present !== true) return {};
  const { arrays, sizes } = growth.value;
  const measured = [
    ...arrays.map((array) => ({ path: array.path, unit: 'elements' as const, growth: array.growth })),
    { path: null, unit: 'bytes' as const, growth: sizes.growth },
  ];
  return {
    growth: measured.flatMap(({ path, unit, growth: one }) => {
      if (one === null) return [];
      const { rates, sources, confidence, windowDays } = one;
      return [{ path, unit, perDay: rates.typical.perDay.estimate, sources: [...sources], confidence, windowDays }];
    }),
  };
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
