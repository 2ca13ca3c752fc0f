import type { ThresholdValues } from '../../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../../src/format.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { RECURRING } from '../../src/judgement/queries/query-thresholds.js';
import { filtersAfterJoining, joinShapes, type JoinShape } from './join-shape.js';
import type { JoiningOperation, LookupLoad } from './lookup-load.js';

export const thresholds = {
  executions: {
    default: 20,
    unit: 'executions',
    description: 'number of executions with joins below which a collection is not judged',
    source: 'judgement: fewer do not show a pattern',
  },
  recurring: {
    ...RECURRING,
    description: 'the same, if an execution examines as many documents as `examined` says',
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
  documents: {
    default: 1_000,
    unit: 'documents',
    description: 'documents of the collection below which it is too small to tell',
    source: 'judgement: a join in a small collection costs next to nothing, whatever its share',
  },
  examined: {
    default: 1_000,
    unit: 'documents',
    description:
      'documents examined by an execution with joins from which their share of all documents examined counts as well',
    source: 'judgement: about a millisecond of processor per execution',
  },
  read: {
    default: 1_000,
    unit: 'documents',
    description: 'documents that all recorded executions with joins read together, below which nothing is reported',
    source: 'judgement: a millisecond of processor in all, however large a share it is',
  },
  light: {
    default: 10,
    unit: 'documents',
    description:
      'documents examined by an execution with joins below which joins are reported only from half of the operations',
    source: 'judgement: an index finds so few in some ten microseconds',
  },
  joins: {
    default: 3,
    unit: 'joins',
    description: 'number of joins in one pipeline from which an info becomes a warning',
    source: 'judgement: one screen needs data from four collections',
  },
  fanOut: {
    default: 100,
    unit: 'documents',
    description: 'average number of documents joined to one document from which an info becomes a warning',
    source: 'judgement: more than a page of them',
  },
  joinedBytes: {
    default: 50 * 1024 * 1024,
    unit: 'bytes',
    description: 'average bytes joined to one document from which an error is given',
    source: 'half of the 100 MB at which `$lookup` fails with code 4568 (measured on 6.0.5)',
  },
} as const;

export type Limits = ThresholdValues<typeof thresholds>;

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

export function traitTexts({ joins, fanOut, joinedBytes, filtersAfter }: Traits, limits: Limits): string[] {
  return [
    ...(joins >= limits.joins ? [`One pipeline makes ${formatCount(joins)} joins.`] : []),
    ...((fanOut ?? 0) >= limits.fanOut
      ? [`Each document is joined with ${plural(Math.round(fanOut ?? 0), 'document')} on average.`]
      : []),
    ...((joinedBytes ?? 0) >= limits.joinedBytes
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
