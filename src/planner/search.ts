import type { PlannedCollection, RefusalReason } from './access.js';
import { boundsOf, keysOf, type KeyField } from './bounds.js';
import { type Condition, type Conjunction, partsOf, type Predicate } from './predicate.js';
import { type Met, searchedField, type SearchedField, tightness } from './searched-field.js';
import { arraysOf } from './wildcard.js';

/** Scans that together find what is asked for, and whether documents have to be tested on what they find. */
export interface Search {
  readonly scans: readonly (readonly SearchedField[])[];
  readonly testsDocuments: boolean;
  /** Whether the server may split the scans by value: it does not if what several of them find is tested. */
  readonly mayBeSplit: boolean;
  /** How many values its scans have together, if the server makes one walk of them; null if that is not known. */
  readonly inOneWalk?: number | null;
}

/** Why nothing is found, and by which path. */
export interface Missed {
  readonly because: RefusalReason;
  readonly path: string;
}

/** What a search has to know of an index and its collection. */
export interface Searched {
  fieldsFor(conditions: readonly Condition[]): readonly (readonly KeyField[])[];
  refusalOf(condition: Condition, field: KeyField): RefusalReason | null;
  /** Whether all documents of the index meet it. */
  isHeld(predicate: Predicate): boolean;
  readonly collection: PlannedCollection;
}

/**
 * The ways to search an index for a conjunction: by its own conditions, and by each of its alternatives together with the
 * conditions beside them; or why there is none.
 *
 * @param beside conditions that hold as well, none of which alone is a reason to search
 */
export function searchesOf(
  parts: Conjunction,
  searched: Searched,
  beside: readonly Condition[] = [],
): Search[] | Missed {
  const all = [...parts.conditions, ...beside];
  const found = searched.fieldsFor(all).map((fields) => scansBy(fields, all, searched));
  const tested = parts.alternatives.filter(
    ({ branches, elements }) => elements.length > 0 || !searched.isHeld({ kind: 'or', of: branches }),
  );
  const own = found.flatMap((scans): Search[] => {
    if (!Array.isArray(scans)) return [];
    const asked = scans.filter((scan) => scan.some(({ by }) => by.some((each) => parts.conditions.includes(each))));
    const asksForMore = parts.asksForMore || tested.length > 0;
    return asked.map((scan) => ({
      scans: [scan],
      testsDocuments: asksForMore || leavesTests(scan, all, searched),
      mayBeSplit: true,
    }));
  });
  const others = parts.alternatives.flatMap((alternative): Search[] => {
    const { branches, elements } = alternative;
    const held = all.filter((condition) => elements.every((element) => condition.elements.includes(element)));
    const each = branches.map((branch) => searchesOf(partsOf(branch, elements), searched, held));
    const best = each.flatMap((searches) => (Array.isArray(searches) ? [bestOf(searches)] : []));
    if (best.length === 0 || best.length < branches.length) return [];
    const scans = atOnce(
      best.flatMap((search) => search.scans),
      branches,
    );
    const asksForMore = parts.asksForMore || tested.some((other) => other !== alternative);
    return [
      {
        scans,
        testsDocuments:
          asksForMore ||
          scans.some((scan) => leavesTests(scan, all, searched)) ||
          best.some((search) => search.testsDocuments),
        // What bounds each branch is tested with it, and the rest on what all of them find.
        mayBeSplit:
          !asksForMore &&
          scans.every((scan) => !leavesTests(scan, outside(scan, all), searched)) &&
          best.every((search) => search.mayBeSplit),
        ...(branches.every(isSingle) && areOnFirstField(scans) && { inOneWalk: pointsTogether(scans) }),
      },
    ];
  });
  if (own.length + others.length > 0) return [...own, ...others];
  return found.find((scans): scans is Missed => !Array.isArray(scans)) ?? { because: 'wildcard', path: '' };
}

/** Branches of one condition on the first field are one scan, and if one of them reads all, it is all. */
function atOnce(
  scans: readonly (readonly SearchedField[])[],
  branches: readonly Predicate[],
): readonly (readonly SearchedField[])[] {
  const whole = scans.find((scan) => scan.every(({ kind }) => kind === 'all'));
  return whole !== undefined && branches.every(isSingle) ? [whole] : scans;
}

function isSingle({ kind }: Predicate): boolean {
  return kind !== 'and' && kind !== 'or';
}

/** Whether they bound the first field of one index alone, of which the server makes one walk. */
function areOnFirstField(scans: readonly (readonly SearchedField[])[]): boolean {
  return (
    new Set(scans.map(([first]) => first?.field.path)).size === 1 &&
    scans.every(([, ...others]) => others.every(({ kind }) => kind === 'all'))
  );
}

function pointsTogether(scans: readonly (readonly SearchedField[])[]): number | null {
  const first = scans.flatMap(([field]) => field ?? []);
  if (first.some(({ kind, points }) => kind !== 'points' || points === null)) return null;
  const values = first.flatMap(({ by }) => by.map(({ comparison: { operand } }) => operand.values));
  const all = first.reduce((sum, { points }) => sum + (points ?? 0), 0);
  return values.includes(undefined) ? all : Math.min(all, keysOf(values.flat(), first[0]!.field));
}

/** The search whose bounds are tightest, field by field; the first if some are alike. */
export function bestOf(searches: readonly Search[]): Search {
  const loosest = ({ scans }: Search) => scans.map(tightness).toSorted().at(-1) ?? '';
  return searches.reduce((best, search) => (loosest(search) < loosest(best) ? search : best));
}

/** One scan for each condition by which the first field can be searched, if these cannot be met together. */
function scansBy(
  fields: readonly KeyField[],
  conditions: readonly Condition[],
  searched: Searched,
): SearchedField[][] | Missed {
  let missed: Missed | null = null;
  const isRefused = (condition: Condition, field: KeyField) => {
    const value = condition.elements.find(({ ofValues }) => ofValues);
    const together = value === undefined ? [condition] : conditions.filter(({ elements }) => elements.includes(value));
    return together.map((each) => searched.refusalOf(each, field)).find((because) => because !== null) ?? null;
  };
  const met = fields.map((field) =>
    conditions
      .filter(({ comparison }) => comparison.path === field.path)
      .flatMap((condition): Met[] => {
        const because = isRefused(condition, field);
        if (because === null) return [{ condition, bounds: boundsOf(condition, field) }];
        missed ??= { because, path: field.path };
        return [];
      }),
  );
  const [first, ...behind] = met;
  if (first === undefined || first.length === 0)
    return missed ?? { because: 'other field', path: fields[0]?.path ?? '' };
  const leading = fields[0]?.isMultikey === true ? first : first.slice(0, 1);
  return leading.map((lead) => {
    const taken: { readonly field: KeyField; readonly met: Met }[] = [];
    for (const [position, each] of [[lead, ...first], ...behind].entries()) {
      const field = fields[position]!;
      for (const one of each) {
        const isTaken = taken.some((other) => other.met === one);
        if (
          !isTaken &&
          taken.every((other) => areOfOne(one.condition, field, other.met.condition, other.field, searched.collection))
        )
          taken.push({ field, met: one });
      }
    }
    return fields.map((field) =>
      searchedField(
        field,
        taken.filter((each) => each.field === field).map((each) => each.met),
      ),
    );
  });
}

/**
 * Whether two conditions may bound one scan. Of those below one array each may be met by another element, unless one element has
 * to meet them both.
 */
function areOfOne(
  one: Condition,
  field: KeyField,
  other: Condition,
  otherField: KeyField,
  collection: PlannedCollection,
): boolean {
  if (!field.isMultikey || !otherField.isMultikey) return true;
  const shared = arraysOf(field.path, collection).filter((array) =>
    arraysOf(otherField.path, collection).includes(array),
  );
  const innermost = shared.at(-1);
  return (
    innermost === undefined ||
    one.elements.some((element) => element.path === innermost && other.elements.includes(element))
  );
}

function outside(scan: readonly SearchedField[], conditions: readonly Condition[]): Condition[] {
  return conditions.filter((condition) => !scan.some(({ by }) => by.includes(condition)));
}

function leavesTests(scan: readonly SearchedField[], conditions: readonly Condition[], searched: Searched): boolean {
  return conditions.some((condition) => {
    const found = scan.find(({ by }) => by.includes(condition));
    const { comparison, negated } = condition;
    if (found === undefined) return !searched.isHeld(negated ? { kind: 'not', of: comparison } : comparison);
    return boundsOf(condition, found.field).rest === 'documents';
  });
}
