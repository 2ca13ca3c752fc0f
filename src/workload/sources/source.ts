import { absentBecause, skipReason } from '../../connect/server-error.js';
import { formatCount, inWords, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { absent, present, type Absent, type Evidence } from '../../presence.js';
import type { ChangeStreamTally } from '../operations/change-stream-tally.js';
import type { ConnectionTally } from '../operations/connection-tally.js';
import type { LineOf } from '../operations/execution.js';
import type { IndexChangeTally } from '../operations/index-changes.js';
import { MOST_SHAPES, type OperationTally, type TalliedOperation } from '../operations/operation-tally.js';
import type { TransactionTally } from '../operations/transaction-tally.js';
import type { SourcePart, WorkloadSource } from '../workload.js';

/** How the entries of a source are read. */
export interface SourceReading {
  /** Whether network addresses of clients are read. */
  readonly showValues: boolean;
  /** Entries from before are left out, in ms since 1970; null for all. */
  readonly since: number | null;
  /** Absent without source. */
  readonly lineOf?: LineOf | undefined;
  /** Where transactions are put together; absent if they are not asked for. */
  readonly transactions?: TransactionTally;
  /** Where the change streams of logs are put together; absent if they are not asked for. */
  readonly changeStreams?: ChangeStreamTally;
  /** Where the connections in logs are counted; absent if they are not asked for. */
  readonly connections?: ConnectionTally;
  /** Where builds and drops of indexes are counted; absent if they are not asked for. */
  readonly indexChanges?: IndexChangeTally;
}

export interface ReadSource {
  readonly source: Evidence<WorkloadSource>;
  readonly operations: readonly TalliedOperation[];
}

export interface Failure {
  /** For people: "shop", "the primary". */
  readonly place: string;
  readonly error: unknown;
}

export interface Attempt {
  /** Without the places, which follow it: "reading the profiler of". */
  readonly operation: string;
  /** Needed at each place: "find on system.profile, as in the role clusterMonitor". */
  readonly privilege: string;
}

const MOST_NAMED_PLACES = 3;

export function readSource(
  parts: readonly SourcePart[],
  gaps: readonly Absent[],
  tally: OperationTally,
  name: string,
): ReadSource {
  const [first] = gaps;
  if (parts.length === 0 && first !== undefined) return { source: first, operations: [] };
  const crowded =
    tally.crowdedOut === 0
      ? []
      : [
          absent(
            'bound',
            `${name} holds more than ${formatCount(MOST_SHAPES)} kinds of operations; ${plural(tally.crowdedOut, 'execution')} of further kinds were left out.`,
          ),
        ];
  return { source: present({ parts, gaps: [...gaps, ...crowded] }), operations: tally.operations() };
}

export function gapsOf(failures: readonly Failure[], { operation, privilege }: Attempt): Absent[] {
  return [...groupedBy(failures, ({ error }) => skipReason(error)).values()].map((alike) =>
    absentBecause(alike[0]?.error, `${operation} ${listed([...new Set(alike.map(({ place }) => place))])}`, privilege),
  );
}

/** "shop", "shop and blog", "shop, blog, news and 7 more". */
export function listed(names: readonly string[]): string {
  return inWords(names, MOST_NAMED_PLACES);
}
