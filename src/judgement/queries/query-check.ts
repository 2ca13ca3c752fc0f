import {
  defineClusterCheck,
  type ClusterCheck,
  type ClusterVerdict,
  type Confidence,
  type FindingEvidence,
  type NotJudged,
  type Remedy,
  type RemedyStep,
  type Severity,
  type Threshold,
  type ThresholdValues,
} from '../../check.js';
import { groupedBy } from '../../grouped-by.js';
import { windowOf } from '../../workload/coverage/join-telling.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { workloadGaps } from '../joins/workload-gaps.js';
import { judgedAt, judgedAtText, tooSmallToTell, type JudgedSize } from '../judged-size.js';
import { lowered, loweredIfRare } from '../severity-lines.js';
import { isBelow, sizeFor, tooSmallGroups, withSimilar } from './judged-query.js';
import type { QueryCost } from './query-cost.js';
import { queryFigures, queryGroups, type PlaceOf, type QueryGroup } from './query-groups.js';
import { queriesOf, type Query } from './query.js';
import type { RecordedQueries } from './recorded-queries.js';

type QueryThresholds = Readonly<Record<string, Threshold>> & { readonly perDay: Threshold };

/** What each function of a check of recorded operations is given. */
export interface QueryContext<T extends QueryThresholds> {
  readonly cluster: JoinedCluster;
  readonly limits: ThresholdValues<T>;
}

type Metadata<T extends QueryThresholds> = Pick<
  ClusterCheck<never, never, T>,
  'id' | 'title' | 'summary' | 'lostByPseudonyms' | 'thresholds'
>;

/** A check of recorded operations, of which those with one remedy are one finding. */
export interface QueryCheck<T extends QueryThresholds> extends Metadata<T> {
  /**
   * Whether the check is about a query, by what an execution costs. "few": only if it must be told that the collection is
   * too small.
   */
  match(query: Query, cost: QueryCost, context: QueryContext<T>): boolean | 'few';
  /** A quick test of a query, before its cost is looked up. */
  readonly isAbout?: (query: Query) => boolean;
  /** The path and the remedy of a query: the index that would serve it, unless another is given. */
  readonly place?: PlaceOf;
  /** The threshold that is the size, in documents, below which a collection is too small to tell. */
  readonly floor: keyof T & string;
  /** Of the queries with one remedy; null if it is too little. Lowered by a step if they run rarely or no index helps. */
  severity(group: QueryGroup, context: QueryContext<T>): Severity | null;
  /** Whether it stays a warning though no index helps. */
  readonly isFaultOfDesign?: (group: QueryGroup, context: QueryContext<T>) => boolean;
  /** High unless given, but medium for queries that were recorded in part. */
  readonly confidence?: (group: QueryGroup, context: QueryContext<T>) => Confidence;
  message(group: QueryGroup, context: QueryContext<T>): string;
  /** The end of the message: what was expected of the size, unless given. */
  readonly sizeText?: (group: QueryGroup, size: JudgedSize, context: QueryContext<T>) => string;
  /** Figures beside those of every query. */
  readonly figures?: (group: QueryGroup, context: QueryContext<T>) => Readonly<Record<string, number | null>>;
  /** The steps if no index helps; without them, such queries are not reported. */
  readonly withoutIndex?: (group: QueryGroup) => readonly RemedyStep[];
  /** What else could not be judged, by the groups that are. */
  readonly gaps?: (groups: readonly QueryGroup[], cluster: JoinedCluster) => readonly ClusterVerdict[];
}

const NEEDS = { needs: ['indexes', 'storage', 'fieldTypes'], clusterNeeds: ['workload', 'server'] } as const;

type DefinedQueryCheck<T extends QueryThresholds> = ClusterCheck<
  (typeof NEEDS.needs)[number],
  (typeof NEEDS.clusterNeeds)[number],
  T
>;

/** Defines a check of recorded operations. @throws TypeError as `defineCheck` does. */
export function defineQueryCheck<const T extends QueryThresholds>(check: QueryCheck<T>): DefinedQueryCheck<T> {
  const { id, title, summary, lostByPseudonyms, thresholds } = check;
  return defineClusterCheck({
    id,
    title,
    summary,
    thresholds,
    ...(lostByPseudonyms !== undefined && { lostByPseudonyms }),
    ...NEEDS,
    judge(cluster, limits) {
      const context = { cluster, limits };
      const queries = queriesOf(cluster).filter((query) => check.isAbout?.(query) ?? true);
      const grouped = (wanted: boolean | 'few', among: readonly Query[]) =>
        queryGroups(cluster, (query, cost) => check.match(query, cost, context) === wanted, check.place, among);
      const { groups, notJudged } = grouped(true, queries);
      const isSmall = (query: Query) => isBelow(query, limits[check.floor]);
      const judged = groups.map((group) => ({ group, problem: problemOf(check, group, context) }));
      const untold = judged.filter(({ group, problem }) => problem === null && isSmall(group.queries[0]));
      return [
        ...notJudged,
        ...(check.gaps?.(groups, cluster) ?? []),
        ...judged.flatMap(({ problem }) => problem ?? []),
        ...tooSmallGroups([...untold.map(({ group }) => group), ...grouped('few', queries.filter(isSmall)).groups]),
      ];
    },
  });
}

function problemOf<T extends QueryThresholds>(
  check: QueryCheck<T>,
  group: QueryGroup,
  context: QueryContext<T>,
): ClusterVerdict | null {
  const { namespace, path, pathIs, queries, operations, proposes, isCut } = group;
  const steps = group.remedy === null ? check.withoutIndex?.(group) : undefined;
  const remedy: Remedy | null = steps === undefined ? group.remedy : { steps };
  const severity = remedy === null ? null : severityIn(check, group, context);
  if (severity === null || remedy === null) return null;
  const size = sizeFor(queries[0]);
  return {
    namespace,
    path,
    ...(pathIs !== undefined && { pathIs }),
    severity,
    confidence: isCut ? 'medium' : (check.confidence?.(group, context) ?? 'high'),
    message: check.message(group, context) + sizeTextOf(check, group, size, context),
    evidence: queryFigures(group, check.figures?.(group, context)),
    ...(size !== null && judgedAt(size)),
    ...(proposes.length > 0 && { proposes }),
    operations,
    remedy,
  };
}

function severityIn<T extends QueryThresholds>(
  check: QueryCheck<T>,
  group: QueryGroup,
  context: QueryContext<T>,
): Severity | null {
  const severity = check.severity(group, context);
  const { executionsPerDay } = group.cost;
  if (severity === null) return null;
  const isRare = executionsPerDay !== null && executionsPerDay < context.limits.perDay;
  if (!isRare && group.remedy !== null) return severity;
  const less = lowered(severity) ?? 'info';
  const staysWarning = !isRare && !group.isCut && less === 'info' && check.isFaultOfDesign?.(group, context) === true;
  return staysWarning ? 'warning' : less;
}

function sizeTextOf<T extends QueryThresholds>(
  check: QueryCheck<T>,
  group: QueryGroup,
  size: JudgedSize | null,
  context: QueryContext<T>,
): string {
  if (size === null) return '';
  return check.sizeText === undefined ? judgedAtText(size) : check.sizeText(group, size, context);
}

/** A query that a check found, with how often it ran. */
export interface FoundQuery {
  readonly query: Query;
  readonly cost: RecordedQueries;
}

/** Those of one place, the worst first. */
export type FoundQueries<F> = readonly [F, ...F[]];

/** A check that reports the worst query of each place. */
export interface WorstQueryCheck<T extends QueryThresholds, F extends FoundQuery> extends Metadata<T> {
  find(context: QueryContext<T>): readonly F[];
  /** The path of the finding; null for the whole collection. */
  path(found: F): string | null;
  /** Queries with the same are one finding: the namespace and the path, unless given. */
  readonly place?: (found: F) => unknown;
  /** What the worst has most of. */
  rank(found: F): number;
  /** Null if it is too little. Lowered by a step if it runs rarely. */
  severity(found: F, context: QueryContext<T>): Severity | null;
  readonly confidence: Confidence | ((found: F) => Confidence);
  message(all: FoundQueries<F>): string;
  /** Figures beside its source, its window and its executions. */
  figures(all: FoundQueries<F>): Readonly<Record<string, FindingEvidence[string]>>;
  remedy(worst: F, all: FoundQueries<F>): readonly RemedyStep[];
  /** Whether it reads a share of the collection: it is then judged at the expected size. */
  readonly growsWithCollection?: true;
  /** What is too small to tell: how it is read, as in "paged by skip", and which of the queries are. */
  readonly tooSmall?: { readonly text: string; of(found: F, context: QueryContext<T>): boolean };
  /** Whether only operations count of which a source tells how they were executed. */
  readonly byPlans?: true;
  readonly gaps?: (context: QueryContext<T>) => readonly (NotJudged & { readonly namespace?: string })[];
}

/** Defines a check that reports the worst query of each place. @throws TypeError as `defineCheck` does. */
export function defineWorstQueryCheck<const T extends QueryThresholds, F extends FoundQuery>(
  check: WorstQueryCheck<T, F>,
): DefinedQueryCheck<T> {
  const { id, title, summary, lostByPseudonyms, thresholds } = check;
  const placeOf = (found: F): unknown =>
    check.place?.(found) ?? JSON.stringify([found.query.known.collection.namespace, check.path(found)]);
  return defineClusterCheck({
    id,
    title,
    summary,
    thresholds,
    ...(lostByPseudonyms !== undefined && { lostByPseudonyms }),
    ...NEEDS,
    judge(cluster, limits) {
      const context = { cluster, limits };
      const verdicts = [...groupedBy(check.find(context), placeOf).values()].flatMap((all) =>
        verdictOn(check, all, context),
      );
      const gaps = check.gaps?.(context) ?? [];
      return [...workloadGaps(cluster.workload, check.byPlans ? 'plans' : 'operations'), ...gaps, ...verdicts];
    },
  });
}

function verdictOn<T extends QueryThresholds, F extends FoundQuery>(
  check: WorstQueryCheck<T, F>,
  all: readonly F[],
  context: QueryContext<T>,
): ClusterVerdict[] {
  const [first, ...others] = all
    .filter((each) => check.severity(each, context) !== null)
    .toSorted((one, other) => check.rank(other) - check.rank(one));
  if (first === undefined) return smallIn(check, all, context);
  const { query, cost } = first;
  const { source, executions, executionsPerDay } = cost;
  const severity = check.severity(first, context);
  const size = check.growsWithCollection === true ? sizeFor(query) : null;
  const found: FoundQueries<F> = [first, ...others];
  return [
    {
      namespace: query.known.collection.namespace,
      path: check.path(first),
      severity: loweredIfRare(severity ?? 'info', executionsPerDay, context.limits.perDay),
      confidence: typeof check.confidence === 'string' ? check.confidence : check.confidence(first),
      message: check.message(found) + (size === null ? '' : judgedAtText(size)),
      evidence: {
        source,
        ...windowOf(cost),
        executions,
        executionsPerDay: executionsPerDay === null ? null : Math.round(executionsPerDay),
        ...check.figures(found),
      },
      ...(size !== null && judgedAt(size)),
      operations: found.map((each) => each.query.operation),
      remedy: { steps: check.remedy(first, found) },
    },
  ];
}

function smallIn<T extends QueryThresholds, F extends FoundQuery>(
  { tooSmall }: WorstQueryCheck<T, F>,
  all: readonly F[],
  context: QueryContext<T>,
): ClusterVerdict[] {
  const small = all.filter((each) => tooSmall?.of(each, context) === true);
  const [first] = small;
  const size = first === undefined ? null : sizeFor(first.query);
  if (tooSmall === undefined || first === undefined || size === null) return [];
  const { namespace } = first.query.known.collection;
  return [{ namespace, ...tooSmallToTell(size, `${tooSmall.text}: ${textOf(small)}`) }];
}

/** "find by `customer` ($eq) and 2 similar queries". */
export function textOf(found: readonly Pick<FoundQuery, 'query'>[]): string {
  return withSimilar({ queries: found.map(({ query }) => query) as [Query, ...Query[]] });
}
