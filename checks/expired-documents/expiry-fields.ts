import type { CollectionReads, DocumentProfile, PathProfile } from '../../src/check.js';
import { conditionsOf } from '../../src/judgement/queries/conditions.js';
import { isQueryable } from '../../src/profile/path-steps.js';
import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';

/** By their names, in lower case without separators: when something expires, and when it is to be deleted. */
const EXPIRES = new Set(['expiresat', 'expireat', 'expires', 'expireson', 'expiretime', 'expirytime']);
const DELETES = new Set(['deleteat', 'deleteafter', 'removeat', 'removeafter', 'purgeat', 'purgeafter', 'ttl']);
/** Share of a field's values that are dates; others are null for what never expires. */
const MOSTLY = 0.95;

export interface ExpiryField {
  readonly path: string;
  /** Sampled documents whose date was past for a month. */
  readonly monthPast: number;
  /** True if the name says that the document is to be deleted. */
  readonly saysDelete: boolean;
}

/**
 * The fields with a date of expiry; null if the evidence does not report which dates are past. Within arrays a TTL index goes
 * by the earliest date, which nobody means.
 */
export function expiryFields({ paths }: Pick<DocumentProfile, 'paths'>): readonly ExpiryField[] | null {
  const named = paths.filter((path) => isNamed(path) && isMostlyDates(path));
  if (named.some(({ values }) => values?.dates !== undefined && values.dates.monthPast === undefined)) return null;
  return named.map(({ path, values }) => ({
    path,
    monthPast: values?.dates?.monthPast ?? 0,
    saysDelete: DELETES.has(plainName(path)),
  }));
}

function isNamed({ path }: PathProfile): boolean {
  const name = plainName(path);
  return (EXPIRES.has(name) || DELETES.has(name)) && !path.includes('[]') && isQueryable(path);
}

function plainName(path: string): string {
  return (path.split('.').at(-1) ?? '').replaceAll(/[_-]/g, '').toLowerCase();
}

function isMostlyDates({ types, occurrences }: PathProfile): boolean {
  const { date = 0, null: none = 0 } = types;
  return date > 0 && date >= MOSTLY * (occurrences - none);
}

/** What recorded reads ask of a date of expiry: only what has not expired, also what has, or nothing that is known. */
export type ExpiryReads = 'unexpired' | 'expired' | 'any' | 'unknown';

export function expiryReads(path: string, reads: CollectionReads | undefined): ExpiryReads {
  if (reads === undefined || reads.reads.length === 0) return 'unknown';
  const asked = reads.reads.map(({ stages }) => askedOf(path, stages));
  if (asked.includes('expired')) return 'expired';
  return asked.every((each) => each === 'unexpired') ? 'unexpired' : 'any';
}

function askedOf(path: string, stages: readonly ObjectShape[]): ExpiryReads {
  const filters = stages.flatMap(({ $match }) => (isObjectShape($match) ? [$match] : []));
  const { all, alternatives } = conditionsOf(filters);
  const of = (operators: readonly string[]) =>
    all.some((condition) => condition.path === path && operators.includes(condition.operator));
  if (of(['$lt', '$lte'])) return 'expired';
  // In an alternative, it may be either.
  return of(['$gt', '$gte']) && alternatives.length === 0 ? 'unexpired' : 'any';
}
