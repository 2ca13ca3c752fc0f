import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CollectedTracedEvidence } from '../../src/evidence/cluster-evidence.js';
import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import type {
  ClusterLine,
  CollectionLine,
  EvidenceLine,
  OperationLine,
} from '../../src/evidence-file/evidence-lines.js';
import { fromFile } from '../../src/evidence-file/file-collection.js';
import { fromJson } from '../../src/evidence-file/plain-data.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { packageRoot } from '../../src/package-root.js';
import { present } from '../../src/presence.js';
import { NO_ROUTER_LOGS } from '../../src/workload/sources/log-file.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { Workload } from '../../src/workload/workload.js';

const RECORDED = join(packageRoot(), 'test/evidence/recorded/v2/replica-set.evidence.jsonl.gz');
const DATABASES = /"(demo|shop)(?=["./])/g;

/** What is recorded of the demo's cluster, as lines of evidence. */
export async function recordedLines(): Promise<readonly string[]> {
  return gunzipSync(await readFile(RECORDED))
    .toString('utf8')
    .trimEnd()
    .split('\n');
}

/** The recorded lines of one kind under other names of databases, such as "demo_3" for "demo". */
function linesOf<Kind extends EvidenceLine['kind']>(lines: readonly string[], kind: Kind, copy: number) {
  const own = lines.filter((line) => line.startsWith(`{"kind":"${kind}"`));
  return own.map(
    (line) => fromJson(JSON.parse(line.replaceAll(DATABASES, `"$1_${copy}`))) as Extract<EvidenceLine, { kind: Kind }>,
  );
}

/**
 * A run on the recorded cluster many times over, each time in databases of other names: evidence as collecting it gives it,
 * made anew each time it is asked for.
 *
 * @param collections how many there are; of the last copy, as many as are left
 */
export function replicatedRun(lines: readonly string[], collections: number): EvidenceRun {
  const each = linesOf(lines, 'collection', 0).length;
  const copies = Array.from({ length: Math.ceil(collections / each) }, (_, copy) => copy);
  const [header] = linesOf(lines, 'header', 0);
  const [footer] = linesOf(lines, 'footer', 0);
  if (header === undefined || footer === undefined)
    throw new Error('The recorded evidence has no header or no footer.');
  return {
    startedAt: new Date(header.startedAt),
    cluster: header.cluster,
    inventory: { unlisted: [] },
    async ofCollections(take) {
      const taken = [];
      for (const copy of copies)
        for (const line of linesOf(lines, 'collection', copy).slice(0, collections - copy * each))
          taken.push(await take(collectedOf(line)));
      return taken;
    },
    ofCluster: async () => mergedEvidence(copies.map((copy) => clusterOf(lines, copy))),
    async end() {
      const { kind: _kind, lines: _lines, sha256: _sha256, user: _user, ...end } = footer;
      return { ...end, finishedAt: new Date(footer.finishedAt) };
    },
    user: async () => 'as before',
  };
}

function collectedOf({ collection, evidence }: CollectionLine): KeptCollection {
  return fromFile({ collection: { ...collection, uuid: collection['namespace'] as string }, evidence });
}

interface RecordedCluster {
  readonly evidence: ClusterLine['evidence'];
  readonly operations: readonly OperationLine[];
}

function clusterOf(lines: readonly string[], copy: number): RecordedCluster {
  const [{ evidence }] = linesOf(lines, 'cluster', copy) as [ClusterLine];
  return { evidence, operations: linesOf(lines, 'operation', copy) };
}

/** Lists of all copies one after the other; what is no list, as the first copy has it. */
function mergedEvidence(copies: readonly RecordedCluster[]): CollectedTracedEvidence {
  const [{ evidence: first }] = copies as [RecordedCluster];
  const names = Object.keys(first) as (keyof ClusterLine['evidence'])[];
  const { workload, ...rest } = Object.fromEntries(
    names.map((name) => [name, present(withListsOf(copies.map(({ evidence }) => valueOf(evidence[name]))))]),
  ) as Record<string, { readonly present: true; readonly value: object }>;
  const operations = copies.flatMap((copy) => copy.operations.map(({ operation }) => operation));
  // It was recorded before there were logs of mongos.
  const sources = { routerLog: NO_ROUTER_LOGS, ...(workload?.value as Partial<Workload> | undefined)?.sources };
  const traced = traceWorkload({ ...workload?.value, sources, operations } as unknown as Workload);
  return { ...rest, workload: present(traced) } as CollectedTracedEvidence;
}

function valueOf(piece: ClusterLine['evidence'][keyof ClusterLine['evidence']]): Record<string, unknown> {
  if (piece?.present !== true) throw new Error('A piece of the recorded evidence is absent.');
  return piece.value as unknown as Record<string, unknown>;
}

function withListsOf(values: readonly Record<string, unknown>[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values[0] ?? {}).map(([name, value]) => [
      name,
      Array.isArray(value) ? values.flatMap((each) => each[name]) : value,
    ]),
  );
}
