import type { Document } from 'mongodb';
import { z } from 'zod';
import { neededFigure, neededText, neededTime, textIn } from '../connect/answer.js';
import type { ClusterReader, Member, Members } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import { formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import type { GroupedStatistics, StatisticsStages } from '../inventory/groups/grouped-statistics.js';
import { ofKind } from '../names.js';
import { figureSchema, ownValue, timeSchema, type Plain } from '../plain.js';
import { absent, present, type Evidence } from '../presence.js';

/** Uses of an index on one node. TTL, the balancer and checks of uniqueness don't count. */
export const indexAccessesSchema = z.strictObject({
  accesses: figureSchema,
  /** When counting began, in ms since 1970: at the start of the node, or when the index was created. */
  since: timeSchema,
});

export type IndexAccesses = Plain<typeof indexAccessesSchema>;

export const nodeIndexUsageSchema = z.strictObject({
  /** For people, without the host: "the primary", "secondary 1", "a member of shard sh1". */
  node: ofKind('member'),
  /** Absent if it is no shard of a cluster. */
  shard: z.string().exactOptional(),
  /** By the index's name. Indexes that are still being built are left out. */
  indexes: z.record(ofKind('index'), indexAccessesSchema),
  /** Names of the indexes that are being built there. Absent if there are none. */
  building: z.array(z.string()).exactOptional(),
});

export type NodeIndexUsage = Plain<typeof nodeIndexUsageSchema>;

/** The evidence `indexUsage`: each node counts its own uses, and forgets them at a restart. */
export const indexUsageSchema = z.strictObject({
  /** When it was read, in ms since 1970. */
  readAt: timeSchema,
  nodes: z.array(nodeIndexUsageSchema),
  /** Further nodes that hold the collection and cannot be asked, as through mongos; null if their number is not known. */
  nodesNotAsked: figureSchema.nullable(),
});

export type IndexUsage = Plain<typeof indexUsageSchema>;

/** Uses on all nodes that were asked. */
export function accessesOf({ name }: { readonly name: string }, { nodes }: IndexUsage): number {
  return nodes.reduce((sum, { indexes }) => sum + (ownValue(indexes, name)?.accesses ?? 0), 0);
}

/** With the descriptions of the indexes. */
export const INDEX_STATISTICS: StatisticsStages = {
  piece: 'indexUsage',
  stages: (added) => [{ $indexStats: {} }, ...(Object.keys(added).length === 0 ? [] : [{ $addFields: added }])],
};

/** Asks every node that holds the collection: an index is unused only if no node uses it. */
export async function readIndexUsage(
  reader: ClusterReader,
  collection: Collection,
  grouped: GroupedStatistics,
): Promise<Evidence<IndexUsage>> {
  const { namespace } = collection;
  const operation = `reading how the indexes of ${namespace} are used`;
  try {
    const members = await reader.members();
    if (members.silent.length > 0) return absent('insufficient', `${operation}: ${silence(members)}`);
    const answers = await Promise.all(members.answering.map((member) => readNode(member, collection, grouped)));
    const nodes = nodesOf(answers.flat());
    return present({
      readAt: Date.now(),
      nodes: nodes.map(({ shard, ...node }) => ({ ...node, ...(shard !== null && { shard }) })),
      nodesNotAsked: notAsked(nodes, members),
    });
  } catch (error) {
    return absentBecause(error, operation, `indexStats on ${namespace}, as in the role clusterMonitor`);
  }
}

function silence({ answering, silent }: Members): string {
  const all = plural(answering.length + silent.length, 'member');
  return (
    `${formatCount(silent.length)} of ${all} did not answer (${[...new Set(silent)].join('; ')}), and an index that only they use ` +
    'would look unused; run again when every member answers, over a connection to the whole replica set.'
  );
}

const COMMAND = '$indexStats';

interface IndexAnswer extends IndexAccesses {
  readonly member: string;
  /** To distinguish nodes; never shown. */
  readonly host: string;
  readonly shard: string | null;
  readonly index: string;
  readonly building: boolean;
}

async function readNode(
  { name: member, reader }: Member,
  collection: Collection,
  grouped: GroupedStatistics,
): Promise<IndexAnswer[]> {
  const answers =
    (await grouped.of(reader, collection, INDEX_STATISTICS)) ??
    (await reader.aggregate<Document>(collection.database, collection.name, INDEX_STATISTICS.stages({})).toArray());
  return answers.map((answer) => ({
    member,
    host: textIn(answer, 'host') ?? '',
    shard: textIn(answer, 'shard'),
    index: neededText(COMMAND, answer, 'name'),
    accesses: neededFigure(COMMAND, answer, 'accesses.ops'),
    since: neededTime(COMMAND, answer, 'accesses.since'),
    building: answer['building'] === true,
  }));
}

type Node = Omit<NodeIndexUsage, 'shard'> & Pick<IndexAnswer, 'shard'>;

/** Through mongos a shard of one member answers as primary and as secondary: it is one node. */
function nodesOf(answers: readonly IndexAnswer[]): Node[] {
  const byNode = groupedBy(answers, ({ shard, member, host }) =>
    JSON.stringify(shard === null ? [member] : [shard, host]),
  );
  return [...byNode.values()].map((ofNode) => {
    const [{ shard, member } = { shard: null, member: '' }] = ofNode;
    const building = ofNode.filter((answer) => answer.building);
    const ready = ofNode.filter((answer) => !answer.building);
    return {
      shard,
      node: shard === null ? member : `a member of shard ${shard}`,
      indexes: Object.fromEntries(ready.map(({ index, accesses, since }) => [index, { accesses, since }])),
      ...(building.length > 0 && { building: building.map(({ index }) => index) }),
    };
  });
}

function notAsked(nodes: readonly Node[], { perShard, answering }: Members): number | null {
  if (nodes.every(({ shard }) => shard === null)) return Math.max(0, answering.length - nodes.length);
  if (perShard === null) return null;
  const shards = new Set(nodes.map(({ shard }) => shard ?? ''));
  return [...shards].reduce((sum, shard) => sum + (perShard.get(shard) ?? 0), 0) - nodes.length;
}
