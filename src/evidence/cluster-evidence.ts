import { z } from 'zod';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';
import { type Evidence, evidenceSchema } from '../presence.js';
import type { Children } from '../references/children/children.js';
import type { ReferenceIntegrity } from '../references/reference-integrity.js';
import type { References } from '../references/references.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import type { Workload } from '../workload/workload.js';
import type { OplogWindow } from './oplog-window.js';

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

/** What can be known of the cluster as a whole, by the names that checks list in `clusterNeeds`. */
export interface ClusterEvidence {
  readonly server: Server;
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
