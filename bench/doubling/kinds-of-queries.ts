import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import { absent, present } from '../../src/presence.js';
import { mergeOperations } from '../../src/workload/collect-workload.js';
import { readLogFiles } from '../../src/workload/sources/log-file.js';
import { traceWorkload, type TracedWorkload } from '../../src/workload/traced-workload.js';
import { judgedRun } from './judged-run.js';
import type { Dimension } from './measured-phases.js';
import { recordedLines, replicatedRun } from './replicated-cluster.js';

const COLLECTIONS = 85;
/** One kind in five. */
const OR_SHARE = 5;
const BRANCHES = 50;
const FIELDS = 400;
const NOT_READ = absent('unsupported', 'it is not asked for.');

/** Kinds of operations in a log, on the collections of the recorded cluster; a fifth are `$or`s of 50 branches. */
export async function kindsOfQueriesDimension(sizes: readonly number[]): Promise<Dimension> {
  const run = replicatedRun(await recordedLines(), COLLECTIONS);
  const namespaces = await run.ofCollections(({ collection }) => collection.namespace);
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-doubling-'));
  const file = join(folder, 'mongod.log');
  return {
    name: 'kinds of queries',
    sizes,
    async begin(size) {
      await writeFile(file, Array.from({ length: size }, (_, kind) => lineOf(kind, namespaces)).join(''));
      const workload = await workloadOf(file);
      if (workload.operations.length !== size) throw new Error(`${size} kinds were ${workload.operations.length}.`);
      return {
        'read them from a log': () => workloadOf(file),
        judge: () => judgedRun(withWorkload(run, workload)),
      };
    },
    end: () => rm(folder, { recursive: true }),
  };
}

async function workloadOf(file: string): Promise<TracedWorkload> {
  const { source, operations } = (await readLogFiles([file], () => false)).logFile;
  const merged = mergeOperations({ profiler: [], queryStats: [], logFile: operations, recentLog: [], routerLog: [] });
  const sources = {
    profiler: NOT_READ,
    queryStats: NOT_READ,
    logFile: source,
    recentLog: NOT_READ,
    routerLog: NOT_READ,
  };
  return traceWorkload({ operations: merged, views: [], sources, counters: NOT_READ });
}

function withWorkload(run: EvidenceRun, workload: TracedWorkload): EvidenceRun {
  return { ...run, ofCluster: async (kept) => ({ ...(await run.ofCluster(kept)), workload: present(workload) }) };
}

/** Two fields that no other kind names together. */
function pairOf(kind: number): readonly [string, string] {
  const first = kind % FIELDS;
  return [`field_${first}`, `field_${(first + 1 + Math.floor(kind / FIELDS)) % FIELDS}_b`];
}

function commandOf(kind: number, name: string): object {
  const [one, other] = pairOf(kind);
  if (kind % OR_SHARE === 0) {
    const branches = Array.from({ length: BRANCHES }, (_, branch) => ({ [`${one}_${branch}`]: branch, [other]: 1 }));
    return { find: name, filter: { $or: branches } };
  }
  if (kind % OR_SHARE === 1)
    return {
      aggregate: name,
      pipeline: [
        { $match: { [one]: 1 } },
        { $lookup: { from: 'customers_joined', localField: one, foreignField: other, as: 'joined' } },
        { $sort: { [other]: 1 } },
      ],
      cursor: {},
    };
  if (kind % OR_SHARE === 2) return { find: name, filter: { [one]: { $gt: 1 } }, sort: { [other]: 1 }, skip: 20_000 };
  if (kind % OR_SHARE === 3) return { find: name, filter: { [one]: 'a', [other]: { $in: [1, 2, 3] } }, limit: 10 };
  return { find: name, filter: { [one]: { $regex: 'a', $options: 'i' }, [other]: 1 }, projection: { [one]: 1 } };
}

function lineOf(kind: number, namespaces: readonly string[]): string {
  const namespace = namespaces[kind % namespaces.length] ?? '';
  const [database = '', name = ''] = namespace.split('.');
  const attr = {
    type: 'command',
    ns: namespace,
    appName: `service ${kind % 40}`,
    command: { ...commandOf(kind, name), $db: database },
    planSummary: 'COLLSCAN',
    keysExamined: 0,
    docsExamined: 50_000,
    nreturned: 10,
    reslen: 1_000,
    durationMillis: 100 + (kind % 900),
  };
  return `{"t":{"$date":"2026-11-21T03:28:55.116+00:00"},"s":"I",  "c":"COMMAND",  "id":51803,   "ctx":"conn1","msg":"Slow query","attr":${JSON.stringify(attr)}}\n`;
}
