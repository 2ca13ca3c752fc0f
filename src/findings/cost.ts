import { createHash } from 'node:crypto';
import type { Impact, RanBy } from '../finding.js';
import { quotient, sumOf } from '../judgement/quotient.js';
import { databaseOf } from '../namespace.js';
import { areHere, mainSource, ofOneRecord, recordedWindow, sourcesOf } from '../workload/coverage/recording.js';
import { executionsPerDay, shareOfTime, SOURCE_NAMES, sourceCoverage } from '../workload/coverage/recording.js';
import {
  documentsWasted,
  examinedBy,
  examinedInVain,
  totalsBySource,
  type TotalsBySource,
} from '../workload/operations/waste.js';
import { operationKey } from '../workload/shapes/operation-shape.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import {
  bySource,
  FIGURE_SOURCES,
  type FigureSource,
  type Operation,
  type OperationFigures,
} from '../workload/workload.js';
import { largestShare, type LargestShare } from './largest-share.js';
import { ranByOf } from './ran-by.js';

/** 48 bits: among 10,000 kinds of operations, two collide with a chance of 1 in 6 million. */
const ID_DIGITS = 12;

/** What is known of the collection of a finding; null if it is not. In bytes. */
export interface CollectionBytes {
  readonly size: number | null;
  readonly averageDocumentSize: number | null;
}

/** What operations cost by the workload, and who runs them. */
export interface Cost {
  readonly impact: Impact;
  readonly ranBy: readonly RanBy[];
  /** The largest share of the recording that one operation examines or takes, if the remedy saves nearly all of it. */
  readonly largestShare: LargestShare | null;
}

/** All that was recorded in one place. */
interface Recording {
  readonly examined: TotalsBySource;
  readonly documents: TotalsBySource;
  /** Null if the size of no document is known. */
  readonly bytes: TotalsBySource;
  readonly executions: TotalsBySource;
}

/** What the cost of any operations is computed from, worked out once for all findings. */
export interface KnownWorkload {
  readonly workload: TracedWorkload;
  readonly operations: ReadonlySet<Operation>;
  readonly joining: ReadonlySet<Operation>;
  /** Bytes of an average document of the collection that each reads; null if unknown. */
  readonly averageBytes: ReadonlyMap<Operation, number | null>;
  readonly here: Recording;
  readonly inProduction: Recording;
  /** True if all that is recorded was recorded in one place. */
  readonly isOfOnePlace: boolean;
}

/** @param bytesOf what is known of a collection; null for namespaces that are none */
export function knownWorkload(
  workload: TracedWorkload,
  bytesOf: (namespace: string) => CollectionBytes | null,
): KnownWorkload {
  const { operations, tracedOperations } = workload;
  const here = operations.filter(({ recordedHere }) => recordedHere === true);
  const inProduction = operations.filter(({ recordedHere }) => recordedHere !== true);
  const averageBytes = new Map(
    tracedOperations.map(({ operation, base }) => [operation, bytesOf(base)?.averageDocumentSize ?? null] as const),
  );
  return {
    workload,
    operations: new Set(operations),
    joining: new Set(tracedOperations.flatMap(({ operation, joins }) => (joins.length > 0 ? [operation] : []))),
    averageBytes,
    here: recordingOf(here, averageBytes),
    inProduction: recordingOf(inProduction, averageBytes),
    isOfOnePlace: here.length === 0 || inProduction.length === 0,
  };
}

function recordingOf(operations: readonly Operation[], averageBytes: KnownWorkload['averageBytes']): Recording {
  return {
    documents: totalsBySource(operations, ({ documentsExamined }) => documentsExamined),
    bytes: bySource((source) => bytesExamined(operations, averageBytes, source)),
    examined: totalsBySource(operations, examinedBy),
    executions: totalsBySource(operations, ({ executions }) => executions),
  };
}

/** Documents of unknown size, such as those of collections that are not linted, count as the largest that are known. Null without any. */
function bytesExamined(
  operations: readonly Operation[],
  averageBytes: KnownWorkload['averageBytes'],
  source: FigureSource,
): number | null {
  const largest = Math.max(...[...averageBytes.values()].map((average) => average ?? 0), 0);
  if (largest === 0) return null;
  return operations.reduce((bytes, operation) => {
    const documents = operation.figures[source]?.documentsExamined ?? 0;
    return bytes + documents * (averageBytes.get(operation) ?? largest);
  }, 0);
}

/** Null if no source has figures of any of the operations. */
export function costOf(
  given: readonly Operation[],
  known: KnownWorkload,
  { averageDocumentSize }: CollectionBytes,
  savedBy: (operation: Operation) => number,
): Cost | null {
  const { workload } = known;
  const asked = [...new Set(given)].filter((operation) => known.operations.has(operation));
  const operations = ofOneRecord(asked, (operation) => operation);
  if (operations.length === 0) return null;
  const recording = areHere(operations) ? known.here : known.inProduction;
  const source = sourceFor(operations, recording.examined);
  const recorded = operations.flatMap((operation) => {
    const figures = operation.figures[source];
    return figures === undefined ? [] : [{ operation, figures }];
  });
  const total = recording.examined[source];
  const ofRemedy = ({ operation, figures }: Recorded, wasted: number | null) =>
    wasted === null ? null : Math.min(wasted, savedBy(operation) * figures.executions);
  const saved = (each: Recorded) => ofRemedy(each, examinedInVain(each.figures));
  const documents = sumOf(recorded, (each) => ofRemedy(each, documentsWasted(each.figures)));
  const savedTime = (each: Recorded) => timeSaved(each.figures, saved(each));
  // For joins, it is not known how many of the documents are of which collection.
  const joinsAny = operations.some((operation) => known.joining.has(operation));
  const bytes = documents === null || joinsAny ? null : product(documents, averageDocumentSize);
  const milliseconds = sumOf(recorded, ({ figures }) => figures.milliseconds);
  const isAllTime = !areHere(operations) || known.isOfOnePlace;
  const ofAllTime = (time: number | null) => (isAllTime ? shareOfTime(time, workload.milliseconds[source]) : null);
  const { window, executions, perDay, watchedMs } = recordOf(recorded, source, workload);
  const impact = withoutUnknown({
    source: SOURCE_NAMES[source],
    window,
    executions,
    documents,
    bytes,
    milliseconds,
    share: quotient(sumOf(recorded, saved), total),
    shareOfTime: ofAllTime(milliseconds),
    shareOfTimeSaved: ofAllTime(sumOf(recorded, savedTime)),
    executionsPerDay: perDay,
    documentsPerDay: product(documents, perDay, executions),
    bytesPerDay: product(bytes, perDay, executions),
    msPerDay: product(milliseconds, perDay, executions),
    operations: recorded.map((each) =>
      withoutUnknown({
        id: idOf(each.operation),
        share: quotient(saved(each), total),
        shareOfTimeSaved: ofAllTime(savedTime(each)),
      }),
    ),
  });
  const whole = {
    examined: total,
    documents: recording.documents[source],
    bytes: recording.bytes[source],
    milliseconds: isAllTime ? workload.milliseconds[source] : null,
    executions: recording.executions[source],
    watchedMs,
  };
  const largest = largestShare(
    recorded.map((each) => ({
      figures: each.figures,
      saved: saved(each),
      bytes: product(each.figures.documentsExamined, known.averageBytes.get(each.operation) ?? null),
    })),
    whole,
  );
  return { impact, ranBy: ranByOf(operations, source), largestShare: largest };
}

/** In proportion to what is no longer examined; null if either is unknown. */
function timeSaved(figures: OperationFigures, saved: number | null): number | null {
  const share = quotient(saved, examinedBy(figures));
  return figures.milliseconds === null || share === null ? null : figures.milliseconds * Math.min(1, share);
}

interface Recorded {
  readonly operation: Operation;
  readonly figures: OperationFigures;
}

/** The source that saw the most examined of all, so that findings compare; another one if it saw none of these. */
function sourceFor(operations: readonly Operation[], examined: TotalsBySource): FigureSource {
  const [most] = FIGURE_SOURCES.filter((source) => examined[source] !== null).toSorted(
    (one, other) => (examined[other] ?? 0) - (examined[one] ?? 0),
  );
  const hasSeen = most !== undefined && operations.some(({ figures }) => figures[most] !== undefined);
  return hasSeen ? most : mainSource(operations);
}

/** A day's figures only of operations on one database, since each has a profiler of its own. */
function recordOf(recorded: readonly Recorded[], source: FigureSource, workload: TracedWorkload) {
  const operations = recorded.map(({ operation }) => operation);
  const executions = sumOf(recorded, ({ figures }) => figures.executions) ?? 0;
  const databases = new Set(operations.map(({ shape }) => databaseOf(shape.namespace)));
  const [database = ''] = databases;
  const coverage = sourceCoverage(sourcesOf(workload, operations), source, database);
  const isOfOneWindow = databases.size === 1 && !areHere(operations);
  return {
    executions,
    ...recordedWindow(executions, coverage, operations),
    perDay: isOfOneWindow ? executionsPerDay(executions, coverage) : null,
    watchedMs: coverage.window === null ? 0 : coverage.window.to - coverage.window.from,
  };
}

function idOf({ shape }: Operation): string {
  return createHash('sha256').update(operationKey(shape)).digest('hex').slice(0, ID_DIGITS);
}

/** `value × factor ÷ divisor`; null if any of them is unknown. */
function product(value: number | null, factor: number | null, divisor = 1): number | null {
  return value === null || factor === null || divisor === 0 ? null : Math.round((value * factor) / divisor);
}

type Known<Figures> = { [Name in keyof Figures]: Exclude<Figures[Name], null> };

/** Sums of a damaged record may be larger than any number: nobody knows these either. */
export function withoutUnknown<Figures extends object>(figures: Figures): Known<Figures> {
  return Object.fromEntries(
    Object.entries(figures).filter(
      ([, value]) => value !== null && (typeof value !== 'number' || Number.isFinite(value)),
    ),
  ) as Known<Figures>;
}
