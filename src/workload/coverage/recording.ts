import { databaseOf } from '../../namespace.js';
import type { JoinUse } from '../joins/workload-joins.js';
import { GIVEN_DOCUMENTS } from '../shapes/shape.js';
import { FIGURE_SOURCES, type FigureSource, type Operation, type Workload } from '../workload.js';
import { SOURCE_NAMES, sourceCoverage, type SourceCoverage, windowText } from './source-window.js';

/** Where some joins are known from: the source with the most executions, or definitions of views or source code alone. */
export interface JoinRecord extends RecordedWindow {
  /** "profiler", "view definition", "source code". */
  readonly source: string;
  /** Null if no recording shows the joins. */
  readonly seen: Recording | null;
}

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
