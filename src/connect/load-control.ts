import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoServerError, type Document } from 'mongodb';
import type { ClusterReader } from './cluster-reader.js';
import { LateAnswerError, ServerLoadError, type Deadline } from './deadline.js';
import { ServerLoad, START_PROBES, type Probe } from './server-load.js';

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
