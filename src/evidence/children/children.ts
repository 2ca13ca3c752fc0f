import type { ChildRelation } from '../../workload/joins/child-relation.js';
import type { Absent } from '../../presence.js';
import type { AgeGrowth } from '../growth/age-growth.js';

/**
 * How many documents of a collection belong to one of another, counted on the server. A family is the children of one
 * parent; parents without children are no families.
 */
export interface ChildFamilies extends ChildRelation {
  /** Families counted. */
  readonly families: number;
  /** True where these are all that there are. Else they are the families of children picked at random, so that large ones are more likely among them. */
  readonly complete: boolean;
  /** Children picked at random, or all. */
  readonly childrenSeen: number;
  /** Children per family. `most` is no higher than `countedTo`, where counting ends. */
  readonly children: { readonly median: number; readonly most: number };
  /** Children per family at which counting ends; null where all were counted. */
  readonly countedTo: number | null;
  /** BSON bytes of all children of a family. */
  readonly bytes: { readonly median: number; readonly most: number };
  /** Of the children seen, those whose parent is not there, or that name none. */
  readonly orphans: number;
  /** Whether older parents have more children, by the time in their ObjectIds; null where that does not tell. */
  readonly growth: AgeGrowth | null;
}

/** The evidence `children`: the families of each relation by which the workload joins children to their parents. */
export interface Children {
  readonly families: readonly ChildFamilies[];
  /** What could not be counted. */
  readonly gaps: readonly Absent[];
}
