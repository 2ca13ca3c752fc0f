import type { ArrayChange } from './oplog-diff.js';

/** The part of the oplog that was read. Times in ms since 1970. */
export interface OplogWindow {
  readonly from: number;
  readonly to: number;
  /** Time within it that was read, in ms: less than the whole if a bound left parts out. */
  readonly covered: number;
  /** Share of its entries whose updates were not read, because they are too large or of an unknown form. */
  readonly unreadShare: number;
}

// The length before the first change is unknown; an index that was set counts as an append until shown otherwise.
export class ArrayActivity {
  length = 0;
  gained = 0;
  gainedFirst = 0;
  /** Elements that must have been added in gaps of the reading, because the array was longer after them. */
  gainedUnseen = 0;
  lost = 0;
  appends = 0;
  /** Appends that followed, without a gap, the last known element: few sets by index do so by chance. */
  provenAppends = 0;
  /** Changes that set elements beyond the known end, so that they were no appends. */
  jumps = 0;
  /** Changes that only set elements below the last known one; the last one is often set again while it is current. */
  overwrites = 0;
  rewrites = 0;
  readonly firstAt: number;
  firstAppendAt = Infinity;
  lastAppendAt = -Infinity;

  /** @param stretch the part of the oplog: between two of them, entries were left out */
  constructor(
    readonly path: string,
    readonly document: string,
    readonly createdAt: number | null,
    first: ArrayChange,
    at: number,
    private stretch: number,
  ) {
    this.firstAt = at;
    this.length = first.elements;
    if (first.kind === 'set') {
      this.gainedFirst = first.elements - first.from;
      this.grow(this.gainedFirst, at);
    }
  }

  change(change: ArrayChange, at: number, stretch: number): void {
    const { elements } = change;
    const afterGap = stretch !== this.stretch;
    this.stretch = stretch;
    const more = elements - this.length;
    if (change.kind === 'set' && more <= 0) {
      if (change.from < this.length - 1) this.overwrites += 1;
      return;
    }
    if (change.kind === 'set' && change.from > this.length && !afterGap) {
      this.jump();
    } else if (more > 0) {
      if (afterGap) this.gainedUnseen += Math.max(0, more - (change.kind === 'set' ? elements - change.from : 1));
      if (change.kind === 'length' || (change.from <= this.length && !afterGap)) this.provenAppends += 1;
      this.grow(more, at);
    } else {
      this.lost -= more;
    }
    this.rewrites = more === 0 ? this.rewrites + 1 : 0;
    this.length = elements;
  }

  private grow(elements: number, at: number): void {
    this.gained += elements;
    this.appends += 1;
    this.firstAppendAt = Math.min(this.firstAppendAt, at);
    this.lastAppendAt = at;
  }

  private jump(): void {
    this.jumps += 1;
    this.gained -= this.gainedFirst;
    this.gainedFirst = 0;
  }
}
