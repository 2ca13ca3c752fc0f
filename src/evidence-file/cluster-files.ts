import { LintError } from '../lint-error.js';
import { areOfOneCluster } from './cluster-identity.js';
import type { HeaderLine } from './evidence-lines.js';
import { readEvidenceHeader } from './read-evidence.js';

export interface ClusterFiles {
  readonly file: string;
  readonly target?: string;
  readonly earlier: readonly string[];
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
