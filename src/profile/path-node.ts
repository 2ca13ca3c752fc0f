import type { FieldNamePattern } from '../workload/data-name.js';
import { ArrayStatistics } from './array-statistics.js';
import { TYPE_SLOTS } from './bson-types.js';
import type { FieldName } from './field-name.js';
import { PATTERN_SHARE } from './field-names.js';
import { Histogram } from './histogram.js';
import { ValueObserver } from './value-facts.js';

/** 8 KB, and up to 65,536 names told apart. */
const MAP_BITS = 1 << 16;
const BITS_PER_WORD = 32;

/** Knuth's multiplicative hashing: spreads a hash over all of its bits, of which the upper half is used. */
const GOLDEN_RATIO_32 = 0x9e3779b1;

/** While documents are being read, names are first judged at so many objects; then at each doubling. */
const FIRST_JUDGED_AT = 32;

/** Copied for each node, which is quicker than making a new array. */
const NO_TYPES: readonly number[] = Array.from({ length: TYPE_SLOTS }, () => 0);

export type PathStep = 'field' | 'any-field' | 'element';

export class PathNode {
  /** Levels of nesting: 0 for the documents themselves. */
  readonly depth: number;
  readonly types: number[] = NO_TYPES.slice();
  bytes = 0;
  /** `bytes` before the document that is being walked; kept only for a document larger than all before. */
  bytesBefore = 0;
  pathsBelow = 0;
  /** That hold the path; after a merge an upper bound. */
  documents = 0;
  /** Enclosing objects that hold the field; of `*`, after a merge, an upper bound. */
  holders = 0;
  lastHolder = 0;
  /** The type byte of the value met last, and where that value lies. */
  lastType = 0;
  lastAt = 0;
  readonly values = new ValueObserver();
  array: ArrayStatistics | null = null;
  element: PathNode | null = null;
  object: PathFields | null = null;
  /** The field that followed this one when it was last seen: the one to expect. */
  successor: PathNode | null = null;
  nextOfSameHash: PathNode | null = null;
  /** The path into which this one was merged. */
  mergedInto: PathNode | null = null;

  /** @param objectsBefore objects at the parent's path that ended before the field was first seen */
  constructor(
    public parent: PathNode | null,
    readonly step: PathStep,
    readonly name: FieldName,
    readonly objectsBefore: number,
  ) {
    this.depth = parent === null ? 0 : parent.depth + 1;
  }

  get occurrences(): number {
    return this.types.reduce((sum, count) => sum + count, 0);
  }

  get children(): PathNode[] {
    const children = this.object === null ? [] : [...this.object.named];
    if (this.object !== null && this.object.rest !== null) children.push(this.object.rest);
    if (this.element !== null) children.push(this.element);
    return children;
  }

  countPathsBelow(): number {
    this.pathsBelow = this.children.reduce((sum, child) => sum + 1 + child.countPathsBelow(), 0);
    return this.pathsBelow;
  }

  openArray(): ArrayStatistics {
    return (this.array ??= new ArrayStatistics());
  }

  openObject(): PathFields {
    return (this.object ??= new PathFields(this));
  }
}

/** The fields of the objects at one path. */
export class PathFields {
  readonly counts = new Histogram();
  named: PathNode[] = [];
  /** The field that came first when an object was last seen here: the one to expect. */
  first: PathNode | null = null;
  /** The fields whose names are data, or that are too many to tell apart. */
  rest: PathNode | null = null;
  /** True if there was no room for some of the names, or they were judged to be data before they came. */
  overflows = false;
  /** The names in `rest`, as far as they can be counted without being kept. */
  restNames: DistinctNames | null = null;
  /** True if most of the names were judged to be data: one that is not among `named` belongs to `rest`. */
  namesAreData = false;
  judgeAt = FIRST_JUDGED_AT;

  /** How many of the names in `rest` were judged by a pattern together. */
  private readonly namesByPattern = new Map<FieldNamePattern, number>();
  private readonly byHash = new Map<number, PathNode>();

  constructor(readonly node: PathNode) {}

  find(view: DataView, bytes: Uint8Array, at: number, hash: number): PathNode | null {
    let field = this.byHash.get(hash) ?? null;
    while (field !== null && !field.name.isAt(view, bytes, at)) field = field.nextOfSameHash;
    return field;
  }

  findNamed(name: FieldName): PathNode | null {
    let field = this.byHash.get(name.hash) ?? null;
    while (field !== null && !field.name.isSameAs(name)) field = field.nextOfSameHash;
    return field;
  }

  addNamed(field: PathNode): void {
    this.named.push(field);
    field.nextOfSameHash = this.byHash.get(field.name.hash) ?? null;
    this.byHash.set(field.name.hash, field);
  }

  /** What each field expects to follow is forgotten, as it may be gone. */
  keepNamed(fields: readonly PathNode[]): void {
    this.named = [];
    this.byHash.clear();
    this.first = null;
    if (this.rest !== null) this.rest.successor = null;
    for (const field of fields) {
      field.successor = null;
      this.addNamed(field);
    }
  }

  addPattern(pattern: FieldNamePattern, names: number): void {
    this.namesByPattern.set(pattern, (this.namesByPattern.get(pattern) ?? 0) + names);
  }

  addPatterns({ namesByPattern }: PathFields): void {
    for (const [pattern, names] of namesByPattern) this.addPattern(pattern, names);
  }

  /** That of nearly all names, whatever the order in which they came; null if none was judged. */
  get pattern(): FieldNamePattern | null {
    const all = [...this.namesByPattern.values()].reduce((sum, names) => sum + names, 0);
    const common = [...this.namesByPattern].find(([, names]) => names >= all * PATTERN_SHARE);
    return all === 0 ? null : (common?.[0] ?? 'mixed');
  }

  openRestNames(): DistinctNames {
    return (this.restNames ??= new DistinctNames());
  }

  get distinctNames(): number {
    return this.named.length + (this.restNames?.atLeast ?? 0);
  }

  get nonEmptyObjects(): number {
    return this.counts.count - this.counts.countNear(0);
  }
}

// Counts bits set by the names' hashes: a lower bound in bounded memory that keeps no name. Close below a tenth of the
// bits, then more and more too low.
class DistinctNames {
  atLeast = 0;
  private readonly words = new Uint32Array(MAP_BITS / BITS_PER_WORD);

  add(hash: number): void {
    const bit = Math.imul(hash ^ (hash >>> 15), GOLDEN_RATIO_32) >>> 16;
    const mask = 1 << (bit % BITS_PER_WORD);
    const index = Math.floor(bit / BITS_PER_WORD);
    const word = this.words[index] as number;
    if ((word & mask) !== 0) return;
    this.words[index] = word | mask;
    this.atLeast += 1;
  }

  merge(other: DistinctNames): void {
    for (let index = 0; index < this.words.length; index += 1) {
      const word = this.words[index] as number;
      const added = (other.words[index] as number) & ~word;
      if (added === 0) continue;
      this.words[index] = word | added;
      this.atLeast += bitsSet(added);
    }
  }
}

function bitsSet(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
