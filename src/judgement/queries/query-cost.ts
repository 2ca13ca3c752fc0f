import type { Collection } from '../../inventory/collection.js';
import { databaseOf } from '../../namespace.js';
import {
  areHere,
  executionsIn,
  executionsPerDay,
  mainSource,
  ofOneRecord,
  recordedWindow,
  type RecordedWindow,
  SOURCE_NAMES,
  sourceCoverage,
  sourcesOf,
} from '../../workload/coverage/recording.js';
import { isCollectionScan } from '../../workload/operations/execution.js';
import type { AveragedFigure } from '../../workload/operations/operation-figures.js';
import { addedTails, p90Of, reachedBy, type Tail, tailOf } from '../../workload/operations/tail.js';
import { examinedBy } from '../../workload/operations/waste.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { FIGURE_SOURCES, type FigureSource, type Operation, type OperationFigures } from '../../workload/workload.js';
import { fullRecord, type FullRecord } from '../joins/child-reads.js';
import { quotient, sumOf } from '../quotient.js';
import { isEmpty } from './conditions.js';
import { RECURRING } from './query-thresholds.js';
import type { Query } from './query.js';

/** What executions of a shape cost, by one source. */
interface ShapeFacts {
  readonly milliseconds: Spread;
  readonly documents: Spread;
  readonly keys: Spread;
  /** Documents returned or written. */
  readonly returned: Spread;
  /** Bytes of the documents examined, each as large as the collection's are on average. */
  readonly bytesExamined: Spread;
  /** Bytes of all replies. */
  readonly responseBytes: Spread;
}

/** What queries of one kind cost, by the source that knows the most of their executions. */
export interface QueryCost extends RecordedWindow {
  /** Where the figures come from: "profiler". */
  readonly source: string;
  readonly executions: number;
  /** The expected ones, if they were given; null if they were recorded for less than an hour, or only in part. */
  readonly executionsPerDay: number | null;
  /** Beside the averages below, the tail and the worst of time, documents, keys and bytes. */
  readonly facts: ShapeFacts;
  /** Per execution; null if unknown. */
  readonly documentsExamined: number | null;
  readonly keysExamined: number | null;
  /** Documents returned or written per execution; null if unknown. */
  readonly documentsReturned: number | null;
  readonly averageMs: number | null;
  /** Share of the time of all operations that the source knows, 0 to 1. */
  readonly shareOfTime: number | null;
  /** Share of all documents and keys that the source says were examined, 0 to 1; null if it knows less than a thousand operations. */
  readonly shareOfExamined: number | null;
  /** Null if unknown. */
  readonly inMemorySorts: number | null;
  readonly diskUses: number | null;
  /** Most bytes that an execution spilled, by stage; null before 8.1, which counts uses of the disk only. */
  readonly spills: Readonly<Record<string, number>> | null;
}

/** The figures of the source with the most executions among those that report plans, or why there are none; null if none does. */
export function plannedFigures({
  figures,
}: Operation): { readonly source: FigureSource; readonly figures: OperationFigures } | null {
  let best: { source: FigureSource; figures: OperationFigures } | null = null;
  for (const source of FIGURE_SOURCES) {
    const recorded = figures[source];
    if (recorded === undefined || (Object.keys(recorded.planSummaries).length === 0 && recorded.errors === undefined))
      continue;
    if (best === null || recorded.executions > best.figures.executions) best = { source, figures: recorded };
  }
  return best;
}

/**
 * The source of its figures if that recorded every operation while it was on; null if it kept slow ones or some: shares of executions
 * then say nothing, nor does what is not recorded.
 */
export function wholeRecord({ operation, known }: Query, workload: TracedWorkload): FullRecord | null {
  const sources = sourcesOf(workload, [operation]);
  const record = fullRecord({ ...workload, ...sources }, known.collection.database, [operation]);
  return record !== null && record.source === plannedFigures(operation)?.source ? record : null;
}

/** Whether the whole collection was read, at least once. */
export function isScanned({ operation }: Query): boolean {
  return Object.keys(plannedFigures(operation)?.figures.planSummaries ?? {}).some(isCollectionScan);
}

/** Share of the executions, from which a figure of all of them is that of those that no limit cuts off. */
const MOST_EXECUTIONS = 0.5;

/** Whether most executions return all that match, since no limit cuts them off. */
export function returnsAllThatMatch({ limited, operation }: Query): boolean {
  const { belowLimit = 0, executions = 0 } = plannedFigures(operation)?.figures ?? {};
  return !limited || belowLimit >= MOST_EXECUTIONS * executions;
}

/** Whether a limit may have cut off what any of the executions returned. */
export function isFilled({ limited, operation }: Query): boolean {
  const { belowLimit = 0, executions = 0 } = plannedFigures(operation)?.figures ?? {};
  return limited && belowLimit < executions;
}

/**
 * Whether too few match to fill a page: an index that only gives the order is then read whole. Measured on 6.0.5: 1,406 keys and
 * as many documents for 4 of 1,500; a scan reads 1,500.
 */
export function isNeverFull(query: Query): boolean {
  return query.limited && !isEmpty(query.conditions) && returnsAllThatMatch(query);
}

/** Operations of a recording from which shares of what they examine say something. Judgement. */
const ENOUGH_OPERATIONS = 1_000;

/** What queries cost together, per execution. Null if no source reports how they were executed. */
export function queryCost(queries: readonly Query[], workload: TracedWorkload): QueryCost | null {
  const recorded = ofOneRecord(
    queries.filter(({ operation }) => plannedFigures(operation) !== null),
    ({ operation }) => operation,
  );
  const operations = recorded.map(({ operation }) => operation);
  const planned = operations.flatMap((operation) => plannedFigures(operation) ?? []);
  const [first] = planned.toSorted((one, other) => other.figures.executions - one.figures.executions);
  const [{ known } = { known: null }] = queries;
  if (first === undefined || known === null) return null;
  const figures = planned.filter(({ source }) => source === first.source).map((each) => each.figures);
  const executions = sumOf(figures, (each) => each.executions) ?? 0;
  const { storage } = known;
  const facts = shapeFacts(figures, storage.present ? storage.value.averageDocumentSize : null);
  return {
    ...recordedBy(first.source, executions, operations, known.collection, workload),
    facts,
    documentsExamined: facts.documents.mean,
    keysExamined: facts.keys.mean,
    documentsReturned: facts.returned.mean,
    averageMs: facts.milliseconds.mean,
    shareOfTime: quotient(
      sumOf(figures, (each) => each.milliseconds),
      workload.milliseconds[first.source],
    ),
    shareOfExamined:
      executionsIn(first.source, workload.operations) < ENOUGH_OPERATIONS
        ? null
        : quotient(sumOf(figures, examinedBy), workload.examined[first.source]),
    inMemorySorts: sumOf(figures, (each) => each.inMemorySorts),
    diskUses: sumOf(figures, (each) => each.diskUses),
    spills: largestOf(figures.flatMap(({ spills }) => Object.entries(spills ?? {}))),
  };
}

/** Times the mean from which the dearest executions are another thing than the others: their sizes vary by less. Judgement. */
const FAR_ABOVE = 4;

/** What an execution costs of the few that recur and are far dearer than most, which a mean hides; null if there are none. */
export function dearestCost(cost: QueryCost): QueryCost | null {
  const { documents, keys, returned } = cost.facts;
  const isFarAbove = [documents, keys].some(
    ({ mean, recurring }) => (recurring ?? 0) >= FAR_ABOVE * Math.max(1, mean ?? 0),
  );
  if (!isFarAbove) return null;
  return {
    ...cost,
    documentsExamined: documents.recurring ?? cost.documentsExamined,
    keysExamined: keys.recurring ?? cost.keysExamined,
    documentsReturned: returned.recurring ?? cost.documentsReturned,
    // How many of a day's executions are such ones, nobody counted.
    executionsPerDay: null,
  };
}

/** How often queries were recorded, also by a source that does not report how they were executed. */
export type RecordedQueries = Pick<QueryCost, keyof RecordedWindow | 'source' | 'executions' | 'executionsPerDay'>;

export function recordedQueries(queries: readonly [Query, ...Query[]], workload: TracedWorkload): RecordedQueries {
  const operations = ofOneRecord(queries, ({ operation }) => operation).map(({ operation }) => operation);
  const source = mainSource(operations);
  const executions = sumOf(operations, ({ figures }) => figures[source]?.executions ?? null) ?? 0;
  return recordedBy(source, executions, operations, queries[0].known.collection, workload);
}

function recordedBy(
  source: FigureSource,
  executions: number,
  operations: readonly Operation[],
  { database, expected }: Collection,
  workload: TracedWorkload,
): RecordedQueries {
  const coverage = sourceCoverage(sourcesOf(workload, operations), source, database);
  return {
    source: SOURCE_NAMES[source],
    ...recordedWindow(executions, coverage, operations),
    executions,
    executionsPerDay:
      expected?.executionsPerDay ?? (areHere(operations) ? null : executionsPerDay(executions, coverage)),
  };
}

/** Documents that all recorded operations on a database examined. */
export function examinedInDatabase(database: string, { tracedOperations }: TracedWorkload): number {
  return ofOneRecord(tracedOperations, ({ operation }) => operation).reduce((sum, { base, operation }) => {
    const examined = databaseOf(base) === database ? plannedFigures(operation)?.figures.documentsExamined : null;
    return sum + (examined ?? 0);
  }, 0);
}

function largestOf(figures: readonly (readonly [string, number])[]): Record<string, number> | null {
  if (figures.length === 0) return null;
  const largest: Record<string, number> = {};
  for (const [name, figure] of figures) largest[name] = Math.max(figure, largest[name] ?? 0);
  return largest;
}

/** A figure of an execution: on average, in the tail, and at worst. Null if unknown. */
interface Spread {
  readonly mean: number | null;
  /** What nine of ten executions do not exceed, within 9 %. */
  readonly p90: number | null;
  readonly worst: number | null;
  /** What `RECURRING` executions reach: a habit, however rare it is. */
  readonly recurring: number | null;
}

/** The facts of shapes together. @param averageBytes of a document; null if unknown */
export function shapeFacts(figures: readonly OperationFigures[], averageBytes: number | null): ShapeFacts {
  const documents = spreadOf(figures, () => 'documentsExamined');
  return {
    milliseconds: spreadOf(figures, () => 'milliseconds'),
    documents,
    keys: spreadOf(figures, () => 'keysExamined'),
    returned: spreadOf(figures, ({ documentsWritten }) =>
      documentsWritten === null ? 'documentsReturned' : 'documentsWritten',
    ),
    bytesExamined: timesEach(documents, averageBytes),
    responseBytes: spreadOf(figures, () => 'responseBytes'),
  };
}

/**
 * How a figure is spread over the executions that tell it. The tail is unknown of query stats and of evidence from before tails
 * were kept, unless each shape ran once.
 */
function spreadOf(figures: readonly OperationFigures[], name: (figures: OperationFigures) => AveragedFigure): Spread {
  const telling = figures.filter((each) => each[name(each)] !== null);
  const total = sumOf(telling, (each) => each[name(each)]);
  const mean = quotient(
    total,
    sumOf(telling, ({ executions }) => executions),
  );
  const tails = telling.map((each) => tailIn(each, name(each)));
  if (tails.length === 0 || !tails.every((tail) => tail !== null))
    return { mean, p90: null, worst: null, recurring: null };
  const tail = tails.reduce<Tail>(addedTails, { worst: 0, steps: {} });
  return { mean, p90: p90Of(tail), worst: tail.worst, recurring: reachedBy(tail, RECURRING) };
}

/** The same of what each unit of the figure takes, such as bytes of a document. */
function timesEach({ mean, p90, worst, recurring }: Spread, each: number | null): Spread {
  const times = (value: number | null) => (value === null || each === null ? null : value * each);
  return { mean: times(mean), p90: times(p90), worst: times(worst), recurring: times(recurring) };
}

function tailIn(figures: OperationFigures, name: AveragedFigure): Tail | null {
  const total = figures[name];
  return figures.tails?.[name] ?? (figures.executions === 1 && total !== null ? tailOf(total) : null);
}
