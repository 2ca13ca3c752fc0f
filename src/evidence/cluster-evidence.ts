import type { Document } from 'mongodb';
import { z } from 'zod';
import { neededDocuments, neededFigure, timeIn as timeAt } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import { absentBecause } from '../connect/server-error.js';
import { READING } from '../growth/limits.js';
import { oplogTimes } from '../growth/oplog.js';
import { ofKind } from '../names.js';
import { figureSchema, type Plain, timeSchema } from '../plain.js';
import { evidenceSchema } from '../presence-schema.js';
import { absent, type Absent, type Evidence, present } from '../presence.js';
import type { Children } from '../references/children/children.js';
import type { ReferenceIntegrity } from '../references/reference-integrity.js';
import type { References } from '../references/references.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import type { Workload } from '../workload/workload.js';
import type { Safety } from './safety.js';
/** What checks must know of the server. */
export const serverSchema = z.strictObject({
  /** As `buildInfo` gives it, "6.0.27"; through mongos, that of mongos. */
  version: ofKind('no name'),
  /** Collections, without views, also those that are not linted; absent if not all databases could be listed. */
  collections: z.number().exactOptional(),
  /** Names of the shards that are not being removed. Absent if it is no sharded cluster, or they can't be read. */
  shards: z.array(z.string()).exactOptional(),
  /** Files that the process of one member may have open at once: `ulimit -n`. Absent if there are few collections. */
  openFilesLimit: evidenceSchema(z.number()).exactOptional(),
});

export type Server = Plain<typeof serverSchema>;

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

/** What can be known of the cluster as a whole, by the names that checks list in `clusterNeeds`. */
export interface ClusterEvidence {
  readonly server: Server;
  /** How the server is set up: authentication, TLS, voters. */
  readonly safety: Safety;
  /** How far back the oplog reaches, and how far members are behind; null of a standalone server. */
  readonly oplogWindow: OplogWindow | null;
  /** How many documents belong to one parent, for each relation that the workload joins. */
  readonly children: Children;
  /** Fields that hold the `_id`s of other collections, found by their values. */
  readonly references: References;
  /** Those references followed: which dangle, which copies differ, and which are one-sided. */
  readonly referenceIntegrity: ReferenceIntegrity;
  /** The operations on the cluster, from every source that could be read. */
  readonly workload: Workload;
}

export type ClusterEvidenceName = keyof ClusterEvidence;

/** The evidence of the cluster as checks get it: the workload with its joins traced, which is derived and never stored. */
export type TracedClusterEvidence = Omit<ClusterEvidence, 'workload'> & { readonly workload: TracedWorkload };

/** The evidence of the cluster that was asked for, as checks get it: each piece present, or absent with a reason. */
export type CollectedTracedEvidence = {
  readonly [Name in ClusterEvidenceName]?: Evidence<TracedClusterEvidence[Name]>;
};

/** Codes of the server's errors that kept these pieces from being collected. */
export function errorCodesOf(pieces: Readonly<Record<string, Evidence<unknown> | undefined>>): readonly number[] {
  return codesOf(Object.values(pieces).filter(isAbsent));
}

/** Codes of the server's errors that kept the evidence of the cluster from being collected, in whole or in part. */
export function errorCodesOfCluster(evidence: CollectedTracedEvidence): readonly number[] {
  const { workload, references, referenceIntegrity, children } = evidence;
  const read = workload?.present === true ? workload.value : null;
  const parts = { ...read?.sources, counters: read?.counters };
  const withGaps = [...Object.values(read?.sources ?? {}), references, referenceIntegrity, children];
  const gaps = withGaps.flatMap((piece) => (piece?.present === true ? piece.value.gaps : []));
  return [...errorCodesOf(evidence), ...errorCodesOf(parts), ...codesOf(gaps)];
}

function codesOf(absences: readonly Absent[]): readonly number[] {
  return absences.flatMap(({ code }) => (code === undefined ? [] : [code]));
}

function isAbsent(piece: Evidence<unknown> | undefined): piece is Absent {
  return piece?.present === false;
}

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
