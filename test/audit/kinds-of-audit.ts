/** In which ways a figure can be what it says. */
import type { Document } from 'mongodb';
import type { Finding } from '../../src/finding.js';
import type { ReportedCollection } from '../../src/report/reported-collection.js';
import type { Recomputed } from './recomputed.js';

export interface Audited extends Recomputed {
  readonly finding: Finding;
  readonly collection: ReportedCollection | undefined;
  /** Another collection of the database. */
  other(namespace: string): Promise<Recomputed>;
  /** What the profiler holds of the collection's operations. */
  readonly profiled: readonly Document[];
  /** And of another one's. */
  profiledOn(namespace: string): Promise<Document[]>;
}

/** What is wrong with a figure, in a sentence; null if it is what it says. */
export type Audit = (value: unknown, it: Audited) => string | null | Promise<string | null>;
export type Of<T> = (it: Audited) => T | Promise<T>;

/** A name, a word, a setting or a list of names: no figure. */
export const name: Audit = (value) => (typeof value === 'number' ? 'a number is no name' : null);

/** Equal to what is recomputed. */
export const exact =
  (of: Of<unknown>): Audit =>
  async (value, it) => {
    const expected = await of(it);
    return JSON.stringify(value) === JSON.stringify(expected) ? null : `recomputed as ${JSON.stringify(expected)}`;
  };

/** Equal within so much, which is what its text is rounded to at most. */
export const about =
  (of: Of<number>, error: number): Audit =>
  async (value, it) => {
    const expected = await of(it);
    return Math.abs((value as number) - expected) <= error * Math.max(1, Math.abs(expected))
      ? null
      : `recomputed as ${expected}`;
  };

export const sampledOf = ({ collection }: Audited): number => collection?.sampled?.documents ?? 0;
export const isWhole = ({ collection }: Audited): boolean => collection?.sampled?.complete === true;

/** Standard errors: of a million figures, two are further away by chance. */
const DEVIATIONS = 5;

/** A share of what was sampled: the whole collection's is within the error of the sample, and equal if it is the sample. */
export const share =
  (of: Of<number>, trials: (it: Audited) => number = sampledOf): Audit =>
  async (value, it) => {
    const expected = await of(it);
    const error = isWhole(it) ? 0.001 : errorOf(expected, trials(it));
    return Math.abs((value as number) - expected) <= error ? null : `recomputed as ${expected} ± ${error}`;
  };

/** A share of references, which are followed from some of the documents even if all of them are read. */
export const shareOfFew =
  (of: Of<number>, trials: (it: Audited) => number): Audit =>
  async (value, it) => {
    const expected = await of(it);
    const error = errorOf(expected, trials(it));
    return Math.abs((value as number) - expected) <= error ? null : `recomputed as ${expected} ± ${error}`;
  };

export function errorOf(ofAll: number, trials: number): number {
  return DEVIATIONS * Math.sqrt((ofAll * (1 - ofAll)) / Math.max(1, trials)) + DEVIATIONS / Math.max(1, trials);
}

/** A quantile: as many values lie below it as it says, within the error of the sample. */
export const quantile =
  (at: number, of: Of<readonly number[]>): Audit =>
  async (value, it) => {
    const all = await of(it);
    const figure = value as number;
    // Counts above some thousands are kept in steps of a hundredth.
    const [below, upTo] = [0.985, 1.015].map(
      (factor, index) =>
        all.filter((each) => (index === 0 ? each < figure * factor : each <= figure * factor)).length / all.length,
    ) as [number, number];
    const error = isWhole(it) ? 1.5 / all.length : errorOf(at, Math.min(all.length, sampledOf(it)));
    return below - error <= at && at <= upTo + error ? null : `${below} to ${upTo} of the values are up to it`;
  };

/** The largest of what was read: of the whole collection, or no more than its. */
export const largest =
  (of: Of<readonly number[]>): Audit =>
  async (value, it) => {
    const most = (await of(it)).reduce((one, other) => Math.max(one, other), 0);
    return isWhole(it) ? equal(value, most) : (value as number) <= most ? null : `no more than ${most} are there`;
  };

/** A lower bound. */
export const atMost =
  (of: Of<number>): Audit =>
  async (value, it) => {
    const most = await of(it);
    return (value as number) <= most ? null : `no more than ${most} are there`;
  };

/** How many were read: all, or no more than there are. */
export const counted =
  (of: Of<number>): Audit =>
  async (value, it) => {
    const all = await of(it);
    return isWhole(it) ? equal(value, all) : (value as number) <= all ? null : `no more than ${all} are there`;
  };

function equal(value: unknown, expected: number): string | null {
  return value === expected ? null : `recomputed as ${expected}`;
}

export const pathOf = ({ finding }: Audited): string => finding.path ?? '';
export const storageOf = (figure: string) => (it: Audited) => (it.storage[figure] as number | undefined) ?? Number.NaN;
export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
export const figureOf = (it: Audited, key: string): number => it.finding.evidence[key] as number;

/** The ends of an interval, between which the figure itself lies. */
export const rangeAround =
  (figure: string): Audit =>
  (value, it) => {
    const [least = Infinity, most = -Infinity] = value as number[];
    return least <= figureOf(it, figure) && figureOf(it, figure) <= most ? null : `beside ${figure}`;
  };
