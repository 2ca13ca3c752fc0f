import { defineCheck, type IndexDescription, type IndexUsage } from '../../src/check.js';
import { accessesOf } from '../../src/evidence/index-usage.js';
import { formatBytes, formatCount, plural } from '../../src/format.js';
import { isIdIndex } from '../../src/inventory/index-key.js';
import { sizesUnknown } from '../../src/judgement/judged-size.js';
import { seenPart, WHOLE, type SeenPart } from '../../src/judgement/margins.js';
import { bySample, severityOf } from '../../src/judgement/severity-lines.js';
import { ownValue } from '../../src/plain.js';
import { remedySteps } from './remedy.js';
import { writtenPerInsert } from './written-per-insert.js';

const MB = 1024 * 1024;
const MOST_NAMED = 8;

export const tooManyIndexes = defineCheck({
  id: 'too-many-indexes',
  title: 'Too many indexes',
  summary: 'a collection with so many indexes that every write pays for them, or that they are larger than the data',
  appliesTo: ['collection'],
  needs: ['indexes'],
  uses: ['storage', 'documents', 'indexUsage'],
  thresholds: {
    info: {
      default: 20,
      unit: 'indexes',
      description: 'indexes that an insert writes on average, the one on _id included, from which an info is given',
      source:
        'measured on 6.0.5: inserts of 50 numbers take five times as long as with the index on _id alone, and sixteen times with 50 indexes',
    },
    mostlyUnused: {
      default: 12,
      unit: 'indexes',
      description:
        'indexes that an insert writes on average, from which an info is given if queries used less than half of them',
      source:
        'judgement: about three times the time of an insert with the index on _id alone, between what was measured for 1 and 20, and no read repays it',
    },
    uses: {
      default: 100,
      unit: 'executions',
      description: 'uses of all indexes since the server started, from which it counts how many of them were used',
      source: 'judgement: fewer are not all that an application does',
    },
    warning: {
      default: 50,
      unit: 'indexes',
      description: 'indexes that an insert writes on average from which a warning is given',
      source: 'MongoDB, "Schema Design Anti-Patterns: Unnecessary Indexes": at most 50 for a collection',
    },
    error: {
      default: 60,
      unit: 'indexes',
      description: 'indexes, whatever an insert writes, from which an error is given',
      source: 'judgement: four below the 64 at which createIndexes fails (MongoDB manual, "Limits and Thresholds")',
    },
    timesTheData: {
      default: 1,
      unit: 'ratio',
      description: 'times the bytes of the documents that all indexes take, from which an info is given',
      source: 'judgement: a cache that holds the indexes could hold all of the data instead',
    },
    heavyIndexes: {
      default: 10,
      unit: 'indexes',
      description: 'indexes below which their size alone is not reported',
      source: 'judgement: small documents, such as links between two others, may be smaller than their few indexes',
    },
    heavyBytes: {
      default: 256 * MB,
      unit: 'bytes',
      description: 'bytes of all indexes below which their size alone is not reported',
      source: 'the smallest cache that a server gives itself (MongoDB manual, "WiredTiger Storage Engine")',
    },
  },
  judge({ collection, indexes, storage, documents, indexUsage }, limits) {
    const { info, warning, error, timesTheData, heavyIndexes, heavyBytes, mostlyUnused, uses } = limits;
    const used = indexUsage === undefined ? null : usedIndexes(indexes, indexUsage, uses);
    const isMostlyUnused = used !== null && used.length < indexes.length / 2;
    const fewest = isMostlyUnused ? Math.min(mostlyUnused, info) : info;
    const byCount = indexes.length >= error ? 'error' : null;
    const byWrites = (part: SeenPart) => {
      const severity =
        byCount ?? severityOf(writtenPerInsert(indexes, documents, part), { info: fewest, warning, error: Infinity });
      return severity === null ? null : { severity };
    };
    const seen = documents === undefined ? WHOLE : seenPart(documents, storage);
    const byNumber = bySample(seen, byWrites);
    const written = writtenPerInsert(indexes, documents, WHOLE);
    const { totalIndexSize = null, size = null } = storage ?? {};
    const sizes = totalIndexSize === null || size === null ? null : { ofIndexes: totalIndexSize, ofDocuments: size };
    const couldBeHeavy = indexes.length >= heavyIndexes;
    if (byNumber === null && couldBeHeavy && sizes === null) return [sizesUnknown(collection.namespace)];
    const isHeavy =
      couldBeHeavy &&
      sizes !== null &&
      sizes.ofIndexes >= heavyBytes &&
      sizes.ofIndexes >= timesTheData * sizes.ofDocuments;
    if (byNumber === null && !isHeavy) return [];
    const hidden = indexes.filter((index) => index.hidden).length;
    return [
      {
        ...(byNumber ?? { severity: 'info' }),
        confidence: 'high',
        path: null,
        message:
          `${indexesText(indexes, sizes)}. Each insert and ` +
          `delete writes ${writesText(indexes, written)}, each update those of its fields. They compete with the documents for the cache.${isMostlyUnused ? usedText(used.length, indexes.length) : ''}`,
        ...(written < indexes.length && { restsOn: ['sample'] }),
        evidence: {
          source: written < indexes.length ? 'listIndexes, collStats and sample' : 'listIndexes and collStats',
          window: `all ${formatCount(indexes.length)} indexes`,
          indexes: indexes.length,
          limit: 64,
          ...(written < indexes.length && { writtenPerInsert: Math.round(10 * written) / 10 }),
          ...(isMostlyUnused && { usedIndexes: used.length }),
          hiddenIndexes: hidden,
          ...(totalIndexSize !== null && { totalIndexBytes: totalIndexSize }),
          ...(size !== null && { documentBytes: size }),
          ...(storage?.indexSizes && { largestIndexBytes: largest(indexes, storage.indexSizes) }),
        },
        remedy: { steps: remedySteps(indexes) },
      },
    ];
  },
});

/** Uses from which an application needs an index: a person tries one once or twice. Judgement. */
const REPEATED = 3;

/**
 * The indexes that queries used repeatedly since each node started, and those that hold a rule: unique ones and TTLs. Null if not every
 * node was asked, or too few uses were counted.
 */
function usedIndexes(
  indexes: readonly IndexDescription[],
  usage: IndexUsage,
  least: number,
): readonly IndexDescription[] | null {
  const usesOf = (index: IndexDescription) => accessesOf(index, usage);
  const total = indexes.reduce((sum, index) => sum + usesOf(index), 0);
  if (usage.nodesNotAsked !== 0 || total < least) return null;
  return indexes.filter(
    (index) => usesOf(index) >= REPEATED || index.unique || isIdIndex(index) || index.expireAfterSeconds !== undefined,
  );
}

function usedText(used: number, all: number): string {
  return ` Queries used ${formatCount(used)} of the ${formatCount(all)} repeatedly since the server started; unused-index names the others after some days.`;
}

function writesText({ length }: readonly IndexDescription[], written: number): string {
  return written === length
    ? 'all of them'
    : `${formatCount(Math.round(written))} of them on average, by the sampled documents, since the others are sparse or partial`;
}

function indexesText(
  { length }: readonly IndexDescription[],
  sizes: { readonly ofIndexes: number; readonly ofDocuments: number } | null,
): string {
  return sizes === null
    ? `The collection has ${plural(length, 'index', 'indexes')}`
    : `${formatCount(length)} indexes take ${formatBytes(sizes.ofIndexes)}, beside ${formatBytes(sizes.ofDocuments)} of documents`;
}

function largest(
  indexes: readonly IndexDescription[],
  indexSizes: Readonly<Record<string, number>>,
): Record<string, number> {
  const sizes = indexes.map(({ name }) => [name, ownValue(indexSizes, name) ?? 0] as const);
  return Object.fromEntries(sizes.sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED));
}
