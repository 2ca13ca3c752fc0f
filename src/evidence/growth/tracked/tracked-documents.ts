import { MS_PER_DAY } from '../../../time-units.js';
import { hashesIn, NONE, type DocumentSketch } from './document-sketch.js';
import { lifetimeDays, type Gone } from './tracked-lifetime.js';
import type { TrackedSample } from './tracked-sample.js';

export interface SketchedRun {
  readonly at: number;
  readonly sketch: DocumentSketch;
}

export interface TrackedValues {
  /** Days from each run to this one, the last 0. */
  readonly daysAgo: readonly number[];
  readonly documents: readonly TrackedDocument[];
}

export interface TrackedDocument {
  /** By run; NaN where it was not seen. */
  readonly values: Float64Array;
  /** Whether it stands for others. If not, it is there because its arrays are long. */
  readonly isEven: boolean;
}

export class TrackedDocuments {
  private readonly daysAgo: readonly number[];
  /** By document of the present sample: its place in the sketch of each run, or -1. */
  private readonly places: ReadonlyMap<number, { readonly inRuns: Int32Array; isEven: boolean }>;
  private readonly gone: readonly Gone[];

  /** @param runs in order of time, with sketches of the sample's salt */
  constructor(
    private readonly runs: readonly SketchedRun[],
    private readonly sample: TrackedSample,
    now: number,
  ) {
    const days = (at: number) => (now - at) / MS_PER_DAY;
    this.daysAgo = [...runs.map(({ at }) => days(at)), 0];
    const places = new Map<number, { readonly inRuns: Int32Array; isEven: boolean }>();
    this.gone = runs.map(({ at, sketch }, run) => {
      let gone = 0;
      for (const [place, hash] of hashesIn(sketch.hashes).entries()) {
        const isEven = place < sketch.evenly;
        const index = sample.places.get(hash);
        if (index === undefined) {
          if (isEven && sample.mayHold(hash)) gone += 1;
          continue;
        }
        if (!sample.isComparable(index, isEven)) continue;
        const known = places.get(index) ?? { inRuns: new Int32Array(runs.length).fill(-1), isEven };
        known.inRuns[run] = place;
        known.isEven = isEven;
        places.set(index, known);
      }
      return { days: days(at), documents: sketch.evenly, share: gone / Math.max(1, sketch.evenly) };
    });
    this.places = places;
  }

  get count(): number {
    return this.runs.length;
  }

  /** @param isComplete whether all documents are sampled, so that those that are not recognised are gone */
  lifetimeDays(isComplete: boolean): number | null {
    return isComplete ? lifetimeDays(this.gone) : null;
  }

  sizes(): TrackedValues {
    return this.valuesOf(
      this.runs.map(({ sketch }) => sketch.sizes),
      (index) => this.sample.sizes[index],
    );
  }

  lengthsAt(path: string): TrackedValues {
    const now = this.sample.lengthsAt(path);
    const before = this.runs.map(({ sketch }) => sketch.lengths.find((one) => one.path === path)?.values ?? []);
    return this.valuesOf(before, (index) => now.get(index));
  }

  private valuesOf(before: readonly (readonly number[])[], now: (index: number) => number | undefined): TrackedValues {
    const documents = [...this.places].flatMap(([index, { inRuns, isEven }]) => {
      const last = now(index);
      if (last === undefined) return [];
      const values = new Float64Array(inRuns.length + 1).fill(NaN);
      for (const [run, place] of inRuns.entries()) {
        const value = place < 0 ? undefined : before[run]?.[place];
        // An array that was not there yet had no elements.
        if (value !== undefined) values[run] = value === NONE ? 0 : value;
      }
      values[inRuns.length] = last;
      return [{ values, isEven }];
    });
    return { daysAgo: this.daysAgo, documents };
  }
}
