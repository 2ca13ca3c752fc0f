import { hash } from 'node:crypto';
import { formatCount } from '../../format.js';
import { absent, type Absent } from '../../presence.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import type { Coverage, SourcePart } from '../workload.js';
import { LINE_START } from './connection-drivers.js';
import { readSource, type ReadSource } from './source.js';

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
    this.gaps.push(...gapsOf(file, ending, own));
    this.takePart(own, file);
  }

  takePart(part: PartTally, file: string): void {
    this.#parts.push(part.part({ file }, COVERAGE));
  }

  source(): ReadSource {
    return readSource(this.#parts, this.gaps, this.#tally, this.name);
  }
}

function gapsOf(name: string, ending: Ending, part: PartTally): Absent[] {
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
    `the log files have lines in common, and hold more than ${formatCount(MOST_KNOWN_LINES)} slow operations: behind these, common lines count twice.`,
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
          'its databases. For a record of the faster ones, switch the profiler on in one database: db.setProfilingLevel(2), for minutes.',
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
