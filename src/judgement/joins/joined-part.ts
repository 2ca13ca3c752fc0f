import { executionsIn, type Recording } from '../../workload/coverage/recording.js';
import { childRelation, type Join } from '../../workload/joins/join.js';
import type { TracedOperation } from '../../workload/traced-workload.js';
import { type FigureSource, type Workload, WRITE_KINDS } from '../../workload/workload.js';
import { quotient } from '../quotient.js';
import { localValues } from './equality-join.js';
import { documentsOf, type JoinedCluster } from './joined-cluster.js';

/** A filter after a join is selective if it keeps no more than this share of the outer documents. Judgement. */
const SELECTIVE_SHARE = 0.1;

/** What a join brings to an outer document, by counts and the sample. */
export interface JoinedPart {
  readonly foreign: string;
  readonly relation: JoinRelation;
  /** On average; null if unknown. */
  readonly documents: number | null;
  readonly bytes: number | null;
}

/** The outer document holds an `_id` or several, the foreign ones hold its `_id`, or both sides are of one tree. */
export type JoinRelation = 'reference' | 'children' | 'tree' | 'other';

export function joinedPart(join: Join, cluster: JoinedCluster): JoinedPart {
  const foreign = join.foreign.base;
  const [relation, documents] = relationOf(join, cluster);
  const storage = cluster.collections.get(foreign)?.storage;
  const size = storage?.present === true ? storage.value.averageDocumentSize : null;
  return { foreign, relation, documents, bytes: documents === null || size === null ? null : documents * size };
}

function relationOf(join: Join, cluster: JoinedCluster): [JoinRelation, documents: number | null] {
  const key = join.keys.find(({ operator }) => operator === '$eq') ?? join.keys[0];
  if (key === undefined) return ['other', null];
  const [outer, foreign] = [key.local.origin, key.foreign.origin];
  const isOfOwn = outer.traced && outer.path === '_id' && outer.namespace === join.foreign.base;
  if (join.stage === '$graphLookup' || isOfOwn) return ['tree', null];
  const elements = localValues(join, key, cluster)?.elementsPerArray ?? null;
  if (foreign.traced && foreign.path === '_id') return ['reference', elements ?? 1];
  const children = childRelation(join);
  if (children === null || elements !== null) return ['other', null];
  return ['children', quotient(documentsOf(cluster, children.child), documentsOf(cluster, children.parent))];
}

/** Recorded operations that join, and where their figures are from. */
interface RecordedJoins extends Pick<Recording, 'source' | 'coverage'> {
  readonly joining: readonly TracedOperation[];
}

/** Executions that join a collection per change of its documents, which an insert is not; null if not everything was recorded. */
export function joinsPerChange(
  foreign: string,
  { source, coverage, joining }: RecordedJoins,
  { operations }: Workload,
): number | null {
  if (coverage.operations !== 'all' || source === 'queryStats') return null;
  const joins = joining.filter((each) => each.joins.some((join) => join.foreign.base === foreign));
  const changes = operations.filter(
    ({ shape: { namespace, kind } }) => namespace === foreign && kind !== 'insert' && WRITE_KINDS.has(kind),
  );
  const executions = joins.map(({ operation }) => operation);
  return executionsIn(source, executions) / executionsIn(source, changes);
}

/**
 * Whether a `$match` on what was joined discards most of the documents. The server itself moves one on the outer document ahead of
 * the join, and so `$sort` and `$limit` (measured on 6.0.5, in both engines).
 */
export function discardsJoined(
  { joins: [first], operation: { shape, figures } }: TracedOperation,
  source: FigureSource,
  cluster: JoinedCluster,
): boolean {
  const { documentsReturned = null, executions = 0 } = figures[source] ?? {};
  const documents = first?.position.filteredAfter === true ? documentsOf(cluster, first.source.base) : null;
  if (documents === null || documentsReturned === null || shape.truncated === true) return false;
  return documentsReturned <= SELECTIVE_SHARE * documents * executions;
}
