import type { ThresholdValues } from '../../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../../src/format.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { filtersAfterJoining, joinShapes, type JoinShape } from './join-shape.js';
import type { JoiningOperation, LookupLoad } from './lookup-load.js';

export const thresholds = {
  executions: {
    default: 20,
    unit: 'executions',
    description: 'number of executions with joins below which a collection is not judged',
    source: 'judgement: fewer do not show a pattern',
  },
  info: {
    default: 0.2,
    unit: 'share',
    description:
      'share of joins in the operations on a collection, or in what it or the whole workload examines, from which an info is given',
    source: 'judgement: one in five',
  },
  warning: {
    default: 0.5,
    unit: 'share',
    description: 'the same share from which a warning is given',
    source:
      'judgement: data that is read together most of the time belongs together (MongoDB, "A Summary of Schema Design Anti-Patterns": separating data that is accessed together)',
  },
} as const;

export type Limits = ThresholdValues<typeof thresholds>;

/** Joins in one pipeline from which they are a warning. Judgement: one screen needs data from four collections. */
export const MANY_JOINS = 3;

/** Documents joined to one, on average, from which they are a warning. Judgement: more than a page of them. */
export const WIDE = 100;

/** Bytes joined to one document from which it is an error: half of the 100 MB at which `$lookup` fails (measured on 6.0.5). */
export const NEAR_FAILURE = 50 * 1024 * 1024;

/** What makes the joins of a collection worse than their share. */
export interface Traits {
  readonly shapes: readonly JoinShape[];
  /** Joins in one pipeline, at most. */
  readonly joins: number;
  readonly fanOut: number | null;
  readonly joinedBytes: number | null;
  readonly filtersAfter: boolean;
  /** Documents that an execution with joins reads on average. */
  readonly documentsPerExecution: number;
}

export function traitsOf(load: LookupLoad, cluster: JoinedCluster): Traits {
  const shapes = load.joining.flatMap(({ joins }) => joinShapes(joins, cluster));
  const documents = load.joining.reduce((sum, each) => sum + documentsRead(each, cluster), 0);
  return {
    shapes,
    documentsPerExecution: documents / load.joinExecutions,
    joins: Math.max(...load.joining.map(({ joins }) => joins.length)),
    fanOut: largest(shapes.map(({ fanOut }) => fanOut)),
    joinedBytes: largest(shapes.map(({ bytesPerDocument }) => bytesPerDocument)),
    filtersAfter: filtersAfterJoining(load.joining[0], cluster),
  };
}

/** At least the outer document and those joined to it: not every source, nor every join, is counted. */
function documentsRead({ figures, joins }: JoiningOperation, cluster: JoinedCluster): number {
  const joined = joinShapes(joins, cluster).reduce((sum, { fanOut }) => sum + (fanOut ?? 1), 0);
  return Math.max(figures.documentsExamined ?? 0, figures.executions * (1 + joined));
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export function traitTexts({ joins, fanOut, joinedBytes, filtersAfter }: Traits): string[] {
  return [
    ...(joins >= MANY_JOINS ? [`One pipeline makes ${formatCount(joins)} joins.`] : []),
    ...((fanOut ?? 0) >= WIDE
      ? [`Each document is joined with ${plural(Math.round(fanOut ?? 0), 'document')} on average.`]
      : []),
    ...((joinedBytes ?? 0) >= NEAR_FAILURE
      ? [`These weigh ${formatBytes(joinedBytes ?? 0)} on average; a join fails at 100 MB.`]
      : []),
    ...(filtersAfter ? ['A `$match` after the join discards most of the joined documents.'] : []),
  ];
}

/** Collections that the message names. */
const NAMED = 3;

/** "Joins are 62 % of the operations on shop.orders: 620 of 1,000 executions join shop.customers." */
export function lookupSharesText({
  namespace,
  coverage,
  executions,
  joinExecutions,
  shareOfOperations,
  shareOfTime,
  joining,
}: LookupLoad): string {
  const slow = { all: '', slow: 'slow ', part: 'recorded ', none: 'recorded ', unknown: 'recorded ' }[
    coverage.operations
  ];
  const time = shareOfTime === null ? '' : ` and ${formatShare(shareOfTime)} of their time`;
  const foreign = [...new Set(joining.flatMap(({ joins }) => joins.map((join) => join.foreign.namespace)))];
  const names = foreign.length > NAMED ? `${formatCount(foreign.length)} collections` : foreign.join(' and ');
  return (
    `Joins are ${formatShare(shareOfOperations)} of the ${slow}operations on ${namespace}${time}: ` +
    `${formatCount(joinExecutions)} of ${plural(executions, 'execution')} join ${names}.`
  );
}
