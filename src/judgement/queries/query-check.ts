import {
  type ClusterCheck,
  type ClusterVerdict,
  type Confidence,
  type Remedy,
  type RemedyStep,
  type Severity,
  type Threshold,
  type ThresholdValues,
  defineClusterCheck,
} from '../../check.js';
import { inWords, plural } from '../../format.js';
import { formatIndexKey } from '../../inventory/index-key.js';
import { picked } from '../../plain.js';
import { explainSteps } from '../advice/needed-index.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { judgedAt, judgedAtText } from '../judged-size.js';
import { lowered, severityRank, worst } from '../margins.js';
import { type DailyCost, dailyCost, dailyText, mayBeMainPart } from './daily-cost.js';
import { tooSmallGroups } from './judged-query.js';
import { dearestCost, type QueryCost, queryCost } from './query-cost.js';
import { type PlaceOf, queryFigures, type QueryGroup, queryGroups } from './query-groups.js';
import { isBelow, sizeFor } from './query-size.js';
import { PER_DAY, RECURRING } from './query-thresholds.js';
import { queriesOf, type Query } from './query.js';
import { recordedSkips } from './scattered-keys.js';
import { missingField, missingFieldSteps } from './unsearched-field.js';

/** With `perDay`, another number of executions a day below which they are rare. */
export type QueryThresholds = Readonly<Record<string, Threshold>>;

/** What each function of a check of recorded operations is given. */
export interface QueryContext<T extends QueryThresholds> {
  readonly cluster: JoinedCluster;
  readonly limits: ThresholdValues<T>;
}

/** What every check of recorded operations says of itself. */
export type QueryCheckMetadata<T extends QueryThresholds> = Pick<
  ClusterCheck<never, never, T>,
  'id' | 'title' | 'summary' | 'explainedBy' | 'lostByPseudonyms' | 'thresholds' | 'retiredThresholds'
>;

/** Whether a check is about a query; "few" if it would be in a larger collection. */
type Match = boolean | 'few';

/** A check of recorded operations, of which those with one remedy are one finding. */
export interface QueryCheck<T extends QueryThresholds> extends QueryCheckMetadata<T> {
  /**
   * Whether the check is about a query, by what an execution costs. "few": only if it must be reported that the collection is
   * too small.
   */
  match(query: Query, cost: QueryCost, context: QueryContext<T>): Match;
  /** A quick test of a query, before its cost is looked up. */
  readonly isAbout?: (query: Query) => boolean;
  /** The path and the remedy of a query: the index that would serve it, unless another is given. */
  readonly place?: PlaceOf;
  /** The same of searches by a text or geo index; the check is not about them unless it is given. */
  readonly specialPlace?: PlaceOf;
  /** The threshold that is the size, in documents, below which a collection is too small to tell. */
  readonly floor: keyof T & string;
  /** The severity of the queries with one remedy; null if it is too little. Lowered by a step if they run rarely or no index helps. */
  severity(group: QueryGroup, context: QueryContext<T>): Severity | null;
  /**
   * Documents or index keys that an execution examines beyond those returned, however few they are: by all executions
   * together, a small search is judged by `WASTED_PER_DAY`. Null if nobody knows, or if that much is wanted.
   */
  readonly wasted?: (query: Query, cost: QueryCost, context: QueryContext<T>) => number | null;
  /** Whether it stays a warning though no index helps. */
  readonly isFaultOfDesign?: (group: QueryGroup, context: QueryContext<T>) => boolean;
  /** High unless given, but medium for queries that were recorded in part. */
  readonly confidence?: (group: QueryGroup, context: QueryContext<T>) => Confidence;
  message(group: QueryGroup, context: QueryContext<T>): string;
  /** Figures beside those of every query. */
  readonly figures?: (group: QueryGroup, context: QueryContext<T>) => Readonly<Record<string, number | null>>;
  /** The steps if no index helps and the command was not cut; without them, such queries are not reported. */
  readonly withoutIndex?: (group: QueryGroup) => readonly RemedyStep[];
  /** What else could not be judged, by the groups that are. */
  readonly gaps?: (groups: readonly QueryGroup[], cluster: JoinedCluster) => readonly ClusterVerdict[];
}

const NEEDS = ['indexes', 'storage', 'fieldTypes'] as const;
const CLUSTER_NEEDS = ['workload', 'server'] as const;

/** A check of recorded operations as the engine runs it. */
export type DefinedQueryCheck<T extends QueryThresholds> = ClusterCheck<
  (typeof NEEDS)[number],
  (typeof CLUSTER_NEEDS)[number],
  T
>;

/** Gives a check of recorded operations its judgement. */
export function withJudgement<const T extends QueryThresholds>(
  metadata: QueryCheckMetadata<T>,
  judge: (context: QueryContext<T>) => readonly ClusterVerdict[],
): DefinedQueryCheck<T> {
  return defineClusterCheck({
    ...picked(metadata, [
      'id',
      'title',
      'summary',
      'explainedBy',
      'lostByPseudonyms',
      'thresholds',
      'retiredThresholds',
    ]),
    needs: NEEDS,
    clusterNeeds: CLUSTER_NEEDS,
    judge: (cluster, limits) => judge({ cluster, limits }),
  });
}

/** Defines a check of recorded operations. @throws TypeError as `defineCheck` does. */
export function defineQueryCheck<const T extends QueryThresholds>(check: QueryCheck<T>): DefinedQueryCheck<T> {
  return withJudgement(check, (context) => {
    const { cluster, limits } = context;
    const queries = queriesOf(cluster).filter((query) => check.isAbout?.(query) ?? true);
    const dailyOf = (query: Query, cost: QueryCost) => {
      const wasted = check.wasted?.(query, cost, context) ?? null;
      return wasted === null ? null : dailyCost(cost, wasted, cluster.workload);
    };
    const matchOf = (query: Query, cost: QueryCost): Match =>
      dailyOf(query, cost) !== null ||
      bestMatch([cost, dearestOf([query], cost)], (each) => check.match(query, each, context));
    const grouped = (wanted: Match, among: readonly Query[]) =>
      queryGroups(cluster, among, (query, cost) => matchOf(query, cost) === wanted, {
        placeOf: check.place,
        specialPlaceOf: check.specialPlace,
      });
    /** The query of a group that wastes most. */
    const dailyIn = (group: QueryGroup) =>
      group.queries
        .flatMap((query) => {
          const cost = queryCost([query], cluster.workload);
          return (cost === null ? null : dailyOf(query, cost)) ?? [];
        })
        .toSorted((one, other) => other.examined - one.examined)[0] ?? null;
    const { groups, notJudged } = grouped(true, queries);
    const isSmall = (query: Query) => isBelow(query, limits[check.floor]);
    const judged = groups.map((group) => ({ group, problem: problemOf(check, group, context, dailyIn(group)) }));
    const tooSmall = judged.filter(({ group, problem }) => problem === null && isSmall(group.queries[0]));
    return [
      ...notJudged,
      ...(check.gaps?.(groups, cluster) ?? []),
      ...judged.flatMap(({ problem }) => problem ?? []),
      ...tooSmallGroups([...tooSmall.map(({ group }) => group), ...grouped('few', queries.filter(isSmall)).groups]),
    ];
  });
}

function problemOf<T extends QueryThresholds>(
  check: QueryCheck<T>,
  group: QueryGroup,
  context: QueryContext<T>,
  daily: DailyCost | null,
): ClusterVerdict | null {
  const { namespace, path, pathIs, queries, operations, proposes, isCut } = group;
  const missing = proposes.length === 0 ? null : missingField(group);
  const steps =
    missing !== null
      ? missingFieldSteps(missing, inWords(proposes.map(({ key }) => formatIndexKey(key))))
      : group.remedy === null && check.withoutIndex !== undefined
        ? group.isCut
          ? explainSteps()
          : check.withoutIndex(group)
        : undefined;
  const remedy: Remedy | null = steps === undefined ? group.remedy : { steps };
  const judged = dearestIn(check, group, context);
  const ofMean = check.severity(judged, context);
  const dearest = dearestOf(judged.queries, judged.cost);
  const ofDearest = dearest === null ? null : check.severity({ ...judged, cost: dearest }, context);
  const own = worst([ofMean, ofDearest]);
  const severity = worst([own, daily?.severity ?? null]);
  if (severity === null || remedy === null) return null;
  const size = sizeFor(queries[0]);
  const grade = graded(severity, check, judged, context);
  return {
    namespace,
    path,
    ...(pathIs !== undefined && { pathIs }),
    severity: grade,
    ...(grade === 'info' &&
      severity === 'info' &&
      mayBeMainPart(judged.cost) && { severityIfSure: 'warning' as const }),
    confidence: isCut ? 'medium' : (check.confidence?.(group, context) ?? 'high'),
    message:
      (missing === null ? '' : `It can never match: no sampled document has \`${missing}\`. `) +
      check.message(judged, context) +
      (group.unusable === null ? '' : ` ${group.unusable}`) +
      (dearest === null || own === ofMean ? '' : dearestText(dearest)) +
      // Said only if it is why the queries are reported.
      (own === null && daily !== null ? dailyText(daily) : '') +
      (size === null ? '' : judgedAtText(size, size.from === 'production' ? judged.cost.executionsPerDay : null)),
    restsOn: [group.cost.source],
    evidence: queryFigures(group, {
      ...check.figures?.(group, context),
      ...(missing !== null && { absentField: missing }),
    }),
    ...(size !== null && judgedAt(size)),
    ...(proposes.length > 0 && missing === null && { proposes, ...(group.isHinted && { proposesInPart: true }) }),
    operations,
    remedy,
  };
}

/** The dearest of deep pages are those that skip most: `deep-skip` reports them. */
function dearestOf(queries: readonly Query[], cost: QueryCost): QueryCost | null {
  return queries.every((query) => recordedSkips(query) === null) ? dearestCost(cost) : null;
}

/** True if one of the costs matches, "few" if one would in a larger collection. */
function bestMatch(costs: readonly (QueryCost | null)[], matchOf: (cost: QueryCost) => Match): Match {
  const matches = new Set(costs.map((cost) => cost !== null && matchOf(cost)));
  return matches.has(true) || (matches.has('few') && 'few');
}

function dearestText({ documentsExamined, keysExamined }: QueryCost): string {
  return (
    ` It is judged by the dearest executions: at least ${RECURRING} examine ${plural(Math.round(documentsExamined ?? 0), 'document')} ` +
    `and ${plural(Math.round(keysExamined ?? 0), 'index key')} each.`
  );
}

/** Times the mean of a group from which that mean says nothing of its dearest query. Judgement. */
const BLURRED = 2;

/**
 * The group, or the one of its queries that is worse than all of them together: figures of many cheap executions must not hide a
 * dear one.
 */
function dearestIn<T extends QueryThresholds>(
  check: QueryCheck<T>,
  group: QueryGroup,
  context: QueryContext<T>,
): QueryGroup {
  if (group.queries.length === 1) return group;
  const together = severityRank(check.severity(group, context));
  const alone = group.queries.flatMap((query, at): QueryGroup[] => {
    const cost = queryCost([query], context.cluster.workload);
    const estimate = group.withIndex[at] ?? null;
    return cost === null
      ? []
      : [{ ...group, queries: [query], operations: [query.operation], cost, withIndex: [estimate] }];
  });
  const ranked = alone.map((each) => ({ each, rank: severityRank(check.severity(each, context)) }));
  const most = Math.max(together, ...ranked.map(({ rank }) => rank));
  const dearest = ranked
    .filter(({ rank }) => rank === most)
    .toSorted((one, other) => totalOf(other.each) - totalOf(one.each))[0];
  if (dearest === undefined) return group;
  const isBlurred = (dearest.each.cost.documentsExamined ?? 0) >= BLURRED * (group.cost.documentsExamined ?? 0);
  return most > together || isBlurred ? dearest.each : group;
}

function totalOf({ cost }: QueryGroup): number {
  return (cost.documentsExamined ?? 0) * cost.executions;
}

/** Lowered by a step if they run rarely or no index helps. */
function graded<T extends QueryThresholds>(
  severity: Severity,
  check: QueryCheck<T>,
  group: QueryGroup,
  context: QueryContext<T>,
): Severity {
  const { executionsPerDay } = group.cost;
  const isRare = executionsPerDay !== null && executionsPerDay < (context.limits['perDay'] ?? PER_DAY);
  if (!isRare && group.remedy !== null) return severity;
  const less = lowered(severity) ?? 'info';
  const staysWarning = !isRare && !group.isCut && less === 'info' && check.isFaultOfDesign?.(group, context) === true;
  return staysWarning ? 'warning' : less;
}
