import { hash } from 'node:crypto';
import type { Document } from 'mongodb';
import { PROFILER_SETTINGS } from '../../connect/allowed-commands.js';
import { AnswerShapeError } from '../../connect/answer.js';
import type { Member } from '../../connect/cluster-reader.js';
import { skipReason } from '../../connect/server-error.js';
import { formatCount } from '../../format.js';
import { databaseOf } from '../../namespace.js';
import { absent, type Absent } from '../../presence.js';
import { isExecution, type Execution, type NoExecution } from '../operations/execution.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import type { Coverage, SourcePart } from '../workload.js';
import { CLIENT_METADATA, CONNECTION_ENDED, LINE_START } from './connection-drivers.js';
import { inPart, profilerCoverage, type RecordingsBegun } from './profiler.js';
import { LogContext, slowQueryOf } from './slow-query.js';
import { type Failure, gapsOf, readSource, type ReadSource, type SourceReading } from './source.js';

/** Lines remembered of all files. Each takes some 40 bytes. */
const MOST_KNOWN_LINES = 1_000_000;

/** The bytes of a hash: two of a million lines are taken for one in every 500th run. */
const HASH_BYTES = 6;

/** The threshold may have changed while the log was written. */
const COVERAGE: Coverage = { operations: 'slow', slowMilliseconds: null, sampleRate: null };

/** What a file holds: operations of servers with data, and of routers. */
export interface LinesOfFile {
  readonly servers: PartTally;
  readonly routers: PartTally;
  readonly known: KnownLines | null;
}

/** How the reading of a file ended. */
export type Ending = 'complete' | 'out of time' | 'damaged' | { readonly failed: string };

/** The logs of one kind of server. */
export class LogsOf {
  readonly gaps: Absent[] = [];
  readonly #tally = new OperationTally();
  readonly #parts: SourcePart[] = [];

  /** @param since lines from before are ignored, in ms since 1970; null for none */
  constructor(
    private readonly name: string,
    private readonly since: number | null = null,
  ) {}

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  part(): PartTally {
    return new PartTally(this.#tally, this.since);
  }

  /** What is of neither kind counts with the file's own. */
  take(own: PartTally, other: PartTally, file: string, ending: Ending): void {
    own.ignored += other.ignored;
    own.unreadable += other.unreadable;
    other.ignored = 0;
    own.bounded = ending !== 'complete';
    this.gaps.push(...gapsIn(file, ending, own));
    this.takePart(own, file);
  }

  takePart(part: PartTally, file: string): void {
    this.#parts.push(part.part({ file }, COVERAGE));
  }

  source(): ReadSource {
    return readSource(this.#parts, this.gaps, this.#tally, this.name);
  }
}

function gapsIn(name: string, ending: Ending, part: PartTally): Absent[] {
  const gaps: Absent[] = [];
  if (ending === 'out of time')
    gaps.push(
      absent(
        'timeout',
        `reading ${name}: the run's time was over before the end of the file; allow more with --max-time.`,
      ),
    );
  if (ending === 'damaged')
    gaps.push(
      absent(
        'malformed',
        `reading ${name}: its gzip data is truncated or damaged; only the part before the damage was read.`,
      ),
    );
  if (typeof ending === 'object')
    gaps.push(
      absent('fault', `reading ${name}: the system failed (${ending.failed}); only the part before that was read.`),
    );
  if (part.isEmpty) gaps.push(nothingIn(name, part));
  return gaps;
}

export function tooManyLines(): Absent {
  return absent(
    'bound',
    `the log files overlap, and hold more than ${formatCount(MOST_KNOWN_LINES)} slow operations and new connections: after these, lines that are in two files count twice.`,
  );
}

function nothingIn(name: string, { unreadable }: PartTally): Absent {
  return unreadable > 0
    ? absent(
        'malformed',
        `reading ${name}: it holds no readable line about an operation. Only the structured logs of mongod 4.4 and later can be read.`,
      )
    : absent(
        'insufficient',
        `reading ${name}: it holds no slow operation. A server logs those slower than its slowms, 100 ms unless set, which is one setting for all of ` +
          'its databases. For a record of the faster ones, turn the profiler on in one database: db.setProfilingLevel(2), for minutes.',
      );
}

/** Recognises lines of an earlier file. Those of other servers or connections differ, and what one file has twice happened twice. */
export class KnownLines {
  readonly #earlier = new Set<number>();
  #here = new Set<number>();

  isFull = false;

  found = 0;

  nextFile(): void {
    for (const line of this.#here) this.#earlier.add(line);
    this.#here = new Set();
  }

  isKnown(line: string): boolean {
    const digest = hash('sha1', line.slice(Math.max(0, line.indexOf(LINE_START))), 'buffer').readUIntBE(0, HASH_BYTES);
    if (this.#earlier.has(digest)) {
      this.found += 1;
      return true;
    }
    if (this.#earlier.size + this.#here.size < MOST_KNOWN_LINES) this.#here.add(digest);
    else this.isFull = true;
    return false;
  }
}

const ATTEMPT = {
  operation: 'reading the recent log lines of',
  privilege: 'getLog on the cluster, as in the role clusterMonitor',
};

/** Reads the log lines that each node keeps in memory: its last 1,024, without those from before a recording began. */
export async function readRecentLog(
  nodes: readonly Member[],
  databases: readonly string[],
  reading: SourceReading,
  begun: RecordingsBegun,
): Promise<ReadSource> {
  const tally = new OperationTally();
  const parts: SourcePart[] = [];
  const failures: Failure[] = [];
  for (const node of nodes) {
    try {
      const { log } = await node.reader.command('admin', { getLog: 'global' });
      if (!Array.isArray(log)) throw new AnswerShapeError('getLog', 'log');
      const part = new PartTally(tally, reading.since);
      const context = new LogContext(reading, { source: 'recentLog', member: node.name });
      for (const line of log as unknown[]) takeLine(String(line), part, context, begun);
      for (const { execution } of context.unfinished()) part.add(execution);
      parts.push(part.part({ member: node.name }, await slowCoverage(node, databases)));
    } catch (error) {
      failures.push({ place: node.name, error });
    }
  }
  return readSource(parts, gapsOf(failures, ATTEMPT), tally, 'the log');
}

function takeLine(line: string, part: PartTally, context: LogContext, begun: RecordingsBegun): void {
  if (line.includes(CLIENT_METADATA)) context.drivers.add(line);
  else if (line.includes(CONNECTION_ENDED)) context.drivers.ended(line);
  const { at, execution, others = [] } = slowQueryOf(line.trimEnd(), context);
  const isEarlier = execution !== 'other' && execution !== 'later' && !isOfRecording(execution, begun);
  if (at !== null && !isEarlier) part.covers(at);
  if (execution !== 'other' && execution !== 'later') part.add(isEarlier ? 'ignored' : execution);
  for (const other of others) part.add(isOfRecording(other, begun) ? other : 'ignored');
}

function isOfRecording(execution: Execution | NoExecution, begun: RecordingsBegun): boolean {
  return !isExecution(execution) || execution.at >= (begun.get(databaseOf(execution.shape.namespace)) ?? 0);
}

/** The profiler's threshold and sample rate are also the log's, and the same for every database. */
async function slowCoverage({ reader }: Member, databases: readonly string[]): Promise<Coverage> {
  const unknown: Coverage = { operations: 'slow', slowMilliseconds: null, sampleRate: null };
  const [database] = databases;
  if (database === undefined) return unknown;
  try {
    const settings: Document = await reader.command(database, { profile: PROFILER_SETTINGS });
    // As at level 1; but these are only the last lines, whatever the threshold.
    const coverage = profilerCoverage({ ...settings, was: 1 });
    return coverage.operations === 'all' ? inPart(coverage) : coverage;
  } catch (error) {
    // The lines count even without the privilege to read the profiler's settings.
    if (skipReason(error) === 'privilege' || skipReason(error) === 'unsupported') return unknown;
    throw error;
  }
}
