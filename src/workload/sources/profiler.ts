import type { Document } from 'mongodb';
import pLimit from 'p-limit';
import { APP_NAME } from '../../connect/connect.js';
import { SHORT_READ } from '../../connect/deadline.js';
import type { Member } from '../../connect/cluster-reader.js';
import { PROFILER_SETTINGS } from '../../connect/allowed-commands.js';
import { plural } from '../../format.js';
import { absent, type Absent, type Evidence } from '../../presence.js';
import { executionOf } from '../operations/execution.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import { readDocuments } from './raw-documents.js';
import { gapsOf, listed, readSource, type ReadSource } from './source.js';
import { profiledViews } from './views.js';
import type { CountersByNode } from './server-status.js';
import { inPart, profilerCoverage } from './profiler-coverage.js';
import type { ResolvedView, ServerCounters, SourcePart } from '../workload.js';

/** The newest entries, per database and node. `system.profile` is capped at 1 MB unless someone made it larger. */
const MOST_ENTRIES = 10_000;
const MOST_BYTES = 16 * 1024 * 1024;
/** Most profiles fit into one reply, which the driver asks for again if a connection is lost. A later one it does not. */
const BATCH = { batchSize: 1_000, documentBytes: 2_048 };
const READS_AT_ONCE = 4;

/** What the profiler records, except killed cursors. */
const OPERATIONS = ['query', 'command', 'getmore', 'insert', 'update', 'remove'];

/** Everything that is used. `execStats` alone would be larger than all of it. */
const PROJECTION = Object.fromEntries(
  [
    'op',
    'ns',
    'ts',
    'command',
    'originatingCommand',
    'resolvedViews',
    'cursorid',
    'millis',
    'docsExamined',
    'keysExamined',
    'nreturned',
    'ninserted',
    'nModified',
    'nUpserted',
    'ndeleted',
    'hasSortStage',
    'usedDisk',
    'responseLength',
    'planSummary',
    'queryFramework',
    'locks',
    'flowControl',
    'queues',
    'storage',
    'writeConflicts',
    'workingMillis',
    'appName',
    'user',
  ].map((name) => [name, 1]),
);

const ATTEMPT = {
  operation: 'reading the profiler of',
  privilege: 'find on system.profile of the database, as in the roles clusterMonitor and dbAdmin',
};

export interface ReadProfiler extends ReadSource {
  readonly views: readonly ResolvedView[];
}

export async function readProfiler(
  nodes: readonly Member[],
  databases: readonly string[],
  counters: CountersByNode,
  { showValues }: { readonly showValues: boolean } = { showValues: false },
): Promise<ReadProfiler> {
  const tally = new OperationTally();
  const views = new Map<string, ResolvedView>();
  const limit = pLimit(READS_AT_ONCE);
  const places = nodes.flatMap((node) => databases.map((database) => ({ node, database })));
  const reads = await Promise.all(
    places.map(({ node, database }) =>
      limit(() =>
        readDatabase(node, database, tally, views, counters, showValues).catch((error: unknown) => ({
          place: database,
          error,
        })),
      ),
    ),
  );
  const failures = reads.filter((read) => 'error' in read);
  const successes = reads.filter((read) => 'part' in read);
  const parts = successes.map(({ part }) => part);
  const dropped = nodes.flatMap(({ name }) => droppedGap(name, counters.get(name)) ?? []);
  const gaps = [...gapsOf(failures, ATTEMPT), ...successes.flatMap(({ gap }) => gap ?? []), ...dropped];
  const silent = databases.filter((database) => isOff(parts.filter((part) => part.database === database)));
  if (silent.length > 0) gaps.push(offGap(silent));
  return {
    ...readSource(parts, gaps, tally, 'the profiler'),
    views: [...views.values()],
  };
}

/** mongos has no profiler, and does not pass on those of its shards. */
export function profilerOfMongos(): ReadProfiler {
  const source = absent(
    'unsupported',
    "reading the profiler: mongos has none, and a shard's profiler can only be read on the shard. Give the logs of the shards with --log.",
  );
  return { source, operations: [], views: [] };
}

async function readDatabase(
  { name, reader }: Member,
  database: string,
  tally: OperationTally,
  views: Map<string, ResolvedView>,
  counters: CountersByNode,
  showValues: boolean,
): Promise<{ part: SourcePart; gap: Absent | null }> {
  const settings = profilerCoverage(await reader.command(database, { profile: PROFILER_SETTINGS }));
  const coverage = droppedGap(name, counters.get(name)) === null ? settings : inPart(settings);
  const part = new PartTally(tally);
  const cursor = reader.findRaw(
    database,
    'system.profile',
    { appName: { $ne: APP_NAME }, op: { $in: OPERATIONS } },
    {
      sort: { $natural: -1 },
      limit: MOST_ENTRIES,
      projection: showValues ? { ...PROJECTION, client: 1 } : PROJECTION,
      ...BATCH,
      ...SHORT_READ,
    },
  );
  const end = await readDocuments(cursor, MOST_BYTES, (entry) => takeEntry(entry, part, views));
  part.bounded = end !== 'complete' || part.entries + part.ignored + part.unreadable >= MOST_ENTRIES;
  const counted = part.part({ database, member: name }, coverage);
  if (typeof end !== 'object') return { part: counted, gap: null };
  if (counted.entries + counted.ignored === 0) throw end.error;
  const [gap = null] = gapsOf([{ place: database, error: end.error }], {
    ...ATTEMPT,
    operation: 'reading older entries of the profiler of',
  });
  return { part: counted, gap };
}

function droppedGap(node: string, counters: Evidence<ServerCounters> | undefined): Absent | null {
  const left = counters?.present === true ? counters.value.profiler : null;
  if (left === null || left.dropped + left.switchedOff === 0) return null;
  const switchedOff =
    left.switchedOff === 0
      ? ''
      : ` It also switched the profiler off ${plural(left.switchedOff, 'time')}: lower its sampleRate before you switch it on again.`;
  return absent(
    'insufficient',
    `under load, the profilers of ${node} dropped ${plural(left.dropped, 'entry', 'entries')} since the server started.${switchedOff}`,
  );
}

function takeEntry(entry: Document | null, part: PartTally, views: Map<string, ResolvedView>): void {
  if (entry === null) return part.add('unreadable');
  const at = entry['ts'] instanceof Date ? entry['ts'].getTime() : Number.NaN;
  part.covers(at);
  const execution = executionOf({
    fields: entry,
    operation: entry['op'],
    at,
    milliseconds: entry['millis'],
    responseBytes: entry['responseLength'],
    user: entry['user'],
    address: entry['client'],
    truncated: false,
  });
  part.add(execution);
  if (typeof execution === 'object')
    for (const view of profiledViews(entry['resolvedViews'])) views.set(view.namespace, view);
}

function isOff(parts: readonly SourcePart[]): boolean {
  return parts.length > 0 && parts.every(({ coverage, entries }) => coverage.operations === 'none' && entries === 0);
}

function offGap(databases: readonly string[]): Absent {
  return absent(
    'insufficient',
    `the profiler is off in ${listed(databases)}. To record operations slower than 100 ms, run db.setProfilingLevel(1, {slowms: 100}) there. Let the application work, then run mongolint again.`,
  );
}
