import { defineCheck, type IndexDescription, type IndexUsage, type RemedyStep } from '../../src/check.js';
import { accessesOf } from '../../src/evidence/index-usage.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatBytes, formatCount, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { formatIndexKey, isIdIndex } from '../../src/inventory/index-key.js';
import { sizesUnknown } from '../../src/judgement/judged-size.js';
import { bySample, seenPart, type SeenPart, severityOf, WHOLE } from '../../src/judgement/margins.js';
import { ownValue } from '../../src/plain.js';
import { writtenPerInsert } from './written-per-insert.js';

const MB = 1024 * 1024;

const MOST_NAMED = 8;

/**
 * Indexes that an insert writes from which it is an info if queries used less than half of them. Judgement: three times the
 * time of one.
 */
const MOSTLY_UNUSED = 12;

/**
 * Uses of all indexes since the server started, from which it counts how many of them were used. Judgement: fewer are not all
 * that an application does.
 */
const FEWEST_USES = 100;

/** Indexes below which their size alone is not reported: those of small documents may be larger than the data. Judgement. */
const HEAVY_INDEXES = 10;

/** Bytes of all indexes below which their size alone is not reported: the smallest cache that a server gives itself. */
const HEAVY_BYTES = 256 * MB;

/**
 * A collection is a finding by the indexes that an insert writes, earlier if queries use less than half of them; or, as an info, by
 * ten and more that take more bytes than the documents.
 */
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
      description: 'indexes that an insert writes on average, the one on _id included',
      source: 'measured on 6.0.5: inserts take five times as long as with _id alone',
    },
    warning: {
      default: 50,
      unit: 'indexes',
      description: 'indexes that an insert writes on average',
      source: 'MongoDB, "Schema Design Anti-Patterns: Unnecessary Indexes": at most 50 for a collection',
    },
    error: {
      default: 60,
      unit: 'indexes',
      description: 'indexes, whatever an insert writes',
      source: 'judgement: four below the 64 at which createIndexes fails (MongoDB manual, "Limits and Thresholds")',
    },
  },
  retiredThresholds: ['mostlyUnused', 'uses', 'timesTheData', 'heavyIndexes', 'heavyBytes'],
  judge({ collection, indexes, storage, documents, indexUsage }, { info, warning, error }) {
    const used = indexUsage === undefined ? null : usedIndexes(indexes, indexUsage);
    const isMostlyUnused = used !== null && used.length < indexes.length / 2;
    const fewest = isMostlyUnused ? Math.min(MOSTLY_UNUSED, info) : info;
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
    const couldBeHeavy = indexes.length >= HEAVY_INDEXES;
    if (byNumber === null && couldBeHeavy && sizes === null) return [sizesUnknown(collection.namespace)];
    const isHeavy =
      couldBeHeavy && sizes !== null && sizes.ofIndexes >= HEAVY_BYTES && sizes.ofIndexes >= sizes.ofDocuments;
    if (byNumber === null && !isHeavy) return [];
    const hidden = indexes.filter((index) => index.hidden).length;
    return [
      {
        ...(byNumber ?? { severity: 'info' }),
        confidence: 'high',
        path: null,
        message:
          `${indexesText(indexes, sizes)}. An insert or ` +
          `delete writes ${writesText(indexes, written)}; an update writes those of its fields. They compete with the documents for the cache.${isMostlyUnused ? usedText(used.length, indexes.length) : ''}`,
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
function usedIndexes(indexes: readonly IndexDescription[], usage: IndexUsage): readonly IndexDescription[] | null {
  const usesOf = (index: IndexDescription) => accessesOf(index, usage);
  const total = indexes.reduce((sum, index) => sum + usesOf(index), 0);
  if (usage.nodesNotAsked !== 0 || total < FEWEST_USES) return null;
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
    : `${formatCount(Math.round(written))} of them on average (the others are sparse or partial)`;
}

function indexesText(
  { length }: readonly IndexDescription[],
  sizes: { readonly ofIndexes: number; readonly ofDocuments: number } | null,
): string {
  return sizes === null
    ? `The collection has ${plural(length, 'index', 'indexes')}`
    : `${formatCount(length)} indexes take ${formatBytes(sizes.ofIndexes)}, the documents ${formatBytes(sizes.ofDocuments)}`;
}

function largest(
  indexes: readonly IndexDescription[],
  indexSizes: Readonly<Record<string, number>>,
): Record<string, number> {
  const sizes = indexes.map(({ name }) => [name, ownValue(indexSizes, name) ?? 0] as const);
  return Object.fromEntries(sizes.sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED));
}

function remedySteps(indexes: readonly IndexDescription[]): RemedyStep[] {
  return stepsOf(
    'Start with the findings of unused-index and redundant-index on this collection. Hide an index before you drop it.',
    mergeText(indexes),
    'If users filter by fields that cannot be foreseen, replace the index for each field by one wildcard index, or by the attribute pattern: ' +
      '{ name, value } pairs in an array with one index.',
  );
}

/** Most indexes can be merged that begin with the same field and compare alike. */
function mergeText(indexes: readonly IndexDescription[]): string {
  const [first, ...others] = [...groupedBy(indexes, beginning).values()].reduce(
    (most, each) => (each.length > most.length ? each : most),
    [],
  );
  if (first === undefined || others.length === 0)
    return 'Replace several by a compound index over fields that are queried together. No two indexes of one collation should begin with the same field.';
  const examples = [first, ...others.slice(0, 1)].map(({ key }) => formatIndexKey(key));
  return (
    `${formatCount(1 + others.length)} of them begin with \`${Object.keys(first.key)[0] ?? ''}\`, such as ${examples.join(' and ')}. ` +
    'Merge those that one index can serve: equality fields first, then the sort, then ranges.'
  );
}

function beginning({ key, collation }: IndexDescription): string {
  return JSON.stringify([Object.keys(key)[0], collation]);
}
