import type { ChildFamilies, KnownCollection } from '../../src/check.js';
import { accessesOf } from '../../src/evidence/index-usage.js';
import type { ChildReads } from '../../src/judgement/joins/child-reads.js';
import { shareWithin } from '../../src/judgement/margins.js';

/**
 * Number of executions that read children with their parents below which a collection is not judged. Judgement: fewer do not
 * show a pattern.
 */
export const FEWEST_EXECUTIONS = 20;

/**
 * Share of reads without the parent up to which children are hardly ever read alone. Judgement: one in twenty, such as an
 * occasional report.
 */
export const HARDLY_ALONE = 0.05;

/** Share of children without a parent above which they exist in their own right. */
const SHARE_OF_ORPHANS = 0.01;
/** If others are picked each time: far above what deletions leave behind. */
const SHARE_OF_ORPHANS_BY_CHANCE = 0.05;
/** If others are picked each time: of the children that are few, up to which the largest family is surely not larger. */
const SURELY_FEW = 0.5;

export function orphansAllowed({ isByChance }: ChildFamilies): number {
  return isByChance === true ? SHARE_OF_ORPHANS_BY_CHANCE : SHARE_OF_ORPHANS;
}

/** A rare large family, and a rare child without parent, may be among the picked ones or not. */
export function isSurelyFew(
  { children, childrenSeen, orphans, isByChance }: ChildFamilies,
  documents: number | null,
  few: number,
): boolean {
  if (isByChance !== true) return true;
  const seen = { share: documents === null ? 0 : Math.min(1, childrenSeen / Math.max(1, documents)), byChance: true };
  return children.most <= few * SURELY_FEW && shareWithin(orphans, childrenSeen, seen)[1] <= SHARE_OF_ORPHANS_BY_CHANCE;
}

/**
 * Whether indexes on other fields have found children since the servers started: a longer record than any source of
 * operations has. The index on `_id` does not count, since updates use it.
 */
export function isFoundOtherwise(path: string, child: KnownCollection<'indexes' | 'indexUsage'> | undefined): boolean {
  if (child?.indexes.present !== true || !child.indexUsage.present) return false;
  const { indexes, indexUsage } = child;
  const usesBy = (isMeant: (first: string | undefined) => boolean) =>
    indexes.value
      .filter(({ key }) => isMeant(Object.keys(key)[0]))
      .reduce((sum, index) => sum + accessesOf(index, indexUsage.value), 0);
  const otherwise = usesBy((first) => first !== path && first !== '_id');
  return otherwise >= FEWEST_EXECUTIONS && otherwise > HARDLY_ALONE * (otherwise + usesBy((first) => first === path));
}

/** A child of two parents in one collection, such as sender and receiver, can lie in neither. */
export function isReferredToTwice({ parent, child, path }: ChildFamilies, all: readonly ChildFamilies[]): boolean {
  return all.some((other) => other.parent === parent && other.child === child && other.path !== path);
}

/** In the long run a parent has as many children as are added for each parent that is added. */
export function arePilingUp({ added, parentsAdded }: ChildReads, children: number): boolean {
  return added >= FEWEST_EXECUTIONS && added > children * Math.max(0, parentsAdded);
}
