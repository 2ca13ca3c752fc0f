import {
  type Collection,
  type CollectionReads,
  defineCheck,
  type IndexDescription,
  type Problem,
  type RemedyStep,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatCount, formatDuration, formatShare, inWords, plural } from '../src/format.js';
import type { EarlierCount } from '../src/growth/growth.js';
import type { StorageStatistics } from '../src/inventory/storage.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { shellCommand } from '../src/judgement/shell-statement.js';
import { ownValue } from '../src/plain.js';
import { MS_PER_DAY } from '../src/time-units.js';

export const reusableSpace = defineCheck({
  id: 'reusable-space',
  title: 'Reusable space',
  summary: 'files of a collection and its indexes that are free for the most part after documents were deleted',
  appliesTo: ['collection'],
  needs: ['storage'],
  uses: ['indexes', 'reads', 'growth'],
  thresholds: {
    share: {
      default: 0.5,
      unit: 'share',
      description: 'share of a file that is free, at least',
      source: 'judgement: the documents fit into half of the file; new ones would have to double the collection',
    },
    reusable: {
      default: 1024 * 1024 * 1024,
      unit: 'bytes',
      description: 'bytes free in such files, for an info',
      source: 'judgement: 50 times the 20 MB from which compact acts by default (MongoDB manual, "compact")',
    },
    warning: {
      default: 10 * 1024 * 1024 * 1024,
      unit: 'bytes',
      description: 'bytes free, if an earlier run shows that the collection does not need them',
      source: 'judgement: worth a maintenance window on each member',
    },
  },
  retiredThresholds: ['watched', 'reusedWithin'],
  judge({ collection, storage, indexes = [], reads, growth }, limits) {
    // Their size is fixed, and an empty one is reported by empty-collection.
    if (collection.capped !== undefined || storage.count === 0) return [];
    const files = reusableFiles(storage);
    if (files === null) return [{ notJudged: 'unsupported', detail: NOT_COUNTED, nothingJudged: true }];
    const free = files.filter(({ reusable, bytes }) => bytes > 0 && reusable >= limits.share * bytes);
    const reusableBytes = sum(free, ({ reusable }) => reusable);
    if (reusableBytes < limits.reusable) return [];
    const fileBytes = sum(free, ({ bytes }) => bytes);
    const seen = { documents: storage.count, reusableBytes, fileBytes, indexes, reads, earlier: growth?.earlierCount };
    const reuse = spaceReuse(seen);
    return [problem(collection, indexes, free, { reusableBytes, fileBytes }, reuse, limits.warning)];
  },
});

const NOT_COUNTED =
  'the server does not report how much of a file is free: MongoDB does from 4.4 on, with WiredTiger, and evidence files since this check exists.';

/** Whether new documents take what is free: at the net growth since an earlier run, or not for long; if documents come and go, their number at other times is unknown. */
type SpaceReuse =
  | (Counts & { readonly kind: 'soon'; readonly days: number })
  | (Counts & { readonly kind: 'unneeded' })
  | { readonly kind: 'replaced'; readonly by: string }
  | { readonly kind: 'unknown' };

function problem(
  collection: Collection,
  indexes: readonly IndexDescription[],
  files: readonly ReusableFile[],
  { reusableBytes, fileBytes }: { readonly reusableBytes: number; readonly fileBytes: number },
  reuse: SpaceReuse,
  warning: number,
): Problem {
  const isWarning = reuse.kind === 'unneeded' && reusableBytes >= warning;
  return {
    severity: isWarning ? 'warning' : 'info',
    confidence: reuse.kind === 'unneeded' ? 'high' : reuse.kind === 'soon' ? 'medium' : 'low',
    path: null,
    message:
      `${formatBytes(reusableBytes)} of ${formatBytes(fileBytes)} on disk are free, and only new documents of this collection can use them: ` +
      `${inWords(files.map(fileText))}. ${reuseText(reuse)}`,
    evidence: {
      source: 'collStats',
      window: 'the files of the node that was read; other members have their own',
      reusableBytes,
      fileBytes,
      reusableShare: reusableBytes / fileBytes,
      reusableBytesByFile: Object.fromEntries(files.map(({ name, reusable }) => [name, reusable])),
      ...(reuse.kind !== 'unknown' &&
        reuse.kind !== 'replaced' && { earlierDocuments: reuse.earlier, daysSinceThen: reuse.daysAgo }),
      ...(reuse.kind === 'soon' && { daysUntilReused: reuse.days }),
    },
    remedy: { steps: stepsFor(collection, indexes, files, reuse) },
  };
}

function fileText({ name, reusable, bytes }: ReusableFile): string {
  return `${name} ${formatShare(reusable / bytes)} of ${formatBytes(bytes)}`;
}

function reuseText(reuse: SpaceReuse): string {
  switch (reuse.kind) {
    case 'soon':
      return `The collection grows, and uses the space again in about ${formatDuration(reuse.days * MS_PER_DAY)}.`;
    case 'unneeded':
      return `The collection had ${plural(reuse.earlier, 'document')} ${formatDuration(reuse.daysAgo * MS_PER_DAY)} ago, and has ${formatCount(reuse.documents)} now: it will not need the space soon.`;
    case 'replaced':
      return `Documents are replaced here (${reuse.by}), so later ones may take them.`;
    case 'unknown':
      return 'Whether it fills up again is not known.';
  }
}

function stepsFor(
  { database, name }: Collection,
  indexes: readonly IndexDescription[],
  files: readonly ReusableFile[],
  reuse: SpaceReuse,
): RemedyStep[] {
  if (reuse.kind === 'soon')
    return stepsOf('Leave it: the next documents use this space. Compacting now would make the files grow again.');
  const shards = [...new Set(files.flatMap(({ shard }) => shard ?? []))];
  const isKnown = reuse.kind === 'unneeded';
  return stepsOf(
    ...onlyIf(
      !isKnown,
      'First find out whether the collection fills up again: run with --history for a week or more. A queue needs at its ' +
        'peak what is free now, and is not to be compacted.',
    ),
    {
      text:
        `${isKnown ? 'Compact' : 'If it does not, compact'} one secondary after the other${shards.length === 0 ? '' : ` of ${inWords(shards)}`}, connected to it directly, in a quiet hour and with a backup. ` +
        `Since 4.4, reads and writes go on; building and dropping ${indexes.length > 1 ? 'its indexes' : 'indexes'} waits. Before 4.4.17, the member does not replicate meanwhile.`,
      code: shellCommand(database, { compact: name }),
    },
    'From 8.0 on, ask first how much it would free, with dryRun: true. autoCompact does it in the background.',
    'Step the primary down, and compact it as a secondary.',
    'Alternative, if many collections of a node are like this: resync its members one by one. The initial sync writes new ' +
      'files. Keep a majority of members up.',
    'Read freeStorageSize again: compaction moves what fits, so a part can stay.',
  );
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** A file of the storage engine: of the collection, on each shard, or of an index. */
interface ReusableFile {
  readonly name: string;
  readonly shard?: string;
  readonly bytes: number;
  readonly reusable: number;
}

/** Null if the server does not give them. Indexes with less than 1 MB are left out, or all if unknown. */
function reusableFiles(storage: StorageStatistics): readonly ReusableFile[] | null {
  const ofCollection = collectionFiles(storage);
  if (ofCollection === null) return null;
  const { indexSizes, indexFreeStorageSizes = {} } = storage;
  const ofIndexes = Object.entries(indexFreeStorageSizes).flatMap(([name, reusable]) => {
    const bytes = ownValue(indexSizes ?? {}, name);
    return bytes === undefined ? [] : [{ name: `index ${name}`, bytes, reusable }];
  });
  return [...ofCollection, ...ofIndexes];
}

function collectionFiles({ storageSize, freeStorageSize, byShard }: StorageStatistics): readonly ReusableFile[] | null {
  if (storageSize === null || freeStorageSize === undefined) return null;
  const ofShards = (byShard ?? []).flatMap(({ shard, storageSize: bytes, freeStorageSize: reusable }) =>
    bytes === undefined || reusable === undefined
      ? []
      : [{ name: `the collection on ${shard}`, shard, bytes, reusable }],
  );
  return ofShards.length > 0 ? ofShards : [{ name: 'the collection', bytes: storageSize, reusable: freeStorageSize }];
}

interface Counts {
  readonly documents: number;
  readonly earlier: number;
  readonly daysAgo: number;
}

interface SpaceSeen {
  readonly documents: number | null;
  readonly reusableBytes: number;
  readonly fileBytes: number;
  readonly indexes: readonly IndexDescription[];
  readonly reads: CollectionReads | undefined;
  readonly earlier: EarlierCount | undefined;
}

/** Days since an earlier run from which the number of documents shows whether the space is used again. Judgement: a week. */
const WATCHED = 7;

/** Days within which new documents take the space, so that it is left to them. Judgement: a quarter. */
const REUSED_WITHIN = 90;

/** Documents of the present mean size on disk are assumed to come. In days. */
function spaceReuse({ documents, reusableBytes, fileBytes, indexes, reads, earlier }: SpaceSeen): SpaceReuse {
  const ttl = indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
  if (ttl !== undefined) return { kind: 'replaced', by: `TTL index ${ttl.name}` };
  if ((reads?.inserts ?? 0) > 0 && (reads?.deletes ?? 0) > 0)
    return { kind: 'replaced', by: 'inserts and deletes were recorded' };
  if (earlier === undefined || earlier.daysAgo < WATCHED || documents === null) return { kind: 'unknown' };
  const counts = { documents, earlier: earlier.documents, daysAgo: earlier.daysAgo };
  const perDay = (documents - earlier.documents) / earlier.daysAgo;
  const days = (documents * reusableBytes) / Math.max(1, fileBytes - reusableBytes) / perDay;
  return perDay > 0 && days <= REUSED_WITHIN ? { kind: 'soon', ...counts, days } : { kind: 'unneeded', ...counts };
}
