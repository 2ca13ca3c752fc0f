import type { Cluster } from '../connect/connect.js';
import type { ServerLoadSummary } from '../connect/load-control.js';
import type { ReadsSummary } from '../connect/read-members.js';
import type { UserState } from '../connect/user-rights.js';
import type { Inventory } from '../inventory/inventory.js';
import type { Absent } from '../presence.js';
import type { CollectedTracedEvidence } from './cluster-evidence.js';
import type { ClusterPieceName, KeptCollection } from './source.js';

/** The evidence of one run, which is judged in the same way wherever it comes from. */
export interface EvidenceRun {
  readonly startedAt: Date;
  readonly cluster: Cluster;
  /** True if all names are pseudonyms. */
  readonly hasPseudonyms?: boolean;
  /** Which collections there are is known only with their evidence. */
  readonly inventory: Pick<Inventory, 'unlisted' | 'shardingUnknown'>;
  /**
   * Hands on the evidence of each collection as soon as it is there, so that only a few profiles are held, and waits for
   * `take` before it goes on.
   *
   * @returns what `take` gave, in the order of the namespaces
   */
  ofCollections<Result>(take: (collected: KeptCollection) => Result | Promise<Result>): Promise<Result[]>;
  /**
   * The evidence of the cluster. Only after that of all collections.
   *
   * @param kept every collection with the evidence that the evidence of the cluster rests on
   */
  ofCluster(kept: readonly KeptCollection[]): Promise<CollectedTracedEvidence>;
  /** How reading it went. Only after the evidence of the cluster. */
  end(): Promise<RunEnd>;
  /** Why its later collections and the evidence of the cluster were not read any more; absent or null if they were. */
  unfinished?(): Absent | null;
  /** The evidence of production that it was joined with; only after that of all collections. Absent if there is none. */
  production?(): JoinedProduction;
  /** What has become of the user: asked for only if the server refused something. */
  user(): Promise<UserState>;
}

export interface JoinedProduction {
  readonly collectedAt: Date;
  readonly version: string;
  /** How many collections of the run production has, too. */
  readonly collections: number;
}

/** How reading the evidence of a run went. */
export interface RunEnd {
  /** Null if it is being judged while it is read. */
  readonly finishedAt: Date | null;
  /** True if the time of `--max-time` was over when the last read ended. */
  readonly isOutOfTime: boolean;
  /** True if it was ended by then to spare the server. */
  readonly isStopped: boolean;
  /** How the run spared the server; null if it did not have to. */
  readonly serverLoad: ServerLoadSummary | null;
  /** Members that were lost while they were read, and those that lag; absent or null if there is neither. */
  readonly reads?: ReadsSummary | null;
  /** What of the cluster's evidence could not be read although the checks that rest on it judge by other evidence. */
  readonly gaps: readonly EvidenceGap[];
  /** Codes of the server's errors that kept from being collected what is no evidence itself. */
  readonly errorCodes: readonly number[];
  /** Why the history could not be written; null if it was, or if there is none. */
  readonly historyFault: string | null;
}

export interface EvidenceGap {
  readonly name: ClusterPieceName;
  readonly gap: Absent;
}
