import type { Confidence, IndexDescription, IndexUsage, Verdict } from '../../src/check.js';
import { formatCount, formatDay, plural } from '../../src/format.js';
import { ownValue } from '../../src/plain.js';
import { MS_PER_DAY } from '../../src/time-units.js';

/** Indexes that a sentence names. */
const MOST_NAMED = 5;

/** Since when all nodes count; a node that does not know the index yet has just begun. */
export function countedSince({ name }: IndexDescription, { nodes, readAt }: IndexUsage): number {
  return nodes.length === 0
    ? readAt
    : Math.max(...nodes.map(({ indexes }) => ownValue(indexes, name)?.since ?? readAt));
}

export function confidenceOf({ nodesNotAsked }: IndexUsage, isFullCycle: boolean): Confidence {
  if (nodesNotAsked !== 0) return 'low';
  return isFullCycle ? 'high' : 'medium';
}

export function nodesText({ nodes, nodesNotAsked }: IndexUsage): string {
  const asked = nodes.length === 1 ? `on ${nodes[0]?.node}` : `on any of ${formatCount(nodes.length)} nodes`;
  if (nodesNotAsked === 0) return asked;
  const others = nodesNotAsked === null ? 'others, of unknown number,' : plural(nodesNotAsked, 'other');
  return `${asked}; ${others} could not be asked, since mongos asks one primary and one secondary of each shard`;
}

export function tooYoung(
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

export function daysText(days: number): string {
  return days < 1 ? 'less than a day' : plural(Math.floor(days), 'day');
}
