import type { Document } from 'mongodb';
import pLimit from 'p-limit';
import { PROFILER_SETTINGS } from '../../connect/allowed-commands.js';
import { figureIn, neededFigure, numberIn, timeIn } from '../../connect/answer.js';
import { APP_NAME } from '../../connect/client.js';
import type { Member } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import { plural } from '../../format.js';
import { absent, type Absent, type Evidence } from '../../presence.js';
import { executionOf, isExecution } from '../operations/execution.js';
import type { TakeOther } from '../operations/index-changes.js';
import { FIGURE_FIELDS } from '../operations/operation-figures.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import type { Coverage, ResolvedView, ServerCounters, SourcePart } from '../workload.js';
import { readDocuments } from './raw-documents.js';
import type { CountersByNode } from './server-status.js';
import { gapsOf, listed, readSource, type ReadSource, type SourceReading } from './source.js';
import { profiledViews } from './views.js';

const ALL_OPERATIONS = 2;

const SLOW_OPERATIONS = 1;

/** The newest entries, per database and node. `system.profile` is capped at 1 MB unless someone made it larger. */
const MOST_ENTRIES = 10_000;

const MOST_BYTES = 16 * 1024 * 1024;

/** Most profiles fit into one reply, which the driver asks for again if a connection is lost. A later one it does not. */
const BATCH = { batchSize: 1_000, documentBytes: 2_048 };

const READS_AT_ONCE = 4;

/** No operation on data. All others are read, so that an unknown kind is counted. */
const KILLED_CURSORS = 'killcursors';

/** What every entry is read by. */
const FIELDS = [
  'op',
  'ns',
  'ts',
  'command',
  'originatingCommand',
  'resolvedViews',
  'cursorid',
  'millis',
  'responseLength',
];

/** Everything that is used. `execStats` alone would be larger than all of it. */
export const PROJECTION: Document = Object.fromEntries([...FIELDS, ...FIGURE_FIELDS].map((name) => [name, 1]));

const ATTEMPT = {
  operation: 'reading the profiler of',
  privilege: 'find on system.profile of the database, as in the roles clusterMonitor and dbAdmin',
};

/**
 * The comment of a command by which a build says that its recording begins: what other sources have of that database from
 * before is of another one, such as an earlier branch on the same server.
 */
const RECORDING_BEGINS = 'mongolint: recording begins';

/** By database, in ms since 1970: when a recording said that it begins. */
export type RecordingsBegun = ReadonlyMap<string, number>;

export interface ReadProfiler extends ReadSource {
  readonly views: readonly ResolvedView[];
  readonly begun: RecordingsBegun;
}

export async function readProfiler(
  nodes: readonly Member[],
  databases: readonly string[],
  counters: CountersByNode,
  reading: SourceReading = { showValues: false, since: null },
): Promise<ReadProfiler> {
  const tally = new OperationTally();
  const views = new Map<string, ResolvedView>();
  const limit = pLimit(READS_AT_ONCE);
  const places = nodes.flatMap((node) => databases.map((database) => ({ node, database })));
  const reads = await Promise.all(
    places.map(({ node, database }) =>
      limit(() =>
        readDatabase(node, database, tally, views, counters, reading).catch((error: unknown) => ({
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
  if (silent.length > 0) gaps.push(offGap(silent, parts));
  return {
    ...readSource(parts, gaps, tally, 'the profiler'),
    views: [...views.values()],
    begun: new Map(successes.flatMap(({ part, begun }) => (begun === null ? [] : [[part.database as string, begun]]))),
  };
}

/** mongos has no profiler, and does not pass on those of its shards. */
export function profilerOfMongos(): ReadProfiler {
  const source = absent(
    'unsupported',
    "reading the profiler: mongos has none, and a shard's profiler can only be read on the shard. Give the logs of the shards with --log.",
  );
  return { source, operations: [], views: [], begun: new Map() };
}

async function readDatabase(
  { name, reader }: Member,
  database: string,
  tally: OperationTally,
  views: Map<string, ResolvedView>,
  counters: CountersByNode,
  reading: SourceReading,
): Promise<{ part: SourcePart; gap: Absent | null; begun: number | null }> {
  const settings = profilerCoverage(await reader.command(database, { profile: PROFILER_SETTINGS }));
  const coverage = droppedGap(name, counters.get(name)) === null ? settings : inPart(settings);
  const part = new PartTally(tally, reading.since);
  const cursor = reader.findRaw(
    database,
    'system.profile',
    { appName: { $ne: APP_NAME }, op: { $ne: KILLED_CURSORS } },
    {
      sort: { $natural: -1 },
      limit: MOST_ENTRIES,
      projection: reading.showValues ? { ...PROJECTION, client: 1 } : PROJECTION,
      ...BATCH,
      ...SHORT_READ,
    },
  );
  const takeOther = reading.indexChanges?.place('profiler');
  let begun: number | null = null;
  const end = await readDocuments(cursor, MOST_BYTES, (entry) => {
    if (entry?.['command']?.comment === RECORDING_BEGINS) begun ??= timeIn(entry, 'ts');
    takeEntry(entry, part, views, reading, takeOther);
  });
  part.bounded = end !== 'complete' || part.read >= MOST_ENTRIES;
  const counted = part.part({ database, member: name }, coverage);
  if (typeof end !== 'object') return { part: counted, gap: null, begun };
  if (part.isEmpty) throw end.error;
  const [gap = null] = gapsOf([{ place: database, error: end.error }], {
    ...ATTEMPT,
    operation: 'reading older entries of the profiler of',
  });
  return { part: counted, gap, begun };
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

function takeEntry(
  entry: Document | null,
  part: PartTally,
  views: Map<string, ResolvedView>,
  { lineOf, transactions }: SourceReading,
  takeOther?: TakeOther,
): void {
  if (entry === null) return part.add('unreadable');
  const at = timeIn(entry, 'ts') ?? Number.NaN;
  part.covers(at);
  const recorded = {
    fields: entry,
    operation: entry['op'],
    at,
    milliseconds: entry['millis'],
    responseBytes: entry['responseLength'],
    user: entry['user'],
    address: entry['client'],
    truncated: false,
    ...(lineOf !== undefined && { lineOf }),
  };
  const execution = executionOf(recorded);
  part.add(execution);
  if (!isExecution(execution)) return takeOther?.(recorded);
  transactions?.statement('profiler', execution);
  for (const view of profiledViews(entry['resolvedViews'])) views.set(view.namespace, view);
}

function isOff(parts: readonly SourcePart[]): boolean {
  return parts.length > 0 && parts.every(({ coverage, entries }) => coverage.operations === 'none' && entries === 0);
}

/** `slowms` is one setting for all databases of a server, and its log: what is printed leaves it as it is. */
function offGap(databases: readonly string[], parts: readonly SourcePart[]): Absent {
  const slow = [...new Set(parts.flatMap(({ coverage }) => coverage.slowMilliseconds ?? []))];
  const [first] = slow;
  const slower =
    slow.length === 1 && first !== undefined && first >= 0 ? `slower than ${first} ms` : 'slower than slowms';
  return absent(
    'insufficient',
    `the profiler is off. To record operations ${slower}, run db.setProfilingLevel(1) in ${listed(databases)}. Leave slowms as it is: it is ` +
      'one setting for all databases of a server, and its log. Let the application work, then run mongolint again.',
  );
}

/**
 * What a profiler records, by the answer of `profile: -1`.
 *
 * Source: MongoDB manual, "Database Profiler". At level 1 a filter decides instead of `slowms` and `sampleRate`, and a
 * `slowms` below 0 is shorter than any operation. At level 2 none of them counts.
 */
export function profilerCoverage(settings: Document): Coverage {
  const level = neededFigure('profile', settings, 'was');
  const limits = limitsOf(settings);
  if (level === ALL_OPERATIONS) return withRateLimit(settings);
  if (level !== SLOW_OPERATIONS) return { operations: 'none', ...limits };
  if (settings['filter'] !== undefined) return { operations: 'unknown', slowMilliseconds: null, sampleRate: null };
  const isSampled = limits.sampleRate === null || limits.sampleRate < 1;
  const isOfAll = limits.slowMilliseconds !== null && limits.slowMilliseconds < 0;
  return {
    ...limits,
    operations: isSampled ? 'part' : isOfAll ? 'all' : 'slow',
    slowMilliseconds: isOfAll ? null : limits.slowMilliseconds,
  };
}

export function inPart({ operations, slowMilliseconds }: Coverage): Coverage {
  const kept = operations === 'all' || operations === 'slow' ? 'part' : operations;
  return { operations: kept, slowMilliseconds: operations === 'all' ? null : slowMilliseconds, sampleRate: null };
}

function limitsOf(settings: Document): Omit<Coverage, 'operations'> {
  const { sampleRate, filter } = settings;
  // Before 3.6, nothing but `slowms` decided.
  const rate = sampleRate === undefined ? 1 : numberIn(settings, 'sampleRate');
  return { slowMilliseconds: numberIn(settings, 'slowms'), sampleRate: filter === undefined ? rate : null };
}

/** Percona's server records one of so many operations. Source: Percona Server for MongoDB manual, "Profiling rate limit". */
function withRateLimit(settings: Document): Coverage {
  const limit = figureIn(settings, 'ratelimit') ?? 1;
  return limit > 1
    ? { operations: 'part', slowMilliseconds: null, sampleRate: 1 / limit }
    : { operations: 'all', slowMilliseconds: null, sampleRate: 1 };
}
