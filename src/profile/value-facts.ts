import { quantileSorted } from 'simple-statistics';
import { MS_PER_DAY, MS_PER_SECOND } from '../time-units.js';
import { DATE, DOUBLE, INT, LONG, NULL, OBJECT_ID, STRING, UNDEFINED, scalarBytes } from './bson-types.js';
import type { ValueFacts } from './document-profile.js';
import { TEXT_FORMATS, textFormat, type TextFormat } from './text-formats.js';
import { ValueTally } from './value-tally.js';

const TWO_TO_THE_32 = 2 ** 32;
/** As `monthPast` says. */
const MONTH_DAYS = 31;

/** A date or long from its two halves: exact up to 2⁵³, and without a BigInt. */
export function longAt(view: DataView, at: number): number {
  return view.getInt32(at + 4, true) * TWO_TO_THE_32 + view.getUint32(at, true);
}

/** Values kept for quantiles: with so many, one is at most 5 % off (DKW inequality, at 99 %). */
const MOST_KEPT = 1_024;
const FEWEST_KEPT = 100;
const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

class Extremes {
  count = 0;
  min = Infinity;
  max = -Infinity;

  add(value: number): void {
    this.count += 1;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  merge(other: Extremes): void {
    this.count += other.count;
    if (other.min < this.min) this.min = other.min;
    if (other.max > this.max) this.max = other.max;
  }
}

/** Times, of which every so many is kept. */
class Times extends Extremes {
  private kept: number[] = [];
  private stride = 1;

  override add(value: number): void {
    if (this.count % this.stride === 0) this.keep(value);
    super.add(value);
  }

  override merge(other: Times): void {
    super.merge(other);
    for (const value of other.kept) this.keep(value);
  }

  facts(): { count: number; min: number; max: number; deciles?: number[] } {
    const { count, min, max, kept } = this;
    if (kept.length < FEWEST_KEPT) return { count, min, max };
    const sorted = kept.toSorted((one, other) => one - other);
    return { count, min, max, deciles: DECILES.map((share) => quantileSorted(sorted, share)) };
  }

  private keep(value: number): void {
    this.kept.push(value);
    if (this.kept.length < MOST_KEPT) return;
    this.kept = this.kept.filter((_, index) => index % 2 === 0);
    this.stride *= 2;
  }
}

class Dates extends Times {
  /** One clock for all dates of a path. */
  private readonly monthAgo = Date.now() - MONTH_DAYS * MS_PER_DAY;
  monthPast = 0;

  override add(value: number): void {
    super.add(value);
    if (value < this.monthAgo) this.monthPast += 1;
  }

  override merge(other: Dates): void {
    super.merge(other);
    this.monthPast += other.monthPast;
  }
}

// `observe` is the one place where the walk hands over a scalar value: a further fact about values is fed from there.
export class ValueObserver {
  private dates: Dates | null = null;
  private numbers: Extremes | null = null;
  private objectIds: Times | null = null;
  private wholeNumbers = 0;
  private strings = 0;
  private stringBytes = 0;
  private longestString = 0;
  private formats: Partial<Record<TextFormat, number>> | null = null;
  private tally: ValueTally | null = null;

  /** @returns where the value ends */
  observe(view: DataView, bytes: Uint8Array, type: number, at: number): number {
    const end = this.observed(view, bytes, type, at);
    // What no index tells from a missing field has a count of its own.
    if (type !== NULL && type !== UNDEFINED) (this.tally ??= new ValueTally()).add(bytes, type, at, end);
    return end;
  }

  private observed(view: DataView, bytes: Uint8Array, type: number, at: number): number {
    switch (type) {
      case STRING: {
        const length = view.getInt32(at, true);
        this.strings += 1;
        this.stringBytes += length - 1;
        if (length - 1 > this.longestString) this.longestString = length - 1;
        const format = textFormat(bytes, at + 4, length - 1);
        if (format !== null) this.addFormat(format, 1);
        return at + 4 + length;
      }
      case INT:
        this.wholeNumbers += 1;
        (this.numbers ??= new Extremes()).add(view.getInt32(at, true));
        return at + 4;
      case DOUBLE:
        this.observeDouble(view.getFloat64(at, true));
        return at + 8;
      case LONG:
        this.wholeNumbers += 1;
        (this.numbers ??= new Extremes()).add(longAt(view, at));
        return at + 8;
      case DATE:
        (this.dates ??= new Dates()).add(longAt(view, at));
        return at + 8;
      case OBJECT_ID:
        (this.objectIds ??= new Times()).add(view.getUint32(at, false) * MS_PER_SECOND);
        return at + 12;
      default:
        return at + scalarBytes(view, bytes, type, at);
    }
  }

  private addFormat(format: TextFormat, count: number): void {
    const formats = (this.formats ??= {});
    formats[format] = (formats[format] ?? 0) + count;
  }

  private observeDouble(value: number): void {
    const fraction = value - Math.floor(value);
    // NaN and the infinities have no place between a minimum and a maximum.
    if (fraction !== fraction) return;
    if (fraction === 0) this.wholeNumbers += 1;
    (this.numbers ??= new Extremes()).add(value);
  }

  merge(other: ValueObserver): void {
    if (other.dates !== null) (this.dates ??= new Dates()).merge(other.dates);
    if (other.numbers !== null) (this.numbers ??= new Extremes()).merge(other.numbers);
    if (other.objectIds !== null) (this.objectIds ??= new Times()).merge(other.objectIds);
    this.wholeNumbers += other.wholeNumbers;
    this.strings += other.strings;
    this.stringBytes += other.stringBytes;
    this.longestString = Math.max(this.longestString, other.longestString);
    for (const format of TEXT_FORMATS) {
      const count = other.formats?.[format];
      if (count !== undefined) this.addFormat(format, count);
    }
    if (other.tally !== null) (this.tally ??= new ValueTally()).merge(other.tally);
  }

  facts(): ValueFacts | undefined {
    const { dates, numbers, objectIds } = this;
    const facts: ValueFacts = {
      ...(dates !== null && {
        dates: { ...dates.facts(), monthPast: dates.monthPast },
      }),
      ...(numbers !== null && {
        numbers: { count: numbers.count, min: numbers.min, max: numbers.max, whole: this.wholeNumbers },
      }),
      ...(objectIds !== null && { objectIds: objectIds.facts() }),
      ...(this.strings > 0 && {
        strings: {
          count: this.strings,
          sum: this.stringBytes,
          max: this.longestString,
          ...(this.formats !== null && { formats: { ...this.formats } }),
        },
      }),
      ...(this.tally !== null && { spread: this.tally.spread() }),
    };
    return Object.keys(facts).length === 0 ? undefined : facts;
  }
}
