import { z } from 'zod';
import { formatDuration, formatShare, plural } from '../../format.js';
import { databaseOf } from '../../namespace.js';
import type { Plain } from '../../plain.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../../time-units.js';
import type { JoinUse } from '../joins/join.js';
import { GIVEN_DOCUMENTS } from '../shapes/shape.js';
import { widened, type Window, windowSchema } from '../window.js';
import {
  type Coverage,
  coverageSchema,
  FIGURE_SOURCES,
  type FigureSource,
  type Operation,
  type SourcePart,
  type Workload,
} from '../workload.js';

/** Where some joins are known from: the source with the most executions, or definitions of views or source code alone. */
export interface JoinRecord extends RecordedWindow {
  /** "profiler", "view definition", "source code". */
  readonly source: string;
  /** Null if no recording shows the joins. */
  readonly seen: Recording | null;
}

export const SOURCE_NAMES: Readonly<Record<FigureSource, string>> = {
  profiler: 'profiler',
  queryStats: 'query stats',
  logFile: 'log file',
  recentLog: 'recent log lines',
  routerLog: 'log of mongos',
};

export const sourceCoverageSchema = z.strictObject({
  operations: coverageSchema.shape.operations,
  /** Faster operations were not seen, in ms; null if all were, if members differ, or if it is unknown. */
  slowMilliseconds: z.number().nullable(),
  /** Share of those operations that was kept, below 1; absent if all were, if members differ, or if it is unknown. */
  sampleRate: z.number().exactOptional(),
  window: windowSchema.nullable(),
});

export type SourceCoverage = Plain<typeof sourceCoverageSchema>;

/** Operations by the source that knows the most of their executions: others may have seen the same ones. */
export interface Recording {
  readonly source: FigureSource;
  readonly coverage: SourceCoverage;
  readonly executions: number;
  /** Those of production, if some were recorded there and others here. */
  readonly operations: readonly Operation[];
}

export function joinRecord(uses: readonly JoinUse[], workload: Workload): JoinRecord {
  const all = [...new Set(uses.flatMap(({ operation }) => operation ?? []))];
  if (all.length === 0) {
    const views = [...new Set(uses.flatMap(({ view }) => view?.namespace ?? []))];
    return views.length === 0
      ? { source: 'source code', window: 'the source as it is', seen: null }
      : { source: 'view definition', window: `definition of ${views.join(', ')}`, seen: null };
  }
  const seen = recordingOf(all, workload);
  const { source, executions, coverage, operations } = seen;
  return { source: SOURCE_NAMES[source], ...recordedWindow(executions, coverage, operations), seen };
}

/** @param all one at least, on collections of one database: its profiler says what they cover */
export function recordingOf(all: readonly Operation[], workload: Workload): Recording {
  const operations = ofOneRecord(all, (operation) => operation);
  const source = mainSource(operations);
  const database = databaseOf(operations[0]?.shape.namespace ?? '');
  const coverage = sourceCoverage(sourcesOf(workload, operations), source, database);
  return { source, coverage, executions: executionsIn(source, operations), operations };
}

export function mainSource(operations: readonly Operation[]): FigureSource {
  return FIGURE_SOURCES.reduce((best, source) =>
    executionsIn(source, operations) > executionsIn(best, operations) ? source : best,
  );
}

export function executionsIn(source: FigureSource, operations: readonly Operation[]): number {
  return operations.reduce((sum, { figures }) => sum + (figures[source]?.executions ?? 0), 0);
}

/** For people: the view that shows the join, or else the collection whose documents are joined. */
export function joinSource({ view, join: { source } }: JoinUse): string {
  if (view !== null) return view.namespace;
  return source.base.endsWith(`.${GIVEN_DOCUMENTS}`) ? 'documents given in the command' : source.base;
}

/** The operations of production if there are any, among those recorded in two places: figures of both are never added. */
export function ofOneRecord<Recorded>(
  recorded: readonly Recorded[],
  operationOf: (each: Recorded) => Operation,
): readonly Recorded[] {
  const inProduction = recorded.filter((each) => operationOf(each).recordedHere !== true);
  return inProduction.length === 0 ? recorded : inProduction;
}

/** True of operations that a build ran beside production's: how often they did says nothing of a day. */
export function areHere(operations: readonly Operation[]): boolean {
  return operations.some((operation) => operation.recordedHere === true);
}

export function sourcesOf(
  { sources, sourcesHere }: Pick<Workload, 'sources' | 'sourcesHere'>,
  operations: readonly Operation[],
): Pick<Workload, 'sources'> {
  return { sources: areHere(operations) ? (sourcesHere ?? sources) : sources };
}

/** What recorded figures cover, and where they were recorded, if others were in production. */
export interface RecordedWindow {
  /** "1,200 executions in 3.1 h". */
  readonly window: string;
  readonly figuresFrom?: 'here';
}

export function recordedWindow(
  executions: number,
  coverage: SourceCoverage,
  operations: readonly Operation[],
): RecordedWindow {
  const window = windowText(executions, coverage);
  return areHere(operations) ? { window: `${window}, here`, figuresFrom: 'here' } : { window };
}

/** The window of some figures as evidence has it. */
export function windowOf({ window, figuresFrom }: RecordedWindow): RecordedWindow {
  return { window, ...(figuresFrom !== undefined && { figuresFrom }) };
}

const UNKNOWN: SourceCoverage = { operations: 'unknown', slowMilliseconds: null, window: null };

/** The profiler is set for each database and member. If members record differently, the whole is only a part. */
export function sourceCoverage(
  { sources }: Pick<Workload, 'sources'>,
  source: FigureSource,
  database: string,
): SourceCoverage {
  const read = sources[source];
  if (!read.present) return UNKNOWN;
  const parts = read.value.parts.filter((part) => part.database === undefined || part.database === database);
  const [first, ...others] = parts;
  if (first === undefined) return UNKNOWN;
  const isAlike = (name: keyof Coverage) => others.every(({ coverage }) => coverage[name] === first.coverage[name]);
  const { operations, slowMilliseconds, sampleRate } = first.coverage;
  const isSampled = sampleRate !== null && sampleRate < 1 && isAlike('sampleRate');
  return {
    operations: isAlike('operations') ? operations : 'part',
    slowMilliseconds: isAlike('operations') && isAlike('slowMilliseconds') ? slowMilliseconds : null,
    ...(isSampled && { sampleRate }),
    window: jointWindow(parts),
  };
}

/** A profiler that is off now, but has recorded operations faster than its threshold, recorded all of them. */
export function recordedCoverage(
  coverage: SourceCoverage,
  milliseconds: number | null,
  executions: number,
): SourceCoverage {
  const { operations, slowMilliseconds, sampleRate } = coverage;
  const wasAll =
    operations === 'none' &&
    milliseconds !== null &&
    slowMilliseconds !== null &&
    milliseconds / executions < slowMilliseconds;
  return wasAll ? { ...coverage, operations: sampleRate === undefined ? 'all' : 'part' } : coverage;
}

/** "1,200 executions in 3.1 h", "12 recorded executions of more than 100 ms in 2 days (a sample of 10 %)". */
export function windowText(executions: number, coverage: SourceCoverage): string {
  const { operations, sampleRate, window } = coverage;
  const noun = operations === 'part' ? ['recorded execution', 'recorded executions'] : ['execution', 'executions'];
  const span = window === null || window.to === window.from ? '' : ` in ${formatDuration(window.to - window.from)}`;
  const sample = operations !== 'part' || sampleRate === undefined ? '' : ` (a sample of ${formatShare(sampleRate)})`;
  return `${plural(executions, ...(noun as [string, string]))}${slowText(coverage)}${span}${sample}`;
}

function slowText({ operations, slowMilliseconds }: SourceCoverage): string {
  if (operations !== 'slow' && operations !== 'part') return '';
  if (slowMilliseconds !== null) return ` of more than ${formatDuration(slowMilliseconds)}`;
  return operations === 'slow' ? ' that were slow' : '';
}

export function executionsPerDay(executions: number, { operations, window }: SourceCoverage): number | null {
  const watched = window === null ? 0 : window.to - window.from;
  return watched < MS_PER_HOUR || operations === 'part' ? null : (executions / watched) * MS_PER_DAY;
}

/** Operations are timed in whole ms, so a smaller total says nothing about its parts. */
const LEAST_MS = 50;

/** 0 to 1; null if times are unknown, or too short to compare. */
export function shareOfTime(part: number | null, all: number | null): number | null {
  return part === null || all === null || all < LEAST_MS ? null : part / all;
}

function jointWindow(parts: readonly SourcePart[]): Window | null {
  return parts.reduce<Window | null>(
    (all, { window }) => (window === null ? all : widened(all, window.from, window.to)),
    null,
  );
}
