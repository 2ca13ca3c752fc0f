import type { Document } from 'mongodb';
import { z } from 'zod';
import { neededFigure, neededText, neededTime, textIn } from '../../connect/answer.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import type { GroupedStatistics, StatisticsStages } from '../../inventory/groups/grouped-statistics.js';
import { figureSchema, type Plain } from '../../plain.js';
import { absent, present, type Evidence } from '../../presence.js';

/** The evidence `load`: the operations that the primaries of the shards have served on a collection, by their own counters. */
export const loadSchema = z.array(
  z.strictObject({
    shard: z.string(),
    reads: figureSchema,
    writes: figureSchema,
    /** In ms: since the primary's start, or since the collection is there. Null if it has no index on `_id`. */
    countedFor: z.number().nonnegative().nullable(),
  }),
);

export type Load = Plain<typeof loadSchema>;

const COMMAND = '$collStats';
const COUNTERS: StatisticsStages = {
  piece: 'load',
  stages: (added) => [
    { $collStats: { latencyStats: {} } },
    {
      $project: {
        ...added,
        shard: 1,
        localTime: 1,
        reads: '$latencyStats.reads.ops',
        writes: '$latencyStats.writes.ops',
      },
    },
  ],
};
/** The index on `_id` is as old as its collection, and its counter as old as the process. */
const BEGUN: StatisticsStages = {
  piece: 'load',
  stages: (added) => [
    { $indexStats: {} },
    { $match: { name: '_id_' } },
    { $project: { ...added, shard: 1, since: '$accesses.since' } },
  ],
};

/** Through mongos alone: it tells the shards apart. */
export async function readLoad(
  reader: ClusterReader,
  collection: Collection,
  grouped: GroupedStatistics,
): Promise<Evidence<Load>> {
  const { database, name, namespace } = collection;
  if (!reader.capabilities.isRouter) return absent('unsupported', `${namespace} is on no sharded cluster.`);
  try {
    const primary = await reader.ofPrimary();
    if (primary === null)
      return absent('insufficient', `no primary could be asked for the operations on ${namespace}.`);
    const read = async (stages: StatisticsStages) =>
      (await grouped.of(primary, collection, stages)) ??
      (await primary.aggregate<Document>(database, name, [...stages.stages({})]).toArray());
    const [counters, begun] = await Promise.all([read(COUNTERS), read(BEGUN)]);
    const since = new Map(
      begun.map((answer) => [textIn(answer, 'shard'), neededTime('$indexStats', answer, 'since')] as const),
    );
    return present(
      counters.map((answer) => {
        const shard = neededText(COMMAND, answer, 'shard');
        const from = since.get(shard);
        return {
          shard,
          reads: neededFigure(COMMAND, answer, 'reads'),
          writes: neededFigure(COMMAND, answer, 'writes'),
          countedFor: from === undefined ? null : Math.max(0, neededTime(COMMAND, answer, 'localTime') - from),
        };
      }),
    );
  } catch (error) {
    const privilege = `collStats and indexStats on ${namespace}, as in the role clusterMonitor`;
    return absentBecause(error, `reading how many operations each shard serves on ${namespace}`, privilege);
  }
}
