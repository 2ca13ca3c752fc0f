import { DistinctNames } from './distinct-names.js';
import { PATTERN_SHARE } from './field-names.js';
import type { FieldName } from './field-name.js';
import type { FieldNamePattern } from '../data-name.js';
import { Histogram } from './histogram.js';

/** While documents are being read, names are first judged at so many objects; then at each doubling. */
const FIRST_JUDGED_AT = 32;

export interface NamedField<F> {
  readonly name: FieldName;
  nextOfSameHash: F | null;
  /** The field that followed this one when it was last seen: the one to expect. */
  successor: F | null;
}

export class ObjectFields<F extends NamedField<F>> {
  readonly counts = new Histogram();
  named: F[] = [];
  /** The field that came first when an object was last seen here: the one to expect. */
  first: F | null = null;
  /** The fields whose names are data, or that are too many to tell apart. */
  rest: F | null = null;
  /** True if there was no room for some of the names, or they were judged to be data before they came. */
  overflows = false;
  /** The names in `rest`, as far as they can be counted without being kept. */
  restNames: DistinctNames | null = null;
  /** True if most of the names were judged to be data: one that is not among `named` belongs to `rest`. */
  namesAreData = false;
  judgeAt = FIRST_JUDGED_AT;

  /** How many of the names in `rest` were judged by a pattern together. */
  private readonly namesByPattern = new Map<FieldNamePattern, number>();
  private readonly byHash = new Map<number, F>();

  constructor(readonly node: F) {}

  find(view: DataView, bytes: Uint8Array, at: number, hash: number): F | null {
    let field = this.byHash.get(hash) ?? null;
    while (field !== null && !field.name.isAt(view, bytes, at)) field = field.nextOfSameHash;
    return field;
  }

  findNamed(name: FieldName): F | null {
    let field = this.byHash.get(name.hash) ?? null;
    while (field !== null && !field.name.isSameAs(name)) field = field.nextOfSameHash;
    return field;
  }

  addNamed(field: F): void {
    this.named.push(field);
    field.nextOfSameHash = this.byHash.get(field.name.hash) ?? null;
    this.byHash.set(field.name.hash, field);
  }

  /** What each field expects to follow is forgotten, as it may be gone. */
  keepNamed(fields: readonly F[]): void {
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

  addPatterns({ namesByPattern }: ObjectFields<F>): void {
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
