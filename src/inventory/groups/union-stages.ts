import type { Document } from 'mongodb';
import type { CollectionGroup } from './collection-groups.js';

/** The field of an answer that says which collection of its group it is about. */
export const MEMBER = 'member';

/** Runs on the first collection. @param stagesOf must put the number that it is given into the field `MEMBER` */
export function unionStages(group: CollectionGroup, stagesOf: (member: number) => readonly Document[]): Document[] {
  const [, ...others] = group;
  const unions = others.map(({ name }, index) => ({ $unionWith: { coll: name, pipeline: stagesOf(index + 1) } }));
  return [...stagesOf(0), ...unions];
}
