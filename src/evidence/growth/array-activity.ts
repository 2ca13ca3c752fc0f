import type { ArrayChange } from './oplog-diff.js';

/**
 * What the oplog showed of one array of one document. Its length before the first change is not known; an index that was
 * set is taken for an append until it shows that it was not.
 */
export class ArrayActivity {
  /** Elements after the last change, as far as is known. */
  length = 0;
  /** Elements that were added, and by the first change alone. */
  gained = 0;
  gainedFirst = 0;
  /** Elements that must have been added where the oplog was not read, as the array was longer after it. */
  gainedUnseen = 0;
  /** Elements that were removed. */
  lost = 0;
  /** Changes that added elements. */
  appends = 0;
  /** Those among them that followed, without a gap, on the last element that was known: few sets by index do so by chance. */
  provenAppends = 0;
  /** Changes that set elements beyond the known end: the array was longer than was known, so they were no appends. */
  jumps = 0;
  /** Changes that set elements below the last one that is known, and none beyond: the last one is often set anew while it is the current one. */
  overwrites = 0;
  /** Times the array was written whole at the length it had, since it last changed in length. */
  rewrites = 0;
  /** When it was first changed, and when elements were first and last added, in ms since 1970. */
  readonly firstAt: number;
  firstAppendAt = Infinity;
  lastAppendAt = -Infinity;

  /**
   * @param path where it lies, with field names as they are in the data
   * @param createdAt when its document was created, in ms since 1970; null where that is not known
   * @param first the first change, and when it was made
   * @param stretch the stretch of the oplog that it lies in: between two of them, entries were left out
   */
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
