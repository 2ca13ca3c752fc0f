import { databaseOf } from '../../namespace.js';
import { ownValue } from '../../plain.js';
import { recordedCoverage, sourceCoverage, type SourceCoverage } from '../../workload/coverage/recording.js';
import { childRelation, type ChildRelation, type Join } from '../../workload/joins/join.js';
import { isObjectShape, type Shape } from '../../workload/shapes/shape.js';
import type { TracedOperation } from '../../workload/traced-workload.js';
import {
  FIGURE_SOURCES,
  type FigureSource,
  type Operation,
  type OperationKind,
  type OperationShape,
  type Workload,
  WRITE_KINDS,
} from '../../workload/workload.js';
import { sumOf } from '../quotient.js';
import type { JoinedCluster } from './joined-cluster.js';

/** How the documents of a child collection are read and written, in executions of a source that saw every operation. */
export interface ChildReads extends FullRecord {
  readonly joined: number;
  /** Reads of the children themselves by the key of one parent or several, as far as parents were read too. */
  readonly byParent: number;
  /** All other reads of them: by other fields, as a whole, or joined to something else. */
  readonly alone: number;
  readonly writes: number;
  /** Children inserted minus children deleted, in documents. */
  readonly added: number;
  /** Parents inserted minus parents deleted, in documents. */
  readonly parentsAdded: number;
  readonly parentReads: number;
  /** The field that the joins put the children into; null if they name none. */
  readonly as: string | null;
}

const DOCUMENT_READS = new Set<OperationKind>(['find', 'aggregate']);

/** How the children of a relation are read and written; null if no source recorded every operation on their database. */
export function childReads({ workload }: JoinedCluster): (relation: ChildRelation) => ChildReads | null {
  return (relation) => {
    const concerned = workload.tracedOperations.filter((operation) => concerns(operation, relation));
    const record = fullRecord(
      workload,
      databaseOf(relation.child),
      concerned.map(({ operation }) => operation),
    );
    return record === null ? null : countsOf(concerned, relation, record);
  };
}

function concerns({ operation: { shape }, base, joins }: TracedOperation, { parent, child }: ChildRelation): boolean {
  return (
    base === parent ||
    base === child ||
    joins.some(({ foreign }) => foreign.base === child) ||
    isUnited(shape, child) ||
    isWrittenBy(shape, child)
  );
}

function countsOf(operations: readonly TracedOperation[], relation: ChildRelation, record: FullRecord): ChildReads {
  const { parent, child, path } = relation;
  const counts = { joined: 0, byParent: 0, alone: 0, writes: 0, added: 0, parentReads: 0, parentsAdded: 0 };
  let as: string | null = null;
  for (const { operation, base, joins } of operations) {
    const { shape } = operation;
    const executions = operation.figures[record.source]?.executions ?? 0;
    const toChild = joins.filter(({ foreign }) => foreign.base === child);
    if (base === child) counts.added += added(operation, record.source);
    if (base === parent) counts.parentsAdded += added(operation, record.source);
    if (base === parent && DOCUMENT_READS.has(shape.kind)) counts.parentReads += executions;
    if (isWrittenBy(shape, child) || (base === child && WRITE_KINDS.has(shape.kind))) counts.writes += executions;
    else if (base === child) counts[asksForParent(shape, path) ? 'byParent' : 'alone'] += executions;
    else if (isUnited(shape, child) || toChild.some((join) => !follows(join, relation))) counts.alone += executions;
    else if (toChild.length > 0) {
      counts.joined += executions;
      as ??= toChild.find((join) => join.as !== null)?.as ?? null;
    }
  }
  // A read of a parent is followed by one of its children at most.
  const byParent = Math.min(counts.byParent, Math.max(0, counts.parentReads - counts.joined));
  return { ...record, ...counts, byParent, alone: counts.alone + counts.byParent - byParent, as };
}

/** Negative if it deletes documents. */
function added({ shape: { kind }, figures }: Operation, source: FigureSource): number {
  const { documentsWritten = null, executions = 0 } = figures[source] ?? {};
  if (kind === 'insert') return documentsWritten ?? executions;
  return kind === 'delete' ? -(documentsWritten ?? executions) : 0;
}

export function isUnited({ pipeline }: OperationShape, child: string): boolean {
  return names(child, ['$unionWith'], pipeline);
}

/** Whether the last stage writes to the collection. */
export function isWrittenBy({ pipeline }: OperationShape, child: string): boolean {
  return names(child, ['$merge', '$out'], pipeline);
}

function follows(join: Join, { parent, child, path }: ChildRelation): boolean {
  const followed = childRelation(join);
  return followed?.parent === parent && followed.child === child && followed.path === path;
}

/** Whether it reads by the parent's key: of one parent, or of several at once. */
function asksForParent({ kind, pipeline, filter, truncated }: OperationShape, path: string): boolean {
  if (truncated === true || !DOCUMENT_READS.has(kind)) return false;
  const asked = filter ?? pipeline?.[0]?.['$match'];
  const condition = isObjectShape(asked) ? ownValue(asked, path) : undefined;
  return isObjectShape(condition) && ('$eq' in condition || '$in' in condition);
}

/** Whether a pipeline has one of these stages, at any depth, that names the collection. */
function names(child: string, stages: readonly string[], shape: Shape = []): boolean {
  if (typeof shape !== 'object') return false;
  if (!isObjectShape(shape)) return shape.some((each) => names(child, stages, each));
  return Object.entries(shape).some(
    ([name, body]) => (stages.includes(name) && isNamed(child, body)) || names(child, stages, body),
  );
}

function isNamed(child: string, body: Shape): boolean {
  return body === child || (isObjectShape(body) && (body['coll'] === child || body['into'] === child));
}

/** A source that saw every operation on a database, reads and writes, on every member. */
export interface FullRecord {
  readonly source: FigureSource;
  readonly coverage: SourceCoverage;
}

/**
 * The source that recorded everything while it was on, so that what it did not record did not happen; null if there is
 * none. Query stats never qualify: they hold no writes, or from 9.0 on a sample of them.
 *
 * @param operations those in question; their times show whether a profiler that is off now recorded all operations
 */
export function fullRecord(workload: Workload, database: string, operations: readonly Operation[]): FullRecord | null {
  for (const source of FIGURE_SOURCES) {
    if (source === 'queryStats' || isIncomplete(workload, source, database)) continue;
    const figures = operations.flatMap((operation) => operation.figures[source] ?? []);
    const executions = figures.reduce((sum, each) => sum + each.executions, 0);
    const milliseconds = sumOf(figures, (each) => each.milliseconds);
    const coverage = recordedCoverage(sourceCoverage(workload, source, database), milliseconds, executions);
    if (coverage.operations === 'all') return { source, coverage };
  }
  return null;
}

/** Whether a part of the source could not be read, or a member's profiler was never on. */
function isIncomplete({ sources }: Workload, source: FigureSource, database: string): boolean {
  const read = sources[source];
  if (!read.present) return true;
  const { parts, gaps } = read.value;
  const saidElsewhere = new Set(
    FIGURE_SOURCES.filter((other) => other !== source).flatMap((other) => gapsOf(sources[other])),
  );
  // A profiler that is off in another database is no gap here. What several sources report alike is about the members.
  if (gaps.some(({ reason, detail }) => reason !== 'insufficient' || saidElsewhere.has(detail))) return true;
  const silent = parts.filter(
    (part) => part.database === database && part.coverage.operations === 'none' && part.entries === 0,
  );
  return source === 'profiler' && silent.length > 0;
}

function gapsOf(source: Workload['sources'][FigureSource]): string[] {
  return source.present ? source.value.gaps.map(({ detail }) => detail) : [];
}
