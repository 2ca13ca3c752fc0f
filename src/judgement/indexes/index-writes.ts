import { formatDuration } from '../../format.js';
import type { IndexProposal } from '../../inventory/index-proposal.js';
import { databaseOf } from '../../namespace.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../../time-units.js';
import { areHere, ofOneRecord, SOURCE_NAMES, sourcesOf } from '../../workload/coverage/recording.js';
import { overlap } from '../../workload/joins/references.js';
import { isObjectShape, type Shape } from '../../workload/shapes/shape.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { WRITE_KINDS, type OperationShape } from '../../workload/workload.js';
import { fullRecord, isWrittenBy } from '../joins/child-reads.js';

/** Recorded writes of documents that an index has to follow. */
export interface IndexWrites {
  readonly documents: number;
  /** "profiler, 3.1 h". */
  readonly window: string;
  /** Null if they were recorded for less than an hour. */
  readonly perDay: number | null;
}

/**
 * The documents that were inserted or deleted, or had a field of an index set, by a source that recorded everything; null if
 * none did. Replacements and updates by a pipeline may leave the fields as they are, and count. For several indexes, the sum.
 */
export function indexWrites(
  indexes: readonly Pick<IndexProposal, 'namespace' | 'key'>[],
  workload: TracedWorkload,
): IndexWrites | null {
  const [first] = indexes;
  if (first === undefined || indexes.some(({ namespace }) => namespace !== first.namespace)) return null;
  return writesOn(first.namespace, workload)(indexes.map(({ key }) => key));
}

type Key = IndexProposal['key'];

/** The same for indexes of one collection, by their keys. */
export function writesOn(namespace: string, workload: TracedWorkload): (keys: readonly Key[]) => IndexWrites | null {
  const database = databaseOf(namespace);
  const all = workload.operations.filter(({ shape }) => databaseOf(shape.namespace) === database);
  const operations = ofOneRecord(all, (operation) => operation);
  const record = fullRecord({ ...workload, ...sourcesOf(workload, operations) }, database, operations);
  const window = record?.coverage.window ?? null;
  // No source counts the documents that a pipeline writes.
  const isKnown = !operations.some(({ shape }) => isWrittenBy(shape, namespace));
  if (record === null || window === null || !isKnown) return () => null;
  const { source } = record;
  const writing = operations.filter(({ shape }) => shape.namespace === namespace && WRITE_KINDS.has(shape.kind));
  const watched = window.to - window.from;
  const isEnough = watched >= MS_PER_HOUR && !areHere(operations);
  return (keys) => {
    let documents = 0;
    for (const key of keys)
      for (const operation of writing.filter(({ shape }) => writes(shape, key))) {
        const { documentsWritten } = operation.figures[source] ?? { documentsWritten: 0 };
        // The source does not report it.
        if (documentsWritten === null) return null;
        documents += documentsWritten;
      }
    return {
      documents,
      window: `${SOURCE_NAMES[source]}, ${formatDuration(watched)}`,
      perDay: isEnough ? Math.round((documents / watched) * MS_PER_DAY) : null,
    };
  };
}

/** Whether an operation changes what an index holds, as far as its shape tells. */
function writes({ kind, update, truncated }: OperationShape, key: Key): boolean {
  if (kind === 'insert' || kind === 'delete' || update === undefined || truncated === true) return true;
  if (!isObjectShape(update)) return true;
  const paths = Object.keys(key);
  return Object.entries(update).some(([operator, fields]) => operator === '$rename' || setsAny(fields, paths));
}

function setsAny(fields: Shape, paths: readonly string[]): boolean {
  if (!isObjectShape(fields)) return true;
  return Object.keys(fields).some((written) => paths.some((path) => overlap(withoutPositions(written), path)));
}

/** `items.$[].price` and `items.0.price` write `items.price`. */
function withoutPositions(path: string): string {
  return path
    .split('.')
    .filter((name) => !/^(?:\$|\$\[.*\]|\d+|\*)$/.test(name))
    .join('.');
}
