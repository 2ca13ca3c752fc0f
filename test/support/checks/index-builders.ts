import type { IndexDescription, IndexUsage } from '../../../src/check.js';

/** An index as `listIndexes` describes it, named as the server would. */
export function index(key: IndexDescription['key'], options: Partial<IndexDescription> = {}): IndexDescription {
  const name = Object.entries(key).flat().join('_');
  return { name, key, unique: false, sparse: false, hidden: false, clustered: false, ...options };
}

export const ID_INDEX = index({ _id: 1 }, { name: '_id_' });

const DAY = 24 * 60 * 60 * 1_000;
/** When the statistics of the tests were read. */
export const READ_AT = Date.UTC(2026, 10, 21, 12);

/** Statistics of one node: by the index's name how often it was used, and for how many days that has been counted. */
export function usage(
  nodes: readonly Readonly<Record<string, readonly [accesses: number, days: number]>>[],
  nodesNotAsked: number | null = 0,
): IndexUsage {
  return {
    readAt: READ_AT,
    nodesNotAsked,
    nodes: nodes.map((byName, position) => ({
      node: position === 0 ? 'the primary' : `secondary ${position}`,
      indexes: Object.fromEntries(
        Object.entries(byName).map(([name, [accesses, days]]) => [name, { accesses, since: READ_AT - days * DAY }]),
      ),
    })),
  };
}
