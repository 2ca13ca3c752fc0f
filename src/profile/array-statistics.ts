import { typeCounts } from './bson-types.js';
import { distributionOf } from './distribution.js';
import type { ArrayProfile } from './document-profile.js';
import type { GrowthSample, LengthSeries } from './growth-sample/growth-sample.js';
import { Histogram } from './histogram.js';

const FEWEST_FOR_CORRELATION = 3;

// For whole quantities. Sums are kept of the distances from the first pair, so that large means cost no digits.
class PairSums {
  private count = 0;
  private originX = 0;
  private originY = 0;
  private x = 0;
  private y = 0;
  private xx = 0;
  private yy = 0;
  private xy = 0;

  add(valueX: number, valueY: number): void {
    if (this.count === 0) {
      this.originX = valueX;
      this.originY = valueY;
    }
    const x = valueX - this.originX;
    const y = valueY - this.originY;
    this.count += 1;
    this.x += x;
    this.y += y;
    this.xx += x * x;
    this.yy += y * y;
    this.xy += x * y;
  }

  merge(other: PairSums): void {
    if (this.count === 0) {
      this.originX = other.originX;
      this.originY = other.originY;
    }
    const shiftX = other.originX - this.originX;
    const shiftY = other.originY - this.originY;
    this.xx += other.xx + 2 * shiftX * other.x + other.count * shiftX * shiftX;
    this.yy += other.yy + 2 * shiftY * other.y + other.count * shiftY * shiftY;
    this.xy += other.xy + shiftX * other.y + shiftY * other.x + other.count * shiftX * shiftY;
    this.x += other.x + other.count * shiftX;
    this.y += other.y + other.count * shiftY;
    this.count += other.count;
  }

  /** Pearson's r, −1 to 1; null with too few pairs or if one side does not vary. */
  correlation(): number | null {
    if (this.count < FEWEST_FOR_CORRELATION) return null;
    const varianceX = this.count * this.xx - this.x * this.x;
    const varianceY = this.count * this.yy - this.y * this.y;
    if (varianceX <= 0 || varianceY <= 0) return null;
    const r = (this.count * this.xy - this.x * this.y) / Math.sqrt(varianceX) / Math.sqrt(varianceY);
    return Math.max(-1, Math.min(1, r));
  }
}

export class ArrayStatistics {
  bytesInDocument = 0;
  /** Document by document, for those that the growth sample keeps. */
  lengthSeries: LengthSeries | null = null;

  private arraysBefore = 0;
  private elementsBefore = 0;
  private readonly lengths = new Histogram();
  private readonly bytes = new Histogram();
  private readonly bytesPerDocument = new Histogram();
  private readonly bytesAndDocumentBytes = new PairSums();
  private sharesOfDocument = 0;
  private largestShare = 0;

  /** @param bytes of the array with its own header */
  add(length: number, bytes: number): void {
    this.lengths.add(length);
    this.bytes.add(bytes);
    this.bytesInDocument += bytes;
  }

  endDocument(documentBytes: number, growth: GrowthSample): void {
    const bytes = this.bytesInDocument;
    const share = bytes / documentBytes;
    this.bytesPerDocument.add(bytes);
    this.bytesAndDocumentBytes.add(bytes, documentBytes);
    this.sharesOfDocument += share;
    if (share > this.largestShare) this.largestShare = share;
    if (growth.isKept) {
      const { count, sum } = this.lengths;
      this.lengthSeries = growth.add(this.lengthSeries, sum - this.elementsBefore, count - this.arraysBefore);
    }
    this.bytesInDocument = 0;
    this.endArrays();
  }

  merge(other: ArrayStatistics): void {
    this.lengths.merge(other.lengths);
    this.endArrays();
    this.bytes.merge(other.bytes);
    this.bytesPerDocument.merge(other.bytesPerDocument);
    this.bytesAndDocumentBytes.merge(other.bytesAndDocumentBytes);
    this.sharesOfDocument += other.sharesOfDocument;
    this.largestShare = Math.max(this.largestShare, other.largestShare);
    if (this.lengthSeries === null) this.lengthSeries = other.lengthSeries;
    else if (other.lengthSeries !== null) this.lengthSeries.merge(other.lengthSeries);
  }

  private endArrays(): void {
    this.arraysBefore = this.lengths.count;
    this.elementsBefore = this.lengths.sum;
  }

  profile(elementTypes: readonly number[]): ArrayProfile {
    return {
      lengths: distributionOf(this.lengths),
      bytes: distributionOf(this.bytes),
      elementTypes: typeCounts(elementTypes),
      shareOfDocument: { mean: this.sharesOfDocument / this.bytesPerDocument.count, max: this.largestShare },
      bytesPerDocument: distributionOf(this.bytesPerDocument),
      sizeCorrelation: this.bytesAndDocumentBytes.correlation(),
    };
  }
}
