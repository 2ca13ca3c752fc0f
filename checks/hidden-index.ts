import { type Collection, defineCheck, type IndexDescription, type IndexUsage, type RemedyStep } from '../src/check.js';
import { formatBytes, formatDay, plural } from '../src/format.js';
import { formatIndexKey, isIdIndex } from '../src/inventory/index-key.js';
import { IDLE_INDEX_WARNING, indexBytesAt } from '../src/judgement/indexes/index-cost.js';
import { judgedAt, judgedAtText, judgedSize } from '../src/judgement/judged-size.js';
import { shellCommand } from '../src/judgement/shell-statement.js';
import { shellCollection } from '../src/namespace.js';
import { ownValue } from '../src/plain.js';
import { MS_PER_DAY } from '../src/time-units.js';

export const hiddenIndex = defineCheck({
  id: 'hidden-index',
  title: 'Hidden index left behind',
  summary: 'an index that was hidden long ago and never dropped',
  appliesTo: ['collection'],
  needs: ['indexes', 'indexUsage'],
  uses: ['storage'],
  thresholds: {
    hiddenFor: {
      default: 31,
      unit: 'days',
      description: 'days that the index has been hidden, at least',
      source:
        'judgement: the longest common cycle of reports and bills is a month; what a hidden index is missed by has then run',
    },
    warning: IDLE_INDEX_WARNING,
  },
  judge({ collection, indexes, indexUsage, storage }, { hiddenFor, warning }) {
    if (storage?.count === 0) return [];
    const size = storage === undefined || storage.count === null ? null : judgedSize(collection, storage.count);
    return indexes
      .filter((index) => index.hidden && servesQueriesOnly(index))
      .map((index) => {
        const since = hiddenSince(index, indexUsage);
        const days = since === null ? null : (indexUsage.readAt - since) / MS_PER_DAY;
        if (since === null || days === null || days < hiddenFor) return notYet(index, since, hiddenFor);
        const bytes = ownValue(storage?.indexSizes ?? {}, index.name) ?? null;
        return {
          severity: indexBytesAt(bytes ?? 0, size) >= warning ? 'warning' : 'info',
          confidence: 'medium',
          path: index.name,
          message:
            `Index \`${index.name}\` on ${formatIndexKey(index.key)} has been hidden ${forText(days)}. No query can use it. ` +
            `${bytes === null ? 'Each' : `It takes ${formatBytes(bytes)}, and each`} insert still writes it.${size === null ? '' : judgedAtText(size)}`,
          ...(size !== null && judgedAt(size)),
          evidence: {
            source: 'listIndexes and $indexStats',
            window: `hidden since ${formatDay(since)} or before, by ${plural(indexUsage.nodes.length, 'node')}`,
            key: { ...index.key },
            hiddenDaysAtLeast: Math.floor(days),
            ...(bytes !== null && { indexBytes: bytes }),
          },
          remedy: { steps: steps(collection, index) },
        } as const;
      });
  },
});

/** Hidden or not, a unique index prevents duplicates, and a TTL index deletes. */
function servesQueriesOnly(index: IndexDescription): boolean {
  const isEnforcing = index.unique || index.furtherOptions?.['prepareUnique'] === true;
  return !isEnforcing && index.expireAfterSeconds === undefined && !isIdIndex(index);
}

/**
 * Hiding sets the counter back on every node, as a restart does: the earliest one says since when it is hidden at the latest.
 * Null if no node counts it, or one counts uses, so that the counter began before.
 */
function hiddenSince({ name }: IndexDescription, { nodes }: IndexUsage): number | null {
  const counters = nodes.flatMap(({ indexes }) => ownValue(indexes, name) ?? []);
  if (counters.length === 0 || counters.some(({ accesses }) => accesses > 0)) return null;
  return Math.min(...counters.map(({ since }) => since));
}

function notYet({ name }: IndexDescription, since: number | null, hiddenFor: number) {
  const known =
    since === null
      ? 'no node says since when it is hidden.'
      : `it was hidden, or all nodes restarted, on ${formatDay(since)} or later. Run again after ${formatDay(since + Math.ceil(hiddenFor) * MS_PER_DAY)}.`;
  return { notJudged: 'insufficient', detail: `whether hidden index \`${name}\` was left behind: ${known}` } as const;
}

function steps({ database, name, namespace }: Collection, index: IndexDescription): RemedyStep[] {
  const unhide = { collMod: name, index: { name: index.name, hidden: false } };
  return [
    {
      text: 'If queries have been slow since then, or if another finding advises it, unhide the index. That takes no time, since the server has kept it up to date.',
      code: shellCommand(database, unhide),
    },
    {
      text: 'Else drop it. Only a new build brings it back, so keep its definition.',
      code: `${shellCollection(namespace)}.dropIndex(${JSON.stringify(index.name)})`,
      givesUp: [index.name],
    },
  ];
}

function forText(days: number): string {
  return days < 1 ? 'just now' : `for ${plural(Math.floor(days), 'day')} or more`;
}
