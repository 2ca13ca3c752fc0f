import type { Document } from 'mongodb';
import { z } from 'zod';
import { neededDocuments, neededFigure, timeIn as timeAt } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import { absentBecause } from '../connect/server-error.js';
import { READING } from '../growth/limits.js';
import { oplogTimes } from '../growth/oplog.js';
import { figureSchema, timeSchema, type Plain } from '../plain.js';
import { absent, evidenceSchema, present, type Evidence } from '../presence.js';

/** How far back the oplog of the member that was read reaches, and how far the others are behind. */
export const oplogWindowSchema = z.strictObject({
  /** Times of the oldest and the newest entry, in ms since 1970. */
  from: timeSchema,
  to: timeSchema,
  bytes: figureSchema,
  /** Size from which the oldest entries are removed. */
  maximumBytes: figureSchema,
  /** Time in ms by which the member that is furthest behind lags; 0 for the only one. One that is down counts from what it last had. */
  furthestBehind: evidenceSchema(z.number().nonnegative()),
});

export type OplogWindow = Plain<typeof oplogWindowSchema>;

const [DATABASE, NAME] = ['local', 'oplog.rs'];
const WHAT = 'reading the window of the oplog';
const SIZES = [
  { $collStats: { storageStats: {} } },
  { $project: { 'storageStats.size': 1, 'storageStats.maxSize': 1 } },
];
/** PRIMARY, SECONDARY, RECOVERING, DOWN, ROLLBACK: the others hold no data, or are just being filled. */
const WITH_DATA = new Set([1, 2, 3, 8, 9]);

/** Null of a standalone server, which has no oplog, and no change streams that read it. */
export async function readOplogWindow(
  reader: ClusterReader,
  { topology }: Cluster,
): Promise<Evidence<OplogWindow | null>> {
  if (topology === 'standalone') return present(null);
  if (topology === 'sharded')
    return absent('unsupported', `${WHAT}: mongos has none; lint a shard directly to judge its own.`);
  try {
    const times = await oplogTimes(reader, READING.mostTime);
    if (times === null) return absent('insufficient', `${WHAT}: the server returned no entry.`);
    const [sizes] = await reader.aggregate<Document>(DATABASE, NAME, SIZES).toArray();
    return present({
      ...times,
      bytes: neededFigure('$collStats', sizes, 'storageStats.size'),
      maximumBytes: neededFigure('$collStats', sizes, 'storageStats.maxSize'),
      furthestBehind: await furthestBehind(reader),
    });
  } catch (error) {
    return absentBecause(error, WHAT, 'find and collStats on local.oplog.rs');
  }
}

async function furthestBehind(reader: ClusterReader): Promise<Evidence<number>> {
  try {
    const status = await reader.command('admin', { replSetGetStatus: 1 });
    const written = neededDocuments('replSetGetStatus', status, 'members')
      .filter((member) => WITH_DATA.has(neededFigure('replSetGetStatus', member, 'state')))
      // The `optimeDate` of a member that is down is 1970 (measured on 6.0.5), and so is all of one that was never heard of.
      .map((member) => timeAt(member, 'lastAppliedWallTime') ?? timeAt(member, 'optimeDate') ?? 0)
      .filter((at) => at > 0);
    return present(written.length === 0 ? 0 : Math.max(...written) - Math.min(...written));
  } catch (error) {
    return absentBecause(
      error,
      'reading how far the members of the replica set are behind',
      'replSetGetStatus on the cluster, as in the role clusterMonitor',
    );
  }
}
