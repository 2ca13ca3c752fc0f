import type { Evidence } from '../presence.js';

/** What checks must know of the server. */
export interface Server {
  /** As `buildInfo` gives it, "6.0.27"; through mongos, that of mongos. */
  readonly version: string;
  /** Collections, without views, also those that are not linted; absent if not all databases could be listed. */
  readonly collections?: number;
  /** Files that the process of one member may have open at once: `ulimit -n`. Absent if there are few collections. */
  readonly openFilesLimit?: Evidence<number>;
}
