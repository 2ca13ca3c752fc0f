import type { Db, Document } from 'mongodb';
import type { BoundsKind } from '../../src/planner/access.js';
import type { DrawnQuery } from './drawn-query.js';

/** The name of the drawn index. */
export const INDEX_NAME = 'ix';

/** Bounds that no key meets are of any kind. */
export type ServerBounds = BoundsKind | 'empty';

/** A plan that walks the drawn index. */
export interface ServerPlan {
  /** By path of the key, for each walk over the index. */
  readonly scans: readonly Readonly<Record<string, ServerBounds>>[];
  readonly testsDocuments: boolean;
  /** Whether conditions are tested on keys, beyond what the bounds say. */
  readonly testsKeys: boolean;
  readonly givesOrder: boolean;
  readonly covered: boolean;
  /** Whether it planned each branch of an `$or` by a race of its own, of which explain shows the winner alone. */
  readonly isOfBranches: boolean;
}

/** What the server did for a query of a collection that has one index beside that on `_id`. */
export interface ServerAccess {
  /** Plans with the drawn index, the winner first: with a single index the planner rejects none that may be used. */
  readonly plans: readonly ServerPlan[];
  readonly returned: number;
  readonly documentsExamined: number;
  readonly keysExamined: number;
}

/**
 * Asks the server for its plans of a query.
 *
 * @throws MongoServerError if the server does not accept the query
 */
export async function serverAccess(database: Db, collection: string, query: DrawnQuery): Promise<ServerAccess> {
  const { queryPlanner, executionStats } = await database.command({
    explain: { find: collection, ...findOptions(query) },
    verbosity: 'executionStats',
  });
  const plans: Document[] = [queryPlanner.winningPlan, ...queryPlanner.rejectedPlans];
  return {
    plans: plans.map((plan) => plannedStages(plan['queryPlan'] ?? plan)).flatMap(serverPlan),
    returned: executionStats.nReturned,
    documentsExamined: executionStats.totalDocsExamined,
    keysExamined: executionStats.totalKeysExamined,
  };
}

/** The query as options of the command `find`. */
export function findOptions({ filter, sort, skip, limit, returns, collation }: DrawnQuery): Document {
  return {
    filter,
    ...(sort.length > 0 && { sort: Object.fromEntries(sort) }),
    ...(skip > 0 && { skip }),
    ...(limit > 0 && { limit }),
    ...(returns !== null && {
      projection: { _id: returns.includes('_id') ? 1 : 0, ...Object.fromEntries(returns.map((path) => [path, 1])) },
    }),
    ...(collation !== null && { collation }),
  };
}

function plannedStages(stage: Document): Document[] {
  const inner: Document[] = [...(stage['inputStage'] ? [stage['inputStage']] : []), ...(stage['inputStages'] ?? [])];
  return [stage, ...inner.flatMap(plannedStages)];
}

function serverPlan(stages: readonly Document[]): ServerPlan[] {
  const scans = stages.filter(({ stage, indexName }) => stage === 'IXSCAN' && indexName === INDEX_NAME);
  if (scans.length === 0) return [];
  const testing = stages.filter(({ filter }) => filter !== undefined);
  return [
    {
      scans: scans.map(boundsOf),
      testsDocuments: testing.some(({ stage }) => stage !== 'IXSCAN'),
      testsKeys: testing.some(({ stage }) => stage === 'IXSCAN'),
      givesOrder: stages.every(({ stage }) => stage !== 'SORT'),
      covered: stages.every(({ stage }) => stage !== 'FETCH'),
      isOfBranches: stages.some(({ stage }) => stage === 'SUBPLAN'),
    },
  ];
}

function boundsOf({ indexBounds }: Document): Record<string, ServerBounds> {
  const paths = Object.entries<string[]>(indexBounds).filter(([path]) => path !== '$_path');
  return Object.fromEntries(paths.map(([path, intervals]) => [path, kindOf(intervals)]));
}

/** Where the values of a type begin and end, as in what is asked for by a pattern without a beginning; also read backwards. */
const TYPES: readonly (readonly [first: string, last: string])[] = [
  ['["", ', ', {})'],
  ['({}, ', ', ""]'],
  ['[CollationKey(0x), ', ', {})'],
  ['({}, ', ', CollationKey(0x)]'],
  ['[nan.0, ', ', inf.0]'],
  ['[inf.0, ', ', nan.0]'],
  ['[{}, ', ', [])'],
  ['([], ', ', {}]'],
  ['[false, ', ', true]'],
  ['[true, ', ', false]'],
  ['[new Date(-9223372036854775808), ', ', new Date(9223372036854775807)]'],
  ['[new Date(9223372036854775807), ', ', new Date(-9223372036854775808)]'],
];

/** Whether they hold all values of a type, or all but some in between. */
function isOfType(intervals: readonly string[]): boolean {
  return TYPES.some(
    ([first, last]) =>
      intervals.some((interval) => interval.startsWith(first)) && intervals.some((interval) => interval.endsWith(last)),
  );
}

function kindOf(intervals: readonly string[]): ServerBounds {
  if (intervals.length === 0) return 'empty';
  if (intervals.every(isPoint)) return 'points';
  if (isOfType(intervals)) return 'type';
  return intervals.length === 1 && /^\[(MinKey, MaxKey|MaxKey, MinKey)\]$/.test(intervals[0]!) ? 'all' : 'range';
}

/** As in "[5, 5]". */
function isPoint(interval: string): boolean {
  const inner = interval.slice(1, -1);
  const length = (inner.length - 2) / 2;
  return (
    interval.startsWith('[') &&
    interval.endsWith(']') &&
    inner === `${inner.slice(0, length)}, ${inner.slice(0, length)}`
  );
}
