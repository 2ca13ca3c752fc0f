import { sum } from 'simple-statistics';
import type { RemedyStep } from '../src/finding.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { plannedFigures, queryCost, type QueryCost, wholeRecord } from '../src/judgement/queries/query-cost.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf } from '../src/judgement/queries/query.js';
import {
  defineWorstQueryCheck,
  type FoundQueries,
  type FoundQuery,
  textOf,
} from '../src/judgement/queries/worst-query-check.js';
import { sumOf } from '../src/judgement/quotient.js';

interface Failing extends FoundQuery {
  /** Whether those that succeed are recorded, too: of slow ones alone, a timeout is most of all. */
  readonly isShareKnown: boolean;
  readonly cost: QueryCost;
  /** Failed executions by the server's name of the error, such as `MaxTimeMSExpired`, as far as they recur. */
  readonly failed: Readonly<Record<string, number>>;
}

/** What each error means and what to do, by the server's name of it. Source: MongoDB manual, "Error Codes". */
const KNOWN: Readonly<Record<string, { readonly means: string; readonly steps: readonly RemedyStep[] }>> = {
  MaxTimeMSExpired: {
    means: 'it exceeds its time limit (maxTimeMS)',
    steps: stepsOf(
      'Look first at the other findings on this query: an index or a limit may bring it below its time.',
      'If it is a report, run it on a secondary with a longer limit, or keep its result.',
    ),
  },
  QueryExceededMemoryLimitNoDiskUseAllowed: {
    means: 'a sort or group exceeds the memory it may take (100 MB) and may not use the disk',
    steps: stepsOf(
      'Create an index that provides the sort order, or filter and project before the stage, so that it holds less.',
      'Until then allow it the disk (allowDiskUse: true). It becomes slow instead of failing.',
    ),
  },
  DuplicateKey: {
    means: 'a unique index has the value already',
    steps: stepsOf(
      'Find out which unique index it names: the message of the error has it. If documents may lack its field, or hold null, make the index partial: unique only if the field exists.',
      'If two clients write the same at once, repeat the upsert, or use $setOnInsert with the unique key as its condition.',
    ),
  },
  DocumentValidationFailure: {
    means: 'the validator of the collection refuses the document',
    steps: stepsOf(
      'Compare what the application writes with the validator. Fix whichever is wrong: until then the write is lost.',
    ),
  },
  BSONObjectTooLarge: {
    means: 'the document would exceed 16 MB',
    steps: stepsOf(
      'Move the array or text that grows out of the document: bucket it, or keep it in a collection of its own.',
    ),
  },
};

/** What the router or the driver repeats by itself, what a failover brings, and clients that leave. Conflicts are of `retried-transactions`. */
const OF_THE_CLUSTER =
  /^(?:Stale|ShardCannotRefresh|Interrupted|NotWritablePrimary|NotPrimary|PrimarySteppedDown|ClientDisconnect|WriteConflict)/;

/** Whoever inserts if the key is new, and ignores it if not, expects it. */
const EXPECTED: ReadonlySet<string> = new Set(['DuplicateKey']);

/** Recorded queries of a collection that end in errors again and again are a finding: their users see it, and the log only counts it. */
export const failingOperations = defineWorstQueryCheck({
  id: 'failing-operations',
  title: 'Operations that fail again and again',
  explainedBy: ['unique-index-on-optional-field', 'memory-bound-aggregation'],
  summary: 'queries and updates that often end in the same error',
  thresholds: {
    executions: {
      default: RECURRING,
      unit: 'executions',
      description: 'executions of a query that fail',
      source: 'judgement: once or twice somebody tried something',
    },
    warning: {
      default: 0.1,
      unit: 'share',
      description: 'share of executions that fail',
      source: 'judgement: one user in ten sees it',
    },
  },
  isWrongResult: true,
  byPlans: true,
  find: ({ cluster, limits }) =>
    queriesOf(cluster).flatMap((query): Failing[] => {
      const cost = queryCost([query], cluster.workload);
      const failures = Object.entries(plannedFigures(query.operation)?.figures.errors ?? {}).filter(
        ([error, failed]) => failed >= limits.executions && !OF_THE_CLUSTER.test(error),
      );
      const isShareKnown = wholeRecord(query, cluster.workload) !== null;
      return cost === null || failures.length === 0
        ? []
        : [{ query, cost, failed: Object.fromEntries(failures), isShareKnown }];
    }),
  path: () => null,
  rank: ({ failed }) => Math.max(...Object.values(failed)),
  severity: ({ failed, cost, isShareKnown }, { limits }) => {
    const isMuch = Object.entries(failed).some(
      ([error, count]) => !EXPECTED.has(error) && count >= limits.warning * cost.executions,
    );
    return isShareKnown && isMuch ? 'warning' : 'info';
  },
  confidence: 'high',
  message: (all) =>
    errorsOf(all)
      .map((error) => textFor(error, all.filter(({ failed }) => error in failed) as [Failing, ...Failing[]]))
      .join(' '),
  figures: (all) => ({
    error: errorsOf(all).join(', '),
    failed: sumOf(all, ({ failed }) => sum(Object.values(failed))),
    queries: all.map(({ query }) => queryText(query)),
  }),
  saved: () => 0,
  remedy: (_, all) => [
    ...errorsOf(all).flatMap((error, _index, { length }) =>
      stepsFor(error).map((step) => (length === 1 ? step : { ...step, text: `${error}: ${step.text}` })),
    ),
    ...stepsOf('Check that the profiler or the log shows no further failure.'),
  ],
});

/** Those that nobody expects first. */
function errorsOf(all: readonly Failing[]): string[] {
  const names = [...new Set(all.flatMap(({ failed }) => Object.keys(failed)))];
  return names.toSorted((one, other) => Number(EXPECTED.has(one)) - Number(EXPECTED.has(other)));
}

function textFor(error: string, all: FoundQueries<Failing>): string {
  const failed = sumOf(all, (each) => each.failed[error] ?? 0) ?? 0;
  const executions = sumOf(all, (each) => each.cost.executions) ?? 0;
  const means = KNOWN[error] === undefined ? '' : `: ${KNOWN[error].means}`;
  const isShareKnown = all.every((each) => each.isShareKnown);
  const [{ cost }, ...others] = all;
  const among = others.length === 0 ? cost.window : plural(executions, 'execution');
  const counts = isShareKnown ? `${formatCount(failed)} of ${among}` : plural(failed, 'execution');
  return `${textOf(all)} fails with ${error}${means}. ${counts} failed.`;
}

function stepsFor(error: string): readonly RemedyStep[] {
  return (
    KNOWN[error]?.steps ??
    stepsOf(`Look for ${error} in the log of the application: it has the message, and which request sent it.`)
  );
}
