import type { ChildRelation } from '../../workload/joins/child-relation.js';
import type { Absent } from '../../presence.js';
import type { AgeGrowth } from '../../growth/growth.js';

/** How many children a parent has, counted on the server. A family is the children of one parent. */
export interface ChildFamilies extends ChildRelation {
  readonly families: number;
  /** False if they are the families of picked children, which favours large ones. */
  readonly complete: boolean;
  readonly childrenSeen: number;
  /** Present if other children would be picked next time. */
  readonly isByChance?: true;
  /** `most` is at most `countedTo`. */
  readonly children: { readonly median: number; readonly most: number };
  /** Children per family at which counting ends; null if all were counted. */
  readonly countedTo: number | null;
  /** BSON bytes of a family. */
  readonly bytes: { readonly median: number; readonly most: number };
  /** Children seen without a parent. */
  readonly orphans: number;
  /** By the time in the ObjectIds of the parents; null if it shows nothing. */
  readonly growth: AgeGrowth | null;
}

/** The families of each relation by which the workload joins children to parents. */
export interface Children {
  readonly families: readonly ChildFamilies[];
  readonly gaps: readonly Absent[];
}
