import type { RemedyStep } from '../src/finding.js';
import { stepsOf } from '../src/finding/remedy.js';
import { plural } from '../src/format.js';
import { firstExpiry } from '../src/judgement/indexes/index-steps.js';
import { isEmpty } from '../src/judgement/queries/conditions.js';
import { queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { ofJudgedSize } from '../src/judgement/queries/query-size.js';
import { RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../src/judgement/queries/worst-query-check.js';
import { fieldsOf, isObjectShape, type Shape } from '../src/workload/shapes/shape.js';

interface MassWrite extends FoundQuery {
  readonly cost: QueryCost;
  /** Documents that the largest execution updated or deleted, as far as it is known; at the judged size. */
  readonly most: number;
}

export const massWrite = defineWorstQueryCheck({
  id: 'mass-write',
  title: 'Mass update or delete',
  summary: 'updates and deletes of a hundred thousand documents at once',
  thresholds: {
    documents: {
      default: 100_000,
      unit: 'documents',
      description: 'documents that one execution updates or deletes',
      source:
        'judgement: a second of writes in a row (11 µs for each small document, measured on 6.0.5), which secondaries repeat',
    },
    executions: {
      default: RECURRING,
      unit: 'executions',
      description: 'executions for a warning',
      source: 'judgement: a migration runs once or twice',
    },
  },
  // A job of the night makes secondaries lag as one of the day does.
  isWrongResult: true,
  byPlans: true,
  growsWithCollection: true,
  find: ({ cluster }) =>
    queriesOf(cluster).flatMap((query): MassWrite[] => {
      const { kind, multi } = query.operation.shape;
      const isOfMany = (kind === 'update' || kind === 'delete') && multi === true;
      const cost = isOfMany ? queryCost([query], cluster.workload) : null;
      if (cost === null) return [];
      const { worst, mean } = cost.facts.returned;
      return [{ query, cost, most: ofJudgedSize(query, worst ?? mean ?? 0) }];
    }),
  path: () => null,
  rank: ({ most }) => most,
  severity({ cost, most }, { limits }) {
    if (most < limits.documents) return null;
    return cost.executions >= limits.executions ? 'warning' : 'info';
  },
  confidence: 'high',
  message: (all) =>
    `${textOf(all)}: up to ${plural(Math.round(all[0].most), 'document')} in one operation (${all[0].cost.window}). ` +
    'Each is an oplog entry of its own: secondaries lag, and other writes wait for the cache and the disk.',
  figures: ([{ most }]) => ({ mostWritten: Math.round(most) }),
  saved: () => 0,
  remedy: ({ query }) => stepsFor(query),
});

function stepsFor(query: Query): RemedyStep[] {
  const isDelete = query.operation.shape.kind === 'delete';
  const [path] = isDelete ? datesPassed(query) : [];
  const isOfAll = isEmpty(query.conditions);
  return stepsOf(
    path !== undefined && {
      text: 'Let a TTL index delete by age, a little each minute. Begin with 50 years, and lower that in steps: each deletes for good what is older.',
      code: firstExpiry(query.known, path),
    },
    isDelete && isOfAll && 'To empty a collection, drop it, and create it again with its indexes and its validator.',
    isDelete &&
      !isOfAll &&
      'If whole days, tenants or imports go, keep each in a collection of its own, and drop that: it takes no time, whatever it holds.',
    !isDelete &&
      'Ask first whether each document must be written: a value that is the same for all, or follows from others, can be computed by the reader.',
    'Otherwise write in batches: find the next thousands of `_id` by an index, write these with writeConcern { w: "majority" }, and go on. The secondaries then keep up.',
    'Check that the profiler shows fewer documents per execution, and that rs.printSecondaryReplicationInfo() shows no lag meanwhile.',
  );
}

/** Fields whose date must be past. */
function datesPassed({ filters }: Query): string[] {
  return filters.flatMap((filter) => fieldsOf(filter).flatMap(([path, asked]) => (isPast(asked) ? [path] : [])));
}

function isPast(asked: Shape): boolean {
  return isObjectShape(asked) && fieldsOf(asked).every(([name, to]) => /^\$lte?$/.test(name) && to === '?date');
}
