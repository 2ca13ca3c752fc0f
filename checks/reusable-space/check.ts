import { defineCheck, type Collection, type IndexDescription, type Problem } from '../../src/check.js';
import { formatBytes, formatCount, formatDuration, formatShare, inWords, plural } from '../../src/format.js';
import { stepsFor } from './remedy.js';
import { reusableFiles, sum, type ReusableFile } from './reusable-files.js';
import { spaceReuse, type SpaceReuse } from './space-reuse.js';

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
      description: 'share of a file that is free, from which it counts',
      source: 'judgement: the documents fit into half of the file; new ones would have to double the collection',
    },
    reusable: {
      default: 1024 * 1024 * 1024,
      unit: 'bytes',
      description: 'free bytes in such files from which an info is given',
      source: 'judgement: 50 times the 20 MB from which compact acts by default (MongoDB manual, "compact")',
    },
    warning: {
      default: 10 * 1024 * 1024 * 1024,
      unit: 'bytes',
      description:
        'free bytes from which a warning is given, if an earlier run shows that the collection does not need them',
      source: 'judgement: worth a maintenance window on each member',
    },
    watched: {
      default: 7,
      unit: 'days',
      description: 'days since an earlier run from which the number of documents shows whether the space is used again',
      source: 'judgement: the cycle of a week',
    },
    reusedWithin: {
      default: 90,
      unit: 'days',
      description: 'days within which new documents take the space at the present growth, so that it is left to them',
      source: 'judgement: a quarter; compacting earlier makes the file grow again',
    },
  },
  judge({ collection, storage, indexes = [], reads, growth }, limits) {
    // Their size is fixed, and an empty one is reported by empty-collection.
    if (collection.capped !== undefined || storage.count === 0) return [];
    const files = reusableFiles(storage);
    if (files === null) return [{ notJudged: 'unsupported', detail: NOT_TOLD, nothingJudged: true }];
    const free = files.filter(({ reusable, bytes }) => bytes > 0 && reusable >= limits.share * bytes);
    const reusableBytes = sum(free, ({ reusable }) => reusable);
    if (reusableBytes < limits.reusable) return [];
    const fileBytes = sum(free, ({ bytes }) => bytes);
    const seen = { documents: storage.count, reusableBytes, fileBytes, indexes, reads, earlier: growth?.earlierCount };
    const reuse = spaceReuse(seen, limits);
    return [problem(collection, indexes, free, { reusableBytes, fileBytes }, reuse, limits.warning)];
  },
});

const DAY = 24 * 60 * 60 * 1000;
const NOT_TOLD =
  'the server does not report how much of a file is free: MongoDB does from 4.4 on, with WiredTiger, and evidence files since this check exists.';

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
      return `The collection grows, and uses the space again in about ${formatDuration(reuse.days * DAY)}.`;
    case 'unneeded':
      return `The collection had ${plural(reuse.earlier, 'document')} ${formatDuration(reuse.daysAgo * DAY)} ago, and has ${formatCount(reuse.documents)} now: it will not need the space soon.`;
    case 'replaced':
      return `Documents are replaced here (${reuse.by}), so later ones may take them.`;
    case 'unknown':
      return 'Whether it fills up again is not known.';
  }
}
