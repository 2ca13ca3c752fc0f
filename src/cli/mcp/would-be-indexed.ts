import type { Document } from 'mongodb';
import { readEvidence } from '../../evidence-file/read-evidence.js';
import type { RemedyCommand } from '../../finding.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { indexesFor, missingIndexes, proposalsFor } from '../../judgement/advice/needed-index.js';
import { suggestionsFor } from '../../judgement/advice/query-suggestions.js';
import { buildingSteps } from '../../judgement/indexes/index-steps.js';
import { documentsOf, type JoinedCluster, type JoinedCollection } from '../../judgement/joins/joined-cluster.js';
import { unservedJoins } from '../../judgement/joins/unserved-joins.js';
import { equalPaths, isEmpty } from '../../judgement/queries/conditions.js';
import { queriesOf, type Query } from '../../judgement/queries/query.js';
import { LintError } from '../../lint-error.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused } from '../../planner/access.js';
import { absent } from '../../presence.js';
import { operationShape } from '../../workload/shapes/operation-shape.js';
import { serverPlaceholder } from '../../workload/shapes/placeholder.js';
import { traceWorkload } from '../../workload/traced-workload.js';
import type { OperationShape, Workload } from '../../workload/workload.js';

/** An operation that was not run. Of its values only the types count; "?string" and the like stand for any. */
export interface AskedOperation {
  readonly namespace: string;
  readonly filter?: Document | undefined;
  readonly sort?: Document | undefined;
  readonly limit?: number | undefined;
  readonly collation?: Document | undefined;
  /** In place of filter, sort and limit. */
  readonly pipeline?: readonly Document[] | undefined;
}

/** How the collection would be searched. */
export type IndexUse =
  /** An index has all that it searches and sorts by. */
  | 'served'
  /** An index finds by some of its fields; a better one is advised. */
  | 'in part'
  /** No index finds: the whole collection is read, and an index could. */
  | 'scan'
  /** It asks for every document. */
  | 'all documents'
  /** No index can find what it asks for. */
  | 'no index can'
  /** What an index of another kind (text, geo), values for a partial index, a view, a time-series collection or unknown indexes decide. */
  | 'unknown';

export interface IndexAnswer {
  readonly namespace: string;
  /** When the evidence was collected, in UTC. */
  readonly collectedAt: string;
  /** Documents of the collection then; null if unknown. */
  readonly documents: number | null;
  readonly use: IndexUse;
  /** Names of the indexes that would be used. */
  readonly indexes: readonly string[];
  /** Documents that one execution would examine if that is known by the size alone; else null. */
  readonly documentsExamined: number | null;
  /** What would serve it; empty if nothing is missing. */
  readonly advised: readonly {
    readonly key: IndexDescription['key'];
    readonly command: RemedyCommand | null;
    /** Estimated bytes on disk; null if unknown. */
    readonly bytes: number | null;
    /** Names of the indexes that would be superfluous beside it. */
    readonly supersedes: readonly string[];
  }[];
  /** Its joins that no index serves, by the collection that is searched. */
  readonly unservedJoins: readonly {
    readonly namespace: string;
    readonly path: string | null;
    readonly documents: number | null;
    readonly why: 'unindexed' | 'unindexable' | 'unjudged';
  }[];
}

/**
 * Whether indexes would serve an operation that was not run, at the size of the evidence in a file.
 *
 * @throws LintError if the file can't be used, or has no such collection
 */
export async function wouldBeIndexed(file: string, asked: AskedOperation): Promise<IndexAnswer> {
  const { collectedAt, ...known } = await evidenceIn(file);
  const { namespace, pipeline, filter, ...further } = asked;
  const command = pipeline === undefined ? { filter, ...further } : { pipeline, ...further };
  const kind = pipeline === undefined ? ('find' as const) : ('aggregate' as const);
  return {
    collectedAt,
    ...indexAnswer(known, operationShape({ kind, namespace, command, truncated: false }, serverPlaceholder)),
  };
}

/** What is known of a cluster, and the views among its workload; null if that is unknown. */
interface KnownCluster extends Pick<JoinedCluster, 'collections' | 'server'> {
  readonly workload: Workload | null;
}

/** The same of an operation by its shape. @throws LintError if there is no such collection */
export function indexAnswer(known: KnownCluster, shape: OperationShape): Omit<IndexAnswer, 'collectedAt'> {
  const cluster = {
    ...known,
    workload: traceWorkload({ ...(known.workload ?? NOTHING), operations: [{ shape, figures: {} }] }),
  };
  const { namespace } = shape;
  if (!cluster.collections.has(namespace) && !cluster.workload.viewsByNamespace.has(namespace))
    throw new LintError(`${namespace} is not in the evidence, which has ${cluster.collections.size} collections.`);
  const [query] = queriesOf(cluster);
  const base = query?.known.collection.namespace ?? namespace;
  const documents = documentsOf(cluster, base);
  const joins = unservedJoins(cluster).map((join) => ({
    namespace: join.namespace,
    path: 'path' in join ? join.path : null,
    documents: documentsOf(cluster, join.namespace),
    why: join.kind,
  }));
  return { namespace: base, documents, ...use(query, cluster, documents), unservedJoins: joins };
}

type Answered = Pick<IndexAnswer, 'use' | 'indexes' | 'documentsExamined' | 'advised'>;

function use(query: Query | undefined, cluster: JoinedCluster, documents: number | null): Answered {
  const nothing = { indexes: [], documentsExamined: null, advised: [] };
  if (query === undefined || !query.known.indexes.present || query.conditions.special)
    return { ...nothing, use: 'unknown' };
  const { conditions, known, sort, limited } = query;
  const existing = query.known.indexes.value;
  if (equalPaths(conditions).includes('_id'))
    return { ...nothing, use: 'served', indexes: ['_id_'], documentsExamined: 1 };
  const suggested = suggestionsFor(query, cluster);
  const whole = limited && sort.length === 0 ? null : documents;
  if (suggested === null)
    return { ...nothing, use: isEmpty(conditions) ? 'all documents' : 'no index can', documentsExamined: whole };
  const wanted = indexesFor(query, suggested);
  const found = existing.flatMap((index) => {
    const access = accessOf(index, query.collection, query.planned, cluster.server);
    return isRefused(access) ? [] : [access];
  });
  const missing = missingIndexes(wanted, existing);
  if (missing.length === 0) {
    const serving = existing.filter((index) => missingIndexes(wanted, [index]).length < wanted.length);
    return { ...nothing, use: 'served', indexes: named(serving) };
  }
  const advised = proposalsFor(missing, known).map((proposal) => ({
    key: proposal.key,
    command: buildingSteps([proposal], '')[0]?.command ?? null,
    bytes: proposal.cost?.size?.estimate ?? null,
    supersedes: proposal.supersedes,
  }));
  const finding = found.filter(({ scans }) => scans.every(({ bounds: [first] }) => first?.kind !== 'all'));
  if (finding.some(({ hangsOnValues }) => hangsOnValues !== true))
    return { use: 'in part', indexes: named(finding.map(({ index }) => index)), documentsExamined: null, advised };
  if (finding.length > 0) return { ...nothing, use: 'unknown', indexes: named(finding.map(({ index }) => index)) };
  if (isEmpty(conditions)) return { ...nothing, use: 'all documents', documentsExamined: whole, advised };
  return { use: 'scan', indexes: [], documentsExamined: whole, advised };
}

function named(indexes: readonly IndexDescription[]): string[] {
  return indexes.map(({ name }) => name);
}

const UNREAD = absent('insufficient', 'it is not in the evidence file.');
const NOTHING = {
  views: [],
  sources: { profiler: UNREAD, queryStats: UNREAD, logFile: UNREAD, recentLog: UNREAD, routerLog: UNREAD },
  counters: UNREAD,
};

async function evidenceIn(file: string): Promise<KnownCluster & Pick<IndexAnswer, 'collectedAt'>> {
  const run = await readEvidence(file);
  try {
    const collections = new Map<string, JoinedCollection>();
    await run.ofCollections(({ collection, evidence }) => {
      const { indexes = UNREAD, storage = UNREAD, fieldTypes = UNREAD } = evidence;
      collections.set(collection.namespace, { collection, indexes, storage, fieldTypes });
    });
    const { workload, server } = await run.ofCluster([]);
    await run.end();
    return {
      collections,
      workload: workload?.present === true ? workload.value : null,
      server: server?.present === true ? server.value : { version: run.cluster.version },
      collectedAt: run.startedAt.toISOString(),
    };
  } finally {
    await run.close();
  }
}
