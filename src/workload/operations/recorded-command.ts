import type { Document } from 'mongodb';
import { recordedFigure } from '../../connect/answer.js';
import type { RecordedCommand } from '../shapes/operation-shape.js';
import { OPERATION_KINDS, type OperationKind } from '../workload.js';
import { readsNoDocuments } from './internal-operation.js';

/** `update` and `delete` are missing: they contain statements, each with an entry of its own. */
const KIND_BY_COMMAND: ReadonlyMap<string, OperationKind> = new Map<string, OperationKind>([
  ...OPERATION_KINDS.filter((kind) => kind !== 'update' && kind !== 'delete').map((kind) => [kind, kind] as const),
  ['findandmodify', 'findAndModify'],
]);

const KIND_BY_STATEMENT: ReadonlyMap<unknown, OperationKind> = new Map<unknown, OperationKind>([
  ['update', 'update'],
  ['remove', 'delete'],
]);

/**
 * The operation on data that an entry is about; null if it is about none, or about one of an unknown kind.
 *
 * @param operation `op` of the profiler, `type` of the log
 */
export function recordedCommand(
  namespace: string,
  command: Document,
  { operation, truncated }: { readonly operation: unknown; readonly truncated: boolean },
): RecordedCommand | null {
  // The profiler turns a command of more than 50 KB into a text, cut at that length (measured on 6.0.5).
  const text: unknown = command['$truncated'];
  const isText = typeof text === 'string';
  const name = commandName(command);
  const ofBulk = bulkStatement(name, command);
  if (ofBulk !== null) return { ...ofBulk, namespace, truncated: isText || truncated };
  // A `$merge` is recorded as an update per document, which only this field shows (measured on 6.0.5 and 6.0.27).
  if (command['upsertSupplied'] !== undefined) return null;
  const isStatement = isText ? name === 'q' : command['q'] !== undefined;
  const kind = isStatement ? KIND_BY_STATEMENT.get(operation) : KIND_BY_COMMAND.get(name ?? '');
  if (kind === undefined || (kind === 'aggregate' && readsNoDocuments(command['pipeline']))) return null;
  // Inserted documents have no shape, and no size limit.
  const kept = isText || kind === 'insert' ? {} : command;
  return { kind, namespace, command: kept, truncated: (isText || truncated) && kind !== 'insert' };
}

/**
 * A statement of `bulkWrite` (8.0), whose entry names its namespace by a number: `{ update: 1, filter, updateMods, multi }`.
 * Its operation is `bulkWrite`, or `msg` in the log. Source: `bulk_write_profile.js` of the server's tests.
 */
export function bulkStatement(
  name: string | undefined,
  command: Document,
): Omit<RecordedCommand, 'namespace' | 'truncated'> | null {
  if (name !== 'update' && name !== 'delete') return null;
  const text: unknown = command['$truncated'];
  if (typeof text === 'string') return /^\{ \w+: \d/.test(text) ? { kind: name, command: {} } : null;
  if (recordedFigure(command[name]) === null) return null;
  const { filter = {}, updateMods, multi = false, upsert = false, collation, sort } = command;
  const shared = { q: filter as unknown, ...(collation !== undefined && { collation: collation as unknown }) };
  return name === 'update'
    ? {
        kind: name,
        command: { ...shared, u: updateMods as unknown, multi, upsert, ...(sort !== undefined && { sort }) },
      }
    : { kind: name, command: { ...shared, limit: multi === true ? 0 : 1 } };
}

export function commandName(command: Document): string | undefined {
  const text: unknown = command['$truncated'];
  return typeof text === 'string' ? /^\{ (\w+):/.exec(text)?.[1] : Object.keys(command)[0];
}

const COMMAND_NAME = /^[A-Za-z_]\w{0,40}$/;

/** The name of an unknown command as it may be printed. */
export function commandWord(name: unknown): string {
  return typeof name === 'string' && COMMAND_NAME.test(name) ? name : 'unnamed';
}
