import { MS_PER_DAY, MS_PER_HOUR } from '../time-units.js';
import { ARRAY, DATE, DOUBLE, INT, LONG, OBJECT, STRING, valueEnd } from './bson-types.js';
import type { ArraySiblings } from './document-profile.js';
import { afterName, nameText } from './field-name.js';
import { longAt } from './value-facts.js';

/** Elements from which an array is compared with its siblings: shorter ones matter to nobody. */
export const COMPARED_ELEMENTS = 50;
/** Documents compared in a collection. More would show nothing else. */
const MOST_DOCUMENTS = 300;
const FEWEST_DOCUMENTS = 5;
const MOST_ARRAYS = 50;
/** A number that takes more values is no limit that somebody set. */
const MOST_CAPS = 10;
/** Arrays as long as the limit beside them from which it is in force. */
const FEWEST_AT_CAP = 3;
const SHARE_AT_CAP = 0.05;
/** Beginnings of a period are on the quarter of an hour, in every time zone. */
const QUARTER = MS_PER_HOUR / 4;
const PERIODS = [MS_PER_HOUR, MS_PER_DAY, 31 * MS_PER_DAY] as const;
const DAY_TEXT = /^\d{4}-\d{2}-\d{2}$/;
const DAY_TEXT_BYTES = 11;
/** The farthest that a day on the calendar is from that day in UTC. */
const FARTHEST_ZONE = 14 * MS_PER_HOUR;

interface LongArray {
  readonly path: string;
  readonly length: number;
  /** The dates of the first and of the last element, in ms since 1970. */
  readonly dates: readonly number[];
}

/** A date beside an array, and by how much what it names may begin earlier or end later. */
interface Beginning {
  readonly at: number;
  readonly tolerance: number;
}

interface Document {
  readonly arrays: LongArray[];
  readonly numbers: Map<string, number>;
  readonly beginnings: Map<string, Beginning>;
}

/** What has held of an array and its siblings in every document so far. */
class Relations {
  documents = 0;
  private lengths = new Set<number>();
  private readonly counts: Set<string>;
  private readonly caps: Map<string, { readonly values: Set<number>; reached: number }>;
  private readonly sameLength: Set<string>;
  private readonly periods: Map<string, Set<number>>;

  constructor({ path }: LongArray, { arrays, numbers, beginnings }: Document) {
    this.counts = new Set(numbers.keys());
    this.caps = new Map([...numbers.keys()].map((name) => [name, { values: new Set(), reached: 0 }]));
    this.sameLength = new Set(arrays.map((other) => other.path).filter((other) => other !== path));
    this.periods = new Map([...beginnings.keys()].map((name) => [name, new Set(PERIODS)]));
  }

  add(array: LongArray, { arrays, numbers, beginnings }: Document): void {
    this.documents += 1;
    if (this.lengths.size < 2) this.lengths.add(array.length);
    for (const name of this.counts) if (numbers.get(name) !== array.length) this.counts.delete(name);
    for (const [name, cap] of this.caps) {
      const value = numbers.get(name);
      cap.values.add(value ?? Number.NaN);
      if (value === array.length) cap.reached += 1;
      if (value === undefined || value < array.length || cap.values.size > MOST_CAPS) this.caps.delete(name);
    }
    for (const other of this.sameLength)
      if (arrays.find(({ path }) => path === other)?.length !== array.length) this.sameLength.delete(other);
    for (const [name, periods] of this.periods) this.checkPeriods(name, periods, array, beginnings.get(name));
  }

  private checkPeriods(name: string, periods: Set<number>, { dates }: LongArray, beginning?: Beginning): void {
    for (const period of periods) {
      const holds =
        beginning !== undefined &&
        dates.length > 0 &&
        dates.every(
          (date) => date >= beginning.at - beginning.tolerance && date <= beginning.at + period + beginning.tolerance,
        );
      if (!holds) periods.delete(period);
    }
    if (periods.size === 0) this.periods.delete(name);
  }

  siblings(): ArraySiblings | undefined {
    if (this.documents < FEWEST_DOCUMENTS) return undefined;
    const atLeast = Math.max(FEWEST_AT_CAP, SHARE_AT_CAP * this.documents);
    const cap = [...this.caps].find(([name, { reached }]) => reached >= atLeast && !this.counts.has(name));
    const [period] = [...this.periods].map(([field, lasting]) => ({ field, milliseconds: Math.min(...lasting) }));
    // Arrays of one fixed length are as long as each other by design, whatever they hold.
    const [sameLengthAs] = this.lengths.size > 1 ? this.sameLength : [];
    const found: ArraySiblings = {
      documents: this.documents,
      ...(cap !== undefined && { cap: cap[0] }),
      ...(sameLengthAs !== undefined && { sameLengthAs }),
      ...(period !== undefined && { period }),
    };
    return Object.keys(found).length === 1 ? undefined : found;
  }
}

/** Compares long arrays, at the top level or in an object there, with the fields beside them: a limit, a day, a twin. */
export class ArraySiblingsObserver {
  private documents = 0;
  private readonly relations = new Map<string, Relations>();

  /** @param start of a valid document that holds an array of `COMPARED_ELEMENTS` or more */
  observe(bytes: Uint8Array, view: DataView, start: number): void {
    if (this.documents >= MOST_DOCUMENTS) return;
    this.documents += 1;
    const document: Document = { arrays: [], numbers: new Map(), beginnings: new Map() };
    scanObject(document, bytes, view, start, '');
    for (const array of document.arrays) {
      if (array.length < COMPARED_ELEMENTS) continue;
      const known = this.relations.get(array.path);
      if (known === undefined && this.relations.size >= MOST_ARRAYS) continue;
      const relations = known ?? new Relations(array, document);
      this.relations.set(array.path, relations);
      relations.add(array, document);
    }
  }

  /** By the path of the array; of paths whose siblings show something. */
  siblings(): Map<string, ArraySiblings> {
    return new Map(
      [...this.relations].flatMap(([path, relations]) => {
        const siblings = relations.siblings();
        return siblings === undefined ? [] : [[path, siblings] as const];
      }),
    );
  }
}

function scanObject(document: Document, bytes: Uint8Array, view: DataView, start: number, prefix: string): void {
  for (let at = start + 4; bytes[at] !== 0;) {
    const type = bytes[at] as number;
    const value = afterName(view, bytes, at + 1);
    const end = valueEnd(view, bytes, type, value);
    const path = () => `${prefix}${nameText(bytes, at + 1, value)}`;
    if (type === ARRAY) document.arrays.push({ path: path(), ...scanArray(bytes, view, value) });
    else if (type === OBJECT && prefix === '') scanObject(document, bytes, view, value, `${path()}.`);
    else if (type === INT) document.numbers.set(path(), view.getInt32(value, true));
    else if (type === LONG) document.numbers.set(path(), longAt(view, value));
    else if (type === DOUBLE) document.numbers.set(path(), view.getFloat64(value, true));
    else if (type === DATE || type === STRING) {
      const beginning = type === DATE ? beginningAt(longAt(view, value)) : dayTextAt(bytes, view, value);
      if (beginning !== null) document.beginnings.set(path(), beginning);
    }
    at = end;
  }
}

function beginningAt(at: number): Beginning | null {
  return at % QUARTER === 0 ? { at, tolerance: 0 } : null;
}

function dayTextAt(bytes: Uint8Array, view: DataView, value: number): Beginning | null {
  if (view.getInt32(value, true) !== DAY_TEXT_BYTES) return null;
  const text = nameText(bytes, value + 4, value + 4 + DAY_TEXT_BYTES);
  const at = DAY_TEXT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : { at, tolerance: FARTHEST_ZONE };
}

function scanArray(bytes: Uint8Array, view: DataView, start: number): Omit<LongArray, 'path'> {
  const terminator = start + view.getInt32(start, true) - 1;
  let length = 0;
  let first: number | null = null;
  let last: number | null = null;
  for (let at = start + 4; at < terminator;) {
    const type = bytes[at] as number;
    const value = afterName(view, bytes, at + 1);
    const end = valueEnd(view, bytes, type, value);
    length += 1;
    if (length === 1) first = dateOf(bytes, view, type, value);
    if (end >= terminator) last = dateOf(bytes, view, type, value);
    at = end;
  }
  return { length, dates: first === null || last === null ? [] : [first, last] };
}

/** The date that an element is, or the first one that it holds. */
function dateOf(bytes: Uint8Array, view: DataView, type: number, at: number): number | null {
  if (type === DATE) return longAt(view, at);
  if (type !== OBJECT) return null;
  for (let field = at + 4; bytes[field] !== 0;) {
    const value = afterName(view, bytes, field + 1);
    if (bytes[field] === DATE) return longAt(view, value);
    field = valueEnd(view, bytes, bytes[field] as number, value);
  }
  return null;
}
