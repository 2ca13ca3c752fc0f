import type { ClusterVerdict, Confidence, FindingEvidence, NotJudged, RemedyStep, Severity } from '../../check.js';
import { groupedBy } from '../../grouped-by.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { windowOf } from '../../workload/coverage/recording.js';
import { workloadGaps } from '../joins/workload-gaps.js';
import { judgedAt, judgedAtText, tooSmallToTell } from '../judged-size.js';
import { loweredIfRare, severityRank } from '../margins.js';
import { withSimilar } from './judged-query.js';
import {
  withJudgement,
  type DefinedQueryCheck,
  type QueryCheckMetadata,
  type QueryContext,
  type QueryThresholds,
} from './query-check.js';
import type { RecordedQueries } from './query-cost.js';
import { sizeFor } from './query-size.js';
import { PER_DAY } from './query-thresholds.js';
import type { Query } from './query.js';

/** A query that a check found, with how often it ran. */
export interface FoundQuery {
  readonly query: Query;
  readonly cost: RecordedQueries;
}

/** Those of one place, the worst first. */
export type FoundQueries<F> = readonly [F, ...F[]];

/** A check that reports the worst query of each place. */
export interface WorstQueryCheck<T extends QueryThresholds, F extends FoundQuery> extends QueryCheckMetadata<T> {
  find(context: QueryContext<T>): readonly F[];
  /** The path of the finding; null for the whole collection. */
  path(found: F): string | null;
  /** If the path is the name of an index to create. */
  readonly pathIs?: 'missing-index';
  /** Path of the field that causes it; null if none does. */
  readonly causedBy?: (found: F) => string | null;
  /** Queries with the same are one finding: the namespace and the path, unless given. */
  readonly place?: (found: F) => unknown;
  /** What the worst has most of. */
  rank(found: F): number;
  /** Null if it is too little. Lowered by a step if it runs rarely, unless its result is wrong. */
  severity(found: F, context: QueryContext<T>): Severity | null;
  /** What an info was before, if it may have been that: figures of two recordings differ. */
  readonly severityIfSure?: (found: F) => Severity | null;
  readonly confidence: Confidence | ((found: F) => Confidence);
  message(all: FoundQueries<F>): string;
  /** Figures beside its source, its window and its executions. */
  figures(all: FoundQueries<F>): Readonly<Record<string, FindingEvidence[string]>>;
  remedy(worst: F, all: FoundQueries<F>): readonly RemedyStep[];
  /** The indexes that the remedy creates: a finding that needs the same ones becomes one with this. */
  readonly proposes?: (all: FoundQueries<F>) => readonly IndexProposal[];
  /** Documents per execution that the remedy saves, if these are not all that is examined beyond what is returned. */
  readonly saved?: (found: F) => number;
  /** Whether its result is the fault, or what one execution does, and not its cost. */
  readonly isWrongResult?: true;
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
  const placeOf = (found: F): unknown =>
    check.place?.(found) ?? JSON.stringify([found.query.known.collection.namespace, check.path(found)]);
  return withJudgement(check, (context) => {
    const groups = groupedBy(check.find(context), placeOf);
    const gaps = workloadGaps(context.cluster.workload, check.byPlans ? 'plans' : 'operations');
    const verdicts = [...groups.values()].flatMap((all) => verdictOn(check, all, context));
    return [...gaps, ...(check.gaps?.(context) ?? []), ...verdicts];
  });
}

function verdictOn<T extends QueryThresholds, F extends FoundQuery>(
  check: WorstQueryCheck<T, F>,
  all: readonly F[],
  context: QueryContext<T>,
): ClusterVerdict[] {
  const rankOf = (found: F) => severityRank(check.severity(found, context));
  const [first, ...others] = all
    .filter((each) => check.severity(each, context) !== null)
    .toSorted((one, other) => rankOf(other) - rankOf(one) || check.rank(other) - check.rank(one));
  if (first === undefined) return smallIn(check, all, context);
  const { query, cost } = first;
  const { source, executions, executionsPerDay } = cost;
  const severity = check.severity(first, context) ?? 'info';
  const ifSure = severity === 'info' ? (check.severityIfSure?.(first) ?? null) : null;
  const size = check.growsWithCollection === true ? sizeFor(query) : null;
  const found: FoundQueries<F> = [first, ...others];
  const proposes = check.proposes?.(found) ?? [];
  const causedBy = check.causedBy?.(first) ?? null;
  return [
    {
      namespace: query.known.collection.namespace,
      path: check.path(first),
      ...(check.pathIs !== undefined && { pathIs: check.pathIs }),
      ...(causedBy !== null && { causedBy }),
      severity:
        check.isWrongResult === true
          ? severity
          : loweredIfRare(severity, executionsPerDay, context.limits['perDay'] ?? PER_DAY),
      ...(ifSure !== null && { severityIfSure: ifSure }),
      confidence: typeof check.confidence === 'string' ? check.confidence : check.confidence(first),
      message: check.message(found) + (size === null ? '' : judgedAtText(size)),
      restsOn: [source],
      evidence: {
        source,
        ...windowOf(cost),
        executions,
        executionsPerDay: executionsPerDay === null ? null : Math.round(executionsPerDay),
        ...check.figures(found),
      },
      ...(size !== null && judgedAt(size)),
      operations: found.map((each) => each.query.operation),
      ...(check.saved !== undefined && {
        saves: new Map(found.map((each) => [each.query.operation, check.saved?.(each) ?? 0] as const)),
      }),
      ...(proposes.length > 0 && { proposes }),
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

/** "find by `customer` and 2 similar queries". */
export function textOf(found: readonly Pick<FoundQuery, 'query'>[]): string {
  return withSimilar({ queries: found.map(({ query }) => query) as [Query, ...Query[]] });
}
