import { DistinctNames } from './distinct-names.js';
import type { FieldName } from './field-name.js';
import type { FieldNamePattern } from '../../data-name.js';
import { Histogram } from './histogram.js';

/** Objects at which the field names of a path are first judged while documents are still being read; then at each doubling. */
const FIRST_JUDGED_AT = 32;

/** A field as its object tells it apart from others. */
export interface NamedField<F> {
  readonly name: FieldName;
  /** The next field of the same object whose name has the same hash. */
  nextOfSameHash: F | null;
  /** The field that followed this one when it was last seen: the one to expect. */
  successor: F | null;
}

/** The fields of the objects at one path. */
export class ObjectFields<F extends NamedField<F>> {
  /** Fields per object. */
  readonly counts = new Histogram();
  /** Fields told apart by their names, in order of first appearance. */
  named: F[] = [];
  /** The field that came first when an object was last seen here: the one to expect. */
  first: F | null = null;
  /** The fields whose names are data, or that are too many to tell apart. */
  rest: F | null = null;
  /** True where there was no room for some of the names, or they were judged to be data before they came. */
  overflows = false;
  /** The names in `rest`, as far as they can be counted without being kept. */
  restNames: DistinctNames | null = null;
  /** True where the names were judged to be data as a rule: one that is not among `named` belongs to `rest`. */
  namesAreData = false;
  /** What the folded names look like; null where none were folded. */
  pattern: FieldNamePattern | null = null;
  /** Objects from which the names are to be judged again. */
  judgeAt = FIRST_JUDGED_AT;

  private readonly byHash = new Map<number, F>();

  constructor(readonly node: F) {}

  /** The field whose name begins at a position; null if it is not told apart. */
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

  /** Tells only the given fields apart from now on. What each expects to follow is forgotten, as it may be gone. */
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

  /** Takes note that folded names look like a pattern. */
  addPattern(pattern: FieldNamePattern): void {
    this.pattern = this.pattern === null || this.pattern === pattern ? pattern : 'mixed';
  }

  openRestNames(): DistinctNames {
    return (this.restNames ??= new DistinctNames());
  }

  /** Different field names seen, at least. */
  get distinctNames(): number {
    return this.named.length + (this.restNames?.atLeast ?? 0);
  }

  /** Objects that have a field. */
  get nonEmptyObjects(): number {
    return this.counts.count - this.counts.countNear(0);
  }
}
