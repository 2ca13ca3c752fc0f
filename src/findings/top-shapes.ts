import { z } from 'zod';
import { ranBySchema } from '../finding/impact.js';
import { byIndex, bySortingIndex, obstacleOf } from '../judgement/advice/query-suggestions.js';
import type { JoinedCluster } from '../judgement/joins/joined-cluster.js';
import { scannedBefore } from '../judgement/joins/scanned-before.js';
import { isEmpty } from '../judgement/queries/conditions.js';
import { isScanned, plannedFigures } from '../judgement/queries/query-cost.js';
import { sizeFor } from '../judgement/queries/query-size.js';
import { shapeText } from '../judgement/queries/query-text.js';
import type { Query } from '../judgement/queries/query.js';
import { lackedFields } from '../judgement/queries/scattered-keys.js';
import { quotient } from '../judgement/quotient.js';
import { databaseOf } from '../namespace.js';
import { picked } from '../plain.js';
import { ofOneRecord, SOURCE_NAMES } from '../workload/coverage/recording.js';
import { bestFigures } from '../workload/operations/figures.js';
import { waitingCause } from '../workload/operations/waiting-cause.js';
import { examinedBy, totalsBySource } from '../workload/operations/waste.js';
import type { TracedOperation } from '../workload/traced-workload.js';
import { OPERATION_KINDS, type FigureSource, type Operation, type OperationFigures } from '../workload/workload.js';
import { ranByOf } from './ran-by.js';
import type { FindingsOfOperations } from './ranked-findings.js';

/** Why a shape has no finding, from what is sure to what is only not known better. */
const REASONS_FOR_NO_FINDING = [
  'not linted',
  'recorded in part',
  'writes only',
  'follows inserts',
  'waits',
  'asks a search index',
  'unknown how it is executed',
  'too small to tell',
  'served well',
  'reads what it returns',
  'cheap each time',
  'indexed since',
  'computes from what it reads',
  'an index would narrow it',
  'nothing known helps',
] as const;

export type ReasonForNoFinding = (typeof REASONS_FOR_NO_FINDING)[number];

const figure = () => z.number().nullable();

/** Figures that are reported as they were recorded, by their names in the table of figures. */
const recordedSchema = z.strictObject({
  peakMemoryBytes: z.number().optional().describe('Most memory that one execution took, in bytes. Absent before 8.3.'),
  spills: z
    .record(z.string(), z.number())
    .optional()
    .describe('Most bytes that one execution spilled to disk, by stage. Absent before 8.1, or if none did.'),
});

export const topShapeSchema = z.strictObject({
  namespace: z.string().describe('The collection that it reads or writes; of a view, the one below it.'),
  kind: z.enum(OPERATION_KINDS).meta({ description: 'Its command.', examples: [...OPERATION_KINDS] }),
  shape: z.string().describe('What it does, in words and without values.'),
  source: z.string().describe('Source of the figures, such as "profiler".'),
  executions: z.number().describe('Recorded executions.'),
  milliseconds: figure().describe('Time of all executions; null if the source does not report it.'),
  msShare: figure().describe(
    'Its share of the time of all that was recorded, by the source that saw the most, 0 to 1; null if unknown.',
  ),
  examinedShare: figure().describe(
    'Its share of the documents and index keys examined by all that was recorded, 0 to 1; null if unknown.',
  ),
  rankByTime: z.int().positive().nullable().describe('Its place by time, from 1.'),
  rankByExamined: z.int().positive().nullable().describe('Its place by what is examined, from 1.'),
  documentsExamined: figure().describe('Per execution; null if unknown.'),
  keysExamined: figure().describe('Index keys per execution; null if unknown.'),
  returned: figure().describe('Documents returned or written per execution; null if unknown.'),
  ...recordedSchema.shape,
  ranBy: z.array(ranBySchema).optional().describe('Who runs it; absent if the source knows no client.'),
  findings: z.array(z.string()).describe('Fingerprints of the findings that are about it, the worst first.'),
  why: z
    .enum(REASONS_FOR_NO_FINDING)
    .meta({ description: 'Why it has no finding; absent if it has one.', examples: [...REASONS_FOR_NO_FINDING] })
    .optional(),
});

/** One of the shapes that cost the most of the recorded workload. */
export type TopShape = z.infer<typeof topShapeSchema>;

/** Share of the recorded time from which a shape is listed, however many are. Source: DESIGN, "a tenth of the recorded time". */
const ALWAYS_LISTED = 0.1;
/** Documents and keys examined for each document returned up to which an index serves a query well. Judgement: key and document of each, and as much again. */
const SERVED_WELL = 4;
/** Documents and keys of an execution below which it is cheap, however often it runs: about a millisecond of processor. */
const CHEAP = 1_000;
/** Documents below which a scan costs too little to tell. Source: the floor of the checks of scans. */
const TOO_SMALL = 1_000;

/** Documents of an insert from which it loads data, such as fixtures, and serves nobody who waits. Judgement. */
const BULK = 100;

/** Whether it loads many documents at once: nothing but fewer documents would make it cheaper. */
export function isBulkInsert({ kind, returned }: Pick<TopShape, 'kind' | 'returned'>): boolean {
  return kind === 'insert' && (returned ?? 0) >= BULK;
}

/** A recorded operation, and what is reported of it. */
export interface CostedShape {
  readonly operation: Operation;
  readonly shape: TopShape;
}

/**
 * The costliest shapes of the recorded workload: the first ones by their share of the time, and each that takes a tenth of it.
 * Without times, what is examined counts. Bulk inserts come behind the others.
 *
 * @param queries those of its workload on the linted collections
 * @param most how many are listed
 * @param databases those with linted collections: what runs on others is left out
 */
export function costliestShapes(
  cluster: JoinedCluster,
  queries: readonly Query[],
  findings: FindingsOfOperations,
  most: number,
  databases: ReadonlySet<string>,
): CostedShape[] {
  const { workload } = cluster;
  const queryOf = new Map(queries.map((query) => [query.operation, query] as const));
  const own = workload.tracedOperations.filter(({ base }) => databases.has(databaseOf(base)));
  const recorded = ofOneRecord(own, ({ operation }) => operation);
  const operations = recorded.map(({ operation }) => operation);
  const milliseconds = largestTotal(operations, (figures) => figures.milliseconds);
  const examined = largestTotal(operations, examinedBy);
  const all = recorded.map((traced): Costed => {
    const { source, figures } = bestFigures(traced.operation);
    return {
      traced,
      source,
      figures,
      msShare: quotient(figures.milliseconds, milliseconds),
      examinedShare: quotient(examinedBy(figures), examined),
    };
  });
  const byTime = ranks(all, ({ msShare }) => msShare);
  const byExamined = ranks(all, ({ examinedShare }) => examinedShare);
  const listed = all
    .toSorted(byCost)
    .filter((shape, index) => costOf(shape) > 0 && (index < most || (shape.msShare ?? 0) >= ALWAYS_LISTED));
  const shapes = listed.map((costed): CostedShape => {
    const { traced, source, figures, msShare, examinedShare } = costed;
    const { operation, base } = traced;
    const query = queryOf.get(operation) ?? null;
    const about = findings.get(operation) ?? [];
    const ranBy = ranByOf([operation], source);
    const shape: TopShape = {
      namespace: base,
      kind: operation.shape.kind,
      shape: shapeText(traced, query),
      source: SOURCE_NAMES[source],
      executions: figures.executions,
      milliseconds: figures.milliseconds,
      msShare,
      examinedShare,
      rankByTime: byTime.get(costed) ?? null,
      rankByExamined: byExamined.get(costed) ?? null,
      documentsExamined: perExecution(figures.documentsExamined, figures),
      keysExamined: perExecution(figures.keysExamined, figures),
      returned: perExecution(figures.documentsWritten ?? figures.documentsReturned, figures),
      ...picked(figures, recordedSchema.keyof().options),
      ...(ranBy.length > 0 && { ranBy }),
      findings: [...about],
      ...(about.length === 0 && { why: reasonFor(costed, query, cluster) }),
    };
    return { operation, shape };
  });
  return [...shapes.filter(({ shape }) => !isBulkInsert(shape)), ...shapes.filter(({ shape }) => isBulkInsert(shape))];
}

interface Costed {
  readonly traced: TracedOperation;
  readonly source: FigureSource;
  readonly figures: OperationFigures;
  readonly msShare: number | null;
  readonly examinedShare: number | null;
}

/** The total of the source that saw the most: shares of a source that saw only the slowest would not compare. Null if none tells. */
function largestTotal(
  operations: readonly Operation[],
  of: (figures: OperationFigures) => number | null,
): number | null {
  const totals = Object.values(totalsBySource(operations, of)).filter((total) => total !== null);
  return totals.length === 0 ? null : Math.max(...totals);
}

/** By time, then by what is examined. */
function byCost(one: Costed, other: Costed): number {
  return (other.msShare ?? 0) - (one.msShare ?? 0) || (other.examinedShare ?? 0) - (one.examinedShare ?? 0);
}

function costOf({ msShare, examinedShare }: Costed): number {
  return Math.max(msShare ?? 0, examinedShare ?? 0);
}

function ranks(all: readonly Costed[], of: (costed: Costed) => number | null): ReadonlyMap<Costed, number> {
  const known = all.filter((each) => of(each) !== null);
  return new Map(
    known.toSorted((one, other) => (of(other) ?? 0) - (of(one) ?? 0)).map((each, index) => [each, index + 1] as const),
  );
}

/** Stages that mongot answers, whatever indexes the server has. Source: MongoDB manual, "Aggregation Stages". */
const SEARCHES = ['$search', '$searchMeta', '$vectorSearch', '$rankFusion', '$scoreFusion'];

function reasonFor(
  { traced, source, figures }: Costed,
  query: Query | null,
  cluster: JoinedCluster,
): ReasonForNoFinding {
  const {
    operation,
    stages: [first = {}],
  } = traced;
  const { kind, truncated, tailable } = operation.shape;
  if (kind === 'insert') return 'writes only';
  if (tailable === true) return 'follows inserts';
  if (query === null) return 'not linted';
  if (truncated === true) return 'recorded in part';
  if (waitingCause(operation) !== null) return 'waits';
  if (SEARCHES.some((stage) => stage in first)) return 'asks a search index';
  const examined = perExecution(examinedBy(figures), figures);
  if (examined === null) return 'unknown how it is executed';
  const size = sizeFor(query)?.documents ?? null;
  if (isScanned(query) && size !== null && size < TOO_SMALL) return 'too small to tell';
  const returned = perExecution(figures.documentsWritten ?? figures.documentsReturned, figures) ?? 0;
  if (examined <= SERVED_WELL * Math.max(1, returned))
    return returned < CHEAP ? 'served well' : 'reads what it returns';
  if (examined < CHEAP) return 'cheap each time';
  if (isServedNow(query, cluster) || scannedBefore(traced, source, cluster)) return 'indexed since';
  if (isOfAllFound(query)) return 'computes from what it reads';
  return lacksIndex(query, cluster) ? 'an index would narrow it' : 'nothing known helps';
}

/** Whether executions scanned the collection or sorted in memory, though an index would find or sort it now. */
function isServedNow(query: Query, cluster: JoinedCluster): boolean {
  const { indexes } = query.known;
  if (!indexes.present || query.conditions.special) return false;
  const { inMemorySorts } = plannedFigures(query.operation)?.figures ?? {};
  return (
    (isScanned(query) && byIndex(query, indexes.value, cluster) === 'served') ||
    ((inMemorySorts ?? 0) > 0 && bySortingIndex(query, indexes.value, cluster) === 'served')
  );
}

/** Whether an index that is not there would find it, though no check reports that: it returns much, or the check did not run. */
function lacksIndex(query: Query, cluster: JoinedCluster): boolean {
  const { indexes } = query.known;
  if (!indexes.present || query.conditions.special) return false;
  const place = byIndex(query, indexes.value, cluster);
  return place !== 'served' && place.indexes !== undefined;
}

/** Whether it counts or groups what an index finds for it: nothing that it reads is in vain. */
function isOfAllFound(query: Query): boolean {
  const isFound = isEmpty(query.conditions) || (!isScanned(query) && lackedFields(query, true).length === 0);
  return !query.returnsEachMatch && !query.joins && isFound && obstacleOf(query) === null;
}

function perExecution(value: number | null, { executions }: OperationFigures): number | null {
  const average = quotient(value, executions);
  return average === null ? null : Math.round(average);
}
