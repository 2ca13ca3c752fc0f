/** Values below this are counted one by one. */
export const EXACT_BELOW = 256;

/** Bits of a value below its leading one that select its bucket: 7 keep a bucket within 1/128 of its values. */
const BUCKET_BITS = 7;
const BUCKETS_PER_OCTAVE = 1 << BUCKET_BITS;
const HIGHEST_BIT = 31;
/** The octave, as the place of its leading bit, in which buckets begin. */
const FIRST_OCTAVE = 8;

const FIRST_CAPACITY = 16;

export function bucketOf(value: number): number {
  if (value < EXACT_BELOW) return value;
  const octave = HIGHEST_BIT - Math.clz32(value);
  const withinOctave = (value >>> (octave - BUCKET_BITS)) - BUCKETS_PER_OCTAVE;
  return EXACT_BELOW + (octave - FIRST_OCTAVE) * BUCKETS_PER_OCTAVE + withinOctave;
}

export function bucketStart(bucket: number): number {
  if (bucket < EXACT_BELOW) return bucket;
  const above = bucket - EXACT_BELOW;
  const octave = FIRST_OCTAVE + Math.floor(above / BUCKETS_PER_OCTAVE);
  const withinOctave = above % BUCKETS_PER_OCTAVE;
  return (BUCKETS_PER_OCTAVE + withinOctave) * 2 ** (octave - BUCKET_BITS);
}

// Exact below 256, log-linear above with a relative error of at most 1/128: 2,304 buckets up to 16 MB. Count, sum,
// extremes and variance are exact.
export class Histogram {
  count = 0;
  min = 0;
  max = 0;
  countAtMax = 0;
  private counts = new Uint32Array(FIRST_CAPACITY);
  /** Sums are kept of the distances from the first value, so that the variance loses no digits to a large mean. */
  private origin = 0;
  private distances = 0;
  private squaredDistances = 0;

  add(value: number): void {
    const bucket = bucketOf(value);
    if (bucket >= this.counts.length) this.grow(bucket);
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    if (this.count === 0) {
      this.origin = value;
      this.min = value;
      this.max = value;
    }
    this.count += 1;
    const distance = value - this.origin;
    if (distance !== 0) {
      this.distances += distance;
      this.squaredDistances += distance * distance;
      if (value < this.min) this.min = value;
    }
    if (value === this.max) {
      this.countAtMax += 1;
    } else if (value > this.max) {
      this.max = value;
      this.countAtMax = 1;
    }
  }

  merge(other: Histogram): void {
    if (other.count === 0) return;
    if (this.count === 0) {
      this.origin = other.origin;
      this.min = other.min;
      this.max = other.max;
    }
    if (other.counts.length > this.counts.length) this.grow(other.counts.length - 1);
    for (let bucket = 0; bucket < other.counts.length; bucket += 1) {
      this.counts[bucket] = (this.counts[bucket] as number) + (other.counts[bucket] as number);
    }
    const shift = other.origin - this.origin;
    this.squaredDistances += other.squaredDistances + 2 * shift * other.distances + other.count * shift * shift;
    this.distances += other.distances + other.count * shift;
    this.count += other.count;
    this.min = Math.min(this.min, other.min);
    if (other.max > this.max) {
      this.max = other.max;
      this.countAtMax = other.countAtMax;
    } else if (other.max === this.max) {
      this.countAtMax += other.countAtMax;
    }
  }

  get sum(): number {
    return this.origin * this.count + this.distances;
  }

  get squaredDeviations(): number {
    if (this.count === 0) return 0;
    return Math.max(0, this.squaredDistances - (this.distances * this.distances) / this.count);
  }

  countNear(value: number): number {
    return this.counts[bucketOf(value)] ?? 0;
  }

  *filled(): Generator<{ readonly bucket: number; readonly count: number }> {
    if (this.count === 0) return;
    const last = bucketOf(this.max);
    for (let bucket = bucketOf(this.min); bucket <= last; bucket += 1) {
      const count = this.counts[bucket] as number;
      if (count > 0) yield { bucket, count };
    }
  }

  private grow(bucket: number): void {
    let capacity = this.counts.length;
    while (capacity <= bucket) capacity *= 2;
    const counts = new Uint32Array(capacity);
    counts.set(this.counts);
    this.counts = counts;
  }
}
