import {
  type Collection,
  type Confidence,
  defineCheck,
  type IndexDescription,
  type IndexUsage,
  type Verdict,
} from '../src/check.js';
import { accessesOf } from '../src/evidence/index-usage.js';
import { formatBytes, formatCount, formatDay, plural } from '../src/format.js';
import { formatIndexKey, isIdIndex, isVisible } from '../src/inventory/index-key.js';
import { IDLE_INDEX_WARNING, indexBytesAt } from '../src/judgement/indexes/index-cost.js';
import { AFTER_A_CYCLE, hidingSteps } from '../src/judgement/indexes/index-steps.js';
import { judgedAt, judgedAtText, judgedSize } from '../src/judgement/judged-size.js';
import { ownValue } from '../src/plain.js';
import { MS_PER_DAY } from '../src/time-units.js';

/** The tags by which encrypted fields are found. Source: MongoDB manual, "Encrypted Collection Management". */
const ENCRYPTED_TAGS = '__safeContent__';

export const unusedIndex = defineCheck({
  id: 'unused-index',
  title: 'Unused index',
  summary: 'an index that no query has used on any node for a long time',
  appliesTo: ['collection'],
  needs: ['indexes', 'indexUsage'],
  uses: ['storage'],
  thresholds: {
    minimumAge: {
      default: 7,
      unit: 'days',
      description: 'days that every node has counted, at least',
      source: 'Atlas, "Review Drop Index Recommendations": unused for 7 or more days',
    },
    fullCycle: {
      default: 31,
      unit: 'days',
      description: 'days for high confidence: the jobs of a month have run',
      source: 'judgement: the longest common cycle of reports and bills is a month',
    },
    warning: IDLE_INDEX_WARNING,
  },
  judge({ collection, indexes, indexUsage, storage }, { minimumAge, fullCycle, warning }) {
    if (storage?.count === 0) return [];
    const unused = indexes
      .filter((index) => isDispensable(index, collection))
      .map((index) => ({ index, accesses: accessesOf(index, indexUsage), since: countedSince(index, indexUsage) }))
      .filter(({ accesses }) => accesses === 0);
    const daysOf = (since: number) => (indexUsage.readAt - since) / MS_PER_DAY;
    const young = unused.filter(({ since }) => daysOf(since) < minimumAge);
    const found = unused.filter(({ since }) => daysOf(since) >= minimumAge);
    return [
      ...found.map(({ index, since }): Verdict => {
        const bytes = ownValue(storage?.indexSizes ?? {}, index.name) ?? null;
        const size = storage === undefined || storage.count === null ? null : judgedSize(collection, storage.count);
        return {
          severity: indexBytesAt(bytes ?? 0, size) >= warning ? 'warning' : 'info',
          confidence: confidenceOf(indexUsage, daysOf(since) >= fullCycle),
          path: index.name,
          causedBy: `index ${index.name}`,
          message:
            `No query has used index \`${index.name}\` on ${formatIndexKey(index.key)} in ${daysText(daysOf(since))}, ` +
            `${nodesText(indexUsage)}. ${bytes === null ? 'Each' : `It takes ${formatBytes(bytes)}, and each`} insert writes it.${size === null ? '' : judgedAtText(size)}`,
          ...(size !== null && judgedAt(size)),
          evidence: {
            source: '$indexStats and collStats',
            window: `since ${formatDay(since)}, on ${plural(indexUsage.nodes.length, 'node')}`,
            key: { ...index.key },
            accesses: 0,
            nodes: indexUsage.nodes.map(({ node }) => node),
            nodesNotAsked: indexUsage.nodesNotAsked,
            ...(bytes !== null && { indexBytes: bytes }),
          },
          remedy: { steps: hidingSteps(collection, index, AFTER_A_CYCLE) },
        };
      }),
      ...tooYoung(young, minimumAge),
    ];
  },
});

/** True if the index does nothing but serve queries. */
function isDispensable(index: IndexDescription, { name, sharding }: Collection): boolean {
  const paths = Object.keys(index.key);
  // Drivers make it for Queryable Encryption, and no encrypted query works well without it.
  if (paths[0] === ENCRYPTED_TAGS) return false;
  // Drivers make it for GridFS, and would make it again.
  if (name.endsWith('.files') && paths.join() === 'filename,uploadDate') return false;
  const servesShardKey = sharding !== undefined && sharding.key.every(({ path }, position) => paths[position] === path);
  return (
    !index.unique && index.expireAfterSeconds === undefined && isVisible(index) && !isIdIndex(index) && !servesShardKey
  );
}

/** Indexes that a sentence names. */
const MOST_NAMED = 5;

/** Since when all nodes count; a node that does not know the index yet has just begun. */
function countedSince({ name }: IndexDescription, { nodes, readAt }: IndexUsage): number {
  return nodes.length === 0
    ? readAt
    : Math.max(...nodes.map(({ indexes }) => ownValue(indexes, name)?.since ?? readAt));
}

function confidenceOf({ nodesNotAsked }: IndexUsage, isFullCycle: boolean): Confidence {
  if (nodesNotAsked !== 0) return 'low';
  return isFullCycle ? 'high' : 'medium';
}

function nodesText({ nodes, nodesNotAsked }: IndexUsage): string {
  const asked = nodes.length === 1 ? `on ${nodes[0]?.node}` : `on any of ${formatCount(nodes.length)} nodes`;
  if (nodesNotAsked === 0) return asked;
  const others = nodesNotAsked === null ? 'others, of unknown number,' : plural(nodesNotAsked, 'other');
  return `${asked}; ${others} could not be asked, since mongos asks one primary and one secondary of each shard`;
}

function tooYoung(
  young: readonly { readonly index: IndexDescription; readonly since: number }[],
  minimumAge: number,
): Verdict[] {
  if (young.length === 0) return [];
  const names = young.slice(0, MOST_NAMED).map(({ index }) => `\`${index.name}\``);
  const others = young.length > MOST_NAMED ? [plural(young.length - MOST_NAMED, 'other')] : [];
  const youngest = Math.max(...young.map(({ since }) => since));
  return [
    {
      notJudged: 'insufficient',
      detail:
        `whether ${[...names, ...others].join(', ')} can go: unused so far, but the server counts only since ${formatDay(youngest)}, when the ` +
        `index was created or a node restarted. Run again after ${formatDay(youngest + Math.ceil(minimumAge) * MS_PER_DAY)}.`,
    },
  ];
}

function daysText(days: number): string {
  return days < 1 ? 'less than a day' : plural(Math.floor(days), 'day');
}
