import type { IndexDescription } from '../inventory/collection.js';
import type { Access, IndexScan, PathBounds, PlannedQuery } from './access.js';
import { type KnownValues, shareMeeting, shareWithin } from './condition-share.js';
import { predicateOf } from './filter-predicate.js';
import { ALL, both, either, heldValues, type HeldValues, NONE, type Share, times } from './held-values.js';
import { type Condition, partsOf } from './predicate.js';
import { isWildcard } from './wildcard.js';

/** What an execution reads: on average, if values are asked for as often as documents have them. */
export interface Reads {
  readonly documents: Share | null;
  readonly keys: Share | null;
}

export interface ReadOptions extends KnownValues {
  readonly query: PlannedQuery;
  /** Documents of the whole collection. */
  readonly documents: number;
  /** Documents after which the search ends, those that are skipped among them; null for all. */
  readonly wanted: number | null;
}

/** Between two values of the fields in front, a scan reads the first key of the next one, and the one behind what it finds. */
const KEYS_BETWEEN = 2;

/**
 * What the server reads by an index, as far as a sample tells; null if it does not. Values of several fields are taken as
 * independent.
 */
export function readsOf(access: Access, options: ReadOptions): Reads {
  const scans = access.scans.map((scan) => readsOfScan(scan, access, options));
  const found = scans.map(({ share }) => share).reduce(either);
  const keys = scans
    .map((scan) => scan.keys)
    .reduce((one, other) => (one === null || other === null ? null : plus(one, other)));
  const documents = found === null ? null : times(found, options.documents);
  const fetched = (read: Share | null) => (access.covered ? NONE : read);
  if (options.wanted === null || !access.givesOrder) return { documents: fetched(documents), keys };
  const passing = sharePassing(access, options);
  if (documents === null || keys === null || passing === null) return { documents: fetched(null), keys: null };
  const page = untilFull(options.wanted, documents, passing);
  const part = documents.estimate === 0 ? 1 : page.estimate / documents.estimate;
  return { documents: fetched(page), keys: times(keys, part) };
}

interface ReadByScan {
  /** The share of the collection's documents. */
  readonly share: Share | null;
  readonly keys: Share | null;
}

function readsOfScan({ bounds, decides }: IndexScan, { index }: Access, options: ReadOptions): ReadByScan {
  const fields = bounds.map(({ path }) => heldValues(options.fieldTypes, path));
  const within = bounds.map((each, at) =>
    each.kind === 'all' && isWildcard(index) ? withWildcardKey(fields[at] ?? null) : shareWithin(each, options),
  );
  const held = isWildcard(index) ? ALL : shareHeld(index, bounds, options);
  const inBounds = [held, ...within].reduce(both);
  const share = bounds
    .map(({ by }, at) => {
      const tested = by.filter((condition) => isTestedOnKeys(condition) && decides.includes(condition));
      return tested.length === 0 ? within[at]! : tested.map((each) => shareMeeting(each, options)).reduce(both);
    })
    .reduce(both, held);
  const perDocument = keysPerDocument(bounds, fields);
  const lead = bounds.findIndex(({ points }) => points !== 1);
  const last = lead === -1 ? -1 : bounds.findLastIndex(({ kind }) => kind !== 'all');
  const between = last <= lead ? 0 : valuesOf(bounds.slice(lead, last), fields.slice(lead, last), options.documents);
  const walked = [held, ...within.slice(0, lead === -1 ? within.length : lead + 1)].reduce(both);
  if (inBounds === null || walked === null || perDocument === null || between === null) return { share, keys: null };
  const all = options.documents * perDocument;
  const [found, region] = [times(inBounds, all), times(walked, all)];
  const passed = KEYS_BETWEEN * between;
  return {
    share,
    keys: {
      estimate: Math.min(region.estimate, found.estimate + passed),
      least: found.least,
      most: Math.min(region.most, found.most + passed),
    },
  };
}

/** A wildcard index has no key for an object as a whole, and keys for all that is below it. */
function withWildcardKey(field: HeldValues | null): Share | null {
  return field === null || field.ofType((type) => type === 'object').most > 0 ? null : field.present;
}

/** Conditions that bound keys by no more than their type, and are tested on each of them. */
function isTestedOnKeys({ comparison: { operator }, negated }: Condition): boolean {
  return !negated && (operator === '$mod' || operator === '$regex' || operator === '$type');
}

/** The documents of an index, among those that its bounds let through. */
function shareHeld(index: IndexDescription, bounds: readonly PathBounds[], options: ReadOptions): Share | null {
  const bounded = bounds.filter(({ kind }) => kind !== 'all').map(({ path }) => path);
  const { conditions, alternatives, asksForMore } = partsOf(predicateOf(index.partialFilterExpression ?? {}));
  // What bounds a field of the filter is within it.
  const left = conditions.filter(({ comparison: { path } }) => !bounded.includes(path));
  if (asksForMore || alternatives.length > 0) return null;
  const present = index.sparse && bounded.length === 0 ? shareWithAny(bounds, options) : ALL;
  return left.map((condition) => shareMeeting(condition, options)).reduce(both, present);
}

/** The documents of a sparse index. */
function shareWithAny(bounds: readonly PathBounds[], { fieldTypes }: ReadOptions): Share | null {
  return bounds.map(({ path }) => heldValues(fieldTypes, path)?.present ?? null).reduce(either);
}

/** One for an array that is searched for a value. */
function keysPerDocument(bounds: readonly PathBounds[], fields: readonly (HeldValues | null)[]): number | null {
  const counts = fields.map((field) => field?.keysPerDocument ?? null);
  const arrays = bounds.filter((_, at) => counts[at] !== 1);
  if (arrays.some(({ kind }) => kind === 'points')) return 1;
  if (counts.includes(null) || arrays.some(({ kind }) => kind !== 'all')) return null;
  return Math.max(...counts.map(Number));
}

/** How many different values some fields have together within their bounds. */
function valuesOf(
  bounds: readonly PathBounds[],
  fields: readonly (HeldValues | null)[],
  documents: number,
): number | null {
  const counts = bounds.map(({ kind, points }, at) =>
    kind === 'points' ? points : (fields[at]?.distinct(documents) ?? null),
  );
  return counts.reduce((product, count) => (product === null || count === null ? null : product * count), 1);
}

/** Whether each document that is read is one that the query asks for. */
export function areAllMatches(access: Access, query: PlannedQuery): boolean {
  return !access.testsDocuments || testedFurther(access, query)?.length === 0;
}

/** The share of the documents read that meet what is tested on them. */
function sharePassing(access: Access, options: ReadOptions): Share | null {
  const tested = access.testsDocuments ? testedFurther(access, options.query) : [];
  return tested === null ? null : tested.map((each) => shareMeeting(each, options)).reduce(both, ALL);
}

/** Conditions that are tested on documents by which they were not found; null if there is more, or not all of what was found meets it. */
function testedFurther({ scans }: Access, { filter }: PlannedQuery): readonly Condition[] | null {
  const { conditions, alternatives, asksForMore } = partsOf(filter);
  const [{ bounds, decides }, ...others] = scans;
  if (asksForMore || alternatives.length > 0 || others.length > 0) return null;
  const [bounding, decided] = [bounds.flatMap(({ by }) => by), decides].map(
    (each) => new Set(each.map(({ comparison }) => comparison)),
  );
  const tested = conditions.filter(({ comparison }) => !decided!.has(comparison));
  const found = tested.filter(({ comparison }) => bounding!.has(comparison));
  // By null and by hashes, what is found is tested again, and meets it.
  if (!found.every(({ comparison: { operator } }) => operator === '$eq' || operator === '$in')) return null;
  return tested.filter((each) => !found.includes(each));
}

/** Documents that are read until so many of them pass. */
function untilFull(wanted: number, all: Share, passing: Share): Share {
  const until = (share: number, most: number) => (share === 0 ? most : Math.min(most, wanted / share));
  return {
    estimate: until(passing.estimate, all.estimate),
    least: until(passing.most, all.least),
    most: until(passing.least, all.most),
  };
}

function plus(one: Share, other: Share): Share {
  return { estimate: one.estimate + other.estimate, least: one.least + other.least, most: one.most + other.most };
}
