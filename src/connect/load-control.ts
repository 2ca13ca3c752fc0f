import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Document, MongoServerError } from 'mongodb';
import type { ClusterReader } from './cluster-reader.js';
import { type Deadline, LateAnswerError, ServerLoadError } from './deadline.js';

/** The first probes, sent before anything is read, say how the server answers if this run is no burden. */
export const START_PROBES = 3;

/** All of so many in a row decide, so that a checkpoint or an election does not. */
const DECIDING_PROBES = 5;

// Our own choice: under saturation, waiting times grow without bound (queueing theory), and a factor of 5 is no jitter.
const TIMES_SLOWER = 5;

/** In ms. Users notice a quarter of a second (Nielsen, "Usability Engineering", 1993: 0.1 to 1 s); from 1 to 5 ms is nothing. */
const LEAST_MILLISECONDS = 250;

/** Operations. WiredTiger has 128 read tickets (MongoDB manual, up to 6.0): whatever waits, waits because all are taken. */
const LEAST_QUEUED = 64;

export interface ServerLoadSummary {
  readonly startMs: number;
  readonly slowestMs: number;
  readonly slowedMs: number;
  readonly stopped: boolean;
}

/** In ms. Monitoring agents ask as often. */
const PROBE_INTERVAL = 1_000;

/** In ms, between two reads of a run that was slowed. */
const PAUSE = 500;

/** In ms, of the measurement of how long this process itself kept an answer waiting. */
const RESOLUTION = 10;

const NANOSECONDS_PER_MS = 1_000_000;

/** The sections that take the longest are left out: what is wanted is the queue, and how long the answer takes. */
const STATUS: Document = {
  serverStatus: 1,
  locks: 0,
  metrics: 0,
  mirroredReads: 0,
  opLatencies: 0,
  repl: 0,
  tcmalloc: 0,
  wiredTiger: 0,
};

const HELLO: Document = { hello: 1 };

/** Asks the server for next to nothing while a run lasts, and slows or ends it by how long that takes. */
export class LoadControl {
  readonly #load = new ServerLoad();
  readonly #ownDelay = monitorEventLoopDelay({ resolution: RESOLUTION });
  readonly #closed = new AbortController();
  #command = STATUS;
  #slowedAt: number | null = null;
  #slowedMs = 0;

  constructor(
    private readonly reader: ClusterReader,
    private readonly deadline: Deadline,
  ) {}

  start(): void {
    this.#ownDelay.enable();
    void this.#watch();
  }

  close(): void {
    this.#closed.abort();
    this.#ownDelay.disable();
  }

  summary(): ServerLoadSummary | null {
    const slowedMs = Math.round(this.#slowedMs + (this.#slowedAt === null ? 0 : performance.now() - this.#slowedAt));
    if (slowedMs === 0) return null;
    const { start, slowest } = this.#load.times;
    return {
      startMs: Math.round(start),
      slowestMs: Math.round(slowest),
      slowedMs,
      stopped: this.#load.pace === 'stopped',
    };
  }

  async #watch(): Promise<void> {
    for (let number = 1; !this.#closed.signal.aborted && this.#load.pace !== 'stopped'; number += 1) {
      const probe = await this.#probe();
      if (probe !== null) this.#setPace(probe);
      const options = { ref: false, signal: this.#closed.signal };
      if (number >= START_PROBES) await delay(PROBE_INTERVAL, undefined, options).catch(() => undefined);
    }
  }

  /** Null if nothing is known by it: the connection was lost, or the run has ended. */
  async #probe(): Promise<Probe | null> {
    this.#ownDelay.reset();
    const asked = performance.now();
    const waited = () => {
      const own = Math.max(0, this.#ownDelay.max / NANOSECONDS_PER_MS - RESOLUTION);
      return Math.max(0, performance.now() - asked - own);
    };
    try {
      const answer = await this.reader.command('admin', this.#command, { paced: false });
      const queued: unknown = answer['globalLock']?.currentQueue?.total;
      return { milliseconds: waited(), queued: typeof queued === 'number' ? queued : null };
    } catch (error) {
      if (error instanceof MongoServerError) this.#command = HELLO;
      return error instanceof LateAnswerError ? { milliseconds: waited(), queued: null } : null;
    }
  }

  #setPace(probe: Probe): void {
    const before = this.#load.pace;
    const pace = this.#load.observe(probe);
    if (pace === before) return;
    if (pace === 'full') {
      this.deadline.setPause(null);
      this.#slowedMs += performance.now() - (this.#slowedAt ?? performance.now());
      this.#slowedAt = null;
      return;
    }
    this.#slowedAt ??= performance.now();
    this.deadline.setPause(() => delay(PAUSE));
    const { start, slowest } = this.#load.times;
    if (pace === 'stopped') this.deadline.stop(new ServerLoadError(slowest, start));
  }
}

export type Pace = 'full' | 'slow' | 'stopped';

interface Probe {
  readonly milliseconds: number;
  /** Operations that waited for a lock or a ticket meanwhile; null if the server does not say. */
  readonly queued: number | null;
}

/** Slows a run once the server answers much slower than at the start, and stops it if that did not help. */
export class ServerLoad {
  readonly #start: Probe[] = [];
  #recent: Probe[] = [];
  #pace: Pace = 'full';
  #slowest = 0;

  get pace(): Pace {
    return this.#pace;
  }

  /** In ms: the median of the first probes, and the slowest of those probes that decided. */
  get times(): { readonly start: number; readonly slowest: number } {
    return { start: median(this.#start.map(({ milliseconds }) => milliseconds)), slowest: this.#slowest };
  }

  observe(probe: Probe): Pace {
    if (this.#start.length < START_PROBES) {
      this.#start.push(probe);
      return this.#pace;
    }
    this.#recent.push(probe);
    if (this.#recent.length < DECIDING_PROBES || this.#pace === 'stopped') return this.#pace;
    const slow = this.#recent.filter((recent) => this.#isSlow(recent));
    if (slow.length === DECIDING_PROBES) {
      this.#slowest = Math.max(this.#slowest, ...slow.map(({ milliseconds }) => milliseconds));
      this.#pace = this.#pace === 'full' ? 'slow' : 'stopped';
      this.#recent = [];
    } else if (this.#pace === 'full') {
      this.#recent.shift();
    } else {
      if (slow.length < DECIDING_PROBES / 2) this.#pace = 'full';
      this.#recent = [];
    }
    return this.#pace;
  }

  #isSlow({ milliseconds, queued }: Probe): boolean {
    const queuedAtStart = median(this.#start.map((probe) => probe.queued ?? 0));
    return (
      milliseconds > Math.max(LEAST_MILLISECONDS, TIMES_SLOWER * this.times.start) ||
      (queued ?? 0) > Math.max(LEAST_QUEUED, TIMES_SLOWER * queuedAtStart)
    );
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
