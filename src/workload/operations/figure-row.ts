import { z } from 'zod';
import type { Plain } from '../../plain.js';
import { type Accumulator, largest, type Merge, Merged, sum } from './accumulator.js';
import { countIn, type ReadEntry, type Statistics } from './read-entry.js';

/** Which entries have a figure: those that ended, the first batch of each that ended, the first or only sight of each, or all. */
type Entries = 'ended' | 'begun' | 'started' | 'all';

/** A figure that is there. */
type Known<Schema extends z.ZodType> = NonNullable<Plain<Schema>>;

/** A figure of the operations of one shape: how it is read, added up and kept. */
export interface FigureRow<Schema extends z.ZodType = z.ZodType, Recorded = unknown> {
  readonly unit: 'executions' | 'ms' | 'documents' | 'keys' | 'bytes' | 'elements' | 'several';
  /** Optional if the figure is absent without entries that have it. */
  readonly schema: Schema;
  /** Fields of the profiler's entry that it is read from, beside those that all entries are read by. */
  readonly fields?: readonly string[];
  /** Those that ended, unless given. */
  readonly entries?: Entries;
  /** Nothing of a value, which an entry holds; null if it does not say. */
  of(entry: ReadEntry): Recorded | null;
  accumulator(): Accumulator<Recorded, Known<Schema>>;
  /** Without an entry that has it; absent if undefined. */
  readonly empty?: Plain<Schema>;
  /** From query stats; as `empty` if they know nothing of it. */
  statistic?(statistics: Statistics): Plain<Schema> | undefined;
  /** Two figures of different executions as one. */
  merge?(one: Known<Schema>, other: Known<Schema>): Known<Schema>;
  /** The same if one may be null or absent: null unless given. */
  added?(one: Plain<Schema> | undefined, other: Plain<Schema> | undefined): Plain<Schema> | undefined;
}

type Row<Schema extends z.ZodType, Recorded = Known<Schema>> = FigureRow<Schema, Recorded>;

/** A figure that needs more than itself to be added up. */
export function tallied<Schema extends z.ZodType, Recorded>(row: Row<Schema, Recorded>): Row<Schema, Recorded> {
  return row;
}

/** A figure whose entries are put together by a rule. `isReported` says whether what came of it is worth a figure. */
export function merged<Schema extends z.ZodType>({
  isReported = () => true,
  ...row
}: Omit<Row<Schema>, 'accumulator'> & {
  readonly merge: Merge<Known<Schema>>;
  readonly isReported?: (figure: Known<Schema>) => boolean;
}): Row<Schema> {
  return { ...row, accumulator: () => new Merged(row.merge, isReported) };
}

/** Null if the source does not report it. */
export const knownSchema = z.number().nonnegative().nullable();

/** @param read how it is read of an entry, or from which field @param statistic what query stats call the sum */
function numberBy(
  merge: Merge<number>,
  unit: FigureRow['unit'],
  read: string | Row<typeof knownSchema>['of'],
  more: Partial<Row<typeof knownSchema>> = {},
) {
  const of = typeof read === 'string' ? (entry: ReadEntry) => countIn(entry, read) : read;
  const fields = typeof read === 'string' ? [read] : [];
  return { ...merged({ unit, schema: knownSchema, fields, of, empty: null, merge }), ...more };
}

type NumberRow = Parameters<typeof numberBy> extends [unknown, ...infer Rest] ? Rest : never;

/** Added up over all batches; null if no entry says. */
export const total = (...row: NumberRow) => numberBy(sum, ...row);

/** The figure of the entry that has most; null if no entry says. */
export const maximum = (...row: NumberRow) => numberBy(largest, ...row);
