export type Pace = 'full' | 'slow' | 'stopped';

export interface Probe {
  readonly milliseconds: number;
  /** Operations that waited for a lock or a ticket meanwhile; null if the server does not say. */
  readonly queued: number | null;
}

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
