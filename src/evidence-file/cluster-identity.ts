import type { Collection } from '../inventory/collection.js';
import type { HeaderLine } from './evidence-lines.js';
import { identityInFile } from './file-collection.js';

/** Collections by which files are distinguished: those with the least identities, so that another file has the same. */
const MARKS = 16;
/** Share of them that files of one cluster have in common: some collections come and go between two files. */
const LEAST_IN_COMMON = 1 / 2;

/** By which a later file of the cluster is recognised. */
export function marksOf(collections: readonly Pick<Collection, 'uuid'>[]): string[] {
  const identities = collections.flatMap(({ uuid }) => (uuid === undefined ? [] : [identityInFile(uuid)]));
  return identities.sort().slice(0, MARKS);
}

/** Whether two files are of one cluster. Of a file without marks, such as an older version wrote, it is not known. */
export function areOfOneCluster(one: HeaderLine, other: HeaderLine): boolean {
  const [marks, others] = [one.marks ?? [], other.marks ?? []];
  const inCommon = marks.filter((mark) => others.includes(mark)).length;
  const areTargetsApart = one.target !== undefined && other.target !== undefined && one.target !== other.target;
  return (
    !areTargetsApart &&
    one.pseudonyms === other.pseudonyms &&
    one.cluster.name === other.cluster.name &&
    inCommon > 0 &&
    inCommon >= LEAST_IN_COMMON * Math.min(marks.length, others.length)
  );
}
