import type { CollectedTracedEvidence } from '../evidence/cluster-evidence.js';
import type { KeptCollection } from '../evidence/source.js';
import type { Finding } from '../finding.js';
import type { JoinedCluster } from '../judgement/joins/joined-cluster.js';
import { queriesOf, type Query } from '../judgement/queries/query.js';
import { queryText } from '../judgement/queries/query-text.js';
import { waitingCause } from '../workload/operations/waiting-cause.js';
import { bestFigures } from '../workload/operations/figures.js';

/** The recorded query that took the most time in total, if no finding is about it. */
export interface CostliestOperation {
  readonly namespace: string;
  /** In words and without values. */
  readonly operation: string;
  readonly executions: number;
  /** In ms, per execution. */
  readonly averageMs: number;
  /** Per execution; null if unknown. */
  readonly documentsExamined: number | null;
}

/** In ms per execution: the server's own default of what is slow (`slowms`). */
const SLOW = 100;
/** Documents per execution from which a query is not cheap, however fast it was. */
const MANY = 1_000;
/** Checks of joins are named for the stage. */
const IS_OF_JOINS = /\blookup\b/;

/** Null if it is cheap, if a finding names it, or if nothing was recorded. */
export function costliestUnreported(
  kept: readonly KeptCollection[],
  { workload }: CollectedTracedEvidence,
  findings: readonly Pick<Finding, 'check' | 'namespace' | 'evidence'>[],
): CostliestOperation | null {
  if (workload?.present !== true) return null;
  const [costliest] = recordedQueries(kept, workload.value)
    .filter(({ operation }) => waitingCause(operation) === null)
    .map((query) => ({ query, figures: bestFigures(query.operation).figures }))
    .toSorted((one, other) => (other.figures.milliseconds ?? 0) - (one.figures.milliseconds ?? 0));
  if (costliest === undefined || findings.some((finding) => isAbout(finding, costliest.query))) return null;
  const { executions, milliseconds, documentsExamined } = costliest.figures;
  const [averageMs, examined] = [(milliseconds ?? 0) / executions, (documentsExamined ?? 0) / executions];
  if (averageMs < SLOW && examined < MANY) return null;
  return {
    namespace: costliest.query.known.collection.namespace,
    operation: queryText(costliest.query),
    executions,
    averageMs: Math.round(averageMs),
    documentsExamined: documentsExamined === null ? null : Math.round(examined),
  };
}

export function recordedQueries(kept: readonly KeptCollection[], workload: JoinedCluster['workload']): Query[] {
  const collections = new Map(
    kept.map(({ collection, evidence }) => [collection.namespace, { collection, ...evidence }] as const),
  ) as unknown as JoinedCluster['collections'];
  return queriesOf({ collections, workload });
}

function isAbout(
  { check, namespace, evidence }: Pick<Finding, 'check' | 'namespace' | 'evidence'>,
  query: Query,
): boolean {
  if (IS_OF_JOINS.test(check) && query.joins) return true;
  const queries: unknown = evidence['queries'];
  const isOnIt = namespace === query.known.collection.namespace;
  return isOnIt && Array.isArray(queries) && queries.includes(queryText(query));
}
