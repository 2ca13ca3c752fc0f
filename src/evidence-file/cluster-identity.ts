import type { Collection } from '../inventory/collection.js';
import { LintError } from '../lint-error.js';
import type { HeaderLine } from './evidence-lines.js';
import { identityInFile } from './file-collection.js';
import { readEvidenceHeader } from './read-evidence.js';

export interface ClusterFiles {
  readonly file: string;
  readonly target?: string;
  readonly earlier: readonly string[];
}

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

interface ReadFile {
  readonly file: string;
  readonly header: HeaderLine;
}

/** The files of each cluster, the newest apart. @throws LintError if a file can't be used, or two are copies of one */
export async function clusterFiles(files: readonly string[]): Promise<ClusterFiles[]> {
  const clusters: ReadFile[][] = [];
  for (const file of files) {
    const read = { file, header: await readEvidenceHeader(file) };
    const cluster = clusters.find((others) => others.some(({ header }) => areOfOneCluster(header, read.header)));
    const copy = cluster?.find(({ header }) => header.startedAt === read.header.startedAt);
    if (copy !== undefined) throw new LintError(`${copy.file} and ${file} are the same evidence: judge one of them.`);
    if (cluster === undefined) clusters.push([read]);
    else cluster.push(read);
  }
  return clusters.map((cluster) => {
    const inOrder = cluster.toSorted((one, other) => timeOf(one) - timeOf(other));
    const newest = inOrder.at(-1) as ReadFile;
    const target = inOrder.findLast(({ header }) => header.target !== undefined)?.header.target;
    return {
      file: newest.file,
      earlier: inOrder.slice(0, -1).map(({ file }) => file),
      ...(target !== undefined && { target }),
    };
  });
}

function timeOf({ header }: ReadFile): number {
  return Date.parse(header.startedAt);
}
