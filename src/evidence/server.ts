import { z } from 'zod';
import type { Plain } from '../plain.js';
import { evidenceSchema } from '../presence.js';

/** What checks must know of the server. */
export const serverSchema = z.strictObject({
  /** As `buildInfo` gives it, "6.0.27"; through mongos, that of mongos. */
  version: z.string(),
  /** Collections, without views, also those that are not linted; absent if not all databases could be listed. */
  collections: z.number().exactOptional(),
  /** Names of the shards that are not being removed. Absent if it is no sharded cluster, or they can't be read. */
  shards: z.array(z.string()).exactOptional(),
  /** Files that the process of one member may have open at once: `ulimit -n`. Absent if there are few collections. */
  openFilesLimit: evidenceSchema(z.number()).exactOptional(),
});

export type Server = Plain<typeof serverSchema>;
