import { MongoServerError } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import { absentBecause, ATLAS_ERROR, skipReason } from '../connect/server-error.js';
import { formatDuration } from '../format.js';
import { absent, present, type Absent, type Evidence } from '../presence.js';
import { drawOplog, readTail, type DrawnOplog } from './even-draw.js';
import { READING } from './limits.js';

/** Reads the oplog of the whole server. */
export async function readOplog(reader: ClusterReader, { topology }: Cluster): Promise<Evidence<DrawnOplog>> {
  if (topology === 'standalone') return absent('unsupported', 'reading the oplog: a standalone server has none.');
  if (topology === 'sharded') {
    return absent('unsupported', 'reading the oplog: mongos has none; lint a shard directly to see what grows on it.');
  }
  try {
    const drawn = await drawOplog(reader, READING.mostTime);
    return drawn === null ? EMPTY : present(drawn);
  } catch (error) {
    return unreadable(error);
  }
}

/** Where the oplog can't be read as a whole: the newest entries of each collection. It misses transactions. */
export class OplogByNamespace {
  private endsAt = Infinity;

  constructor(private readonly reader: ClusterReader) {}

  async read(namespace: string): Promise<Evidence<DrawnOplog>> {
    this.endsAt = Math.min(this.endsAt, performance.now() + READING.mostTimeTogether);
    const left = Math.min(READING.mostTime, this.endsAt - performance.now());
    if (left <= 0) {
      return absent(
        'bound',
        `reading the oplog: the ${formatDuration(READING.mostTimeTogether)} for all collections were used up before ${namespace}.`,
      );
    }
    try {
      const drawn = await readTail(this.reader, namespace, left);
      return drawn === null
        ? absent('insufficient', `reading the oplog: it has no entry of ${namespace}.`)
        : present(drawn);
    } catch (error) {
      return unreadable(error);
    }
  }
}

/** Atlas refuses to show all of the oplog on some tiers, or shows none. */
export function isReadableByNamespace(reading: Absent): boolean {
  return reading === EMPTY || reading.code === ATLAS_ERROR;
}

const EMPTY = absent('insufficient', 'reading the oplog: the server returned no entry.');

function unreadable(error: unknown): Absent {
  if (skipReason(error) === 'timeout' && error instanceof MongoServerError) {
    return absent(
      'timeout',
      `reading the oplog: the server took longer than the limit of ${formatDuration(READING.mostTime)}.`,
      error,
    );
  }
  return absentBecause(error, 'reading the oplog', 'find on local.oplog.rs');
}
