import type { ArrayChange } from './oplog-diff.js';
import { OplogOperations, type ChangedDocument, type OperationVisitor } from './oplog-operations.js';
import type { DrawnWrite } from './drawn-writes.js';

/** A write that was drawn; what has become of its array is not known yet. */
export interface UnresolvedWrite extends Omit<DrawnWrite, 'now'> {
  readonly path: string;
}

/** Memory for writes and their `_id`s. */
const MOST_WRITES = 60_000;

/** Keeps the writes to arrays in entries that were drawn, in any order. */
export class OplogDraws implements OperationVisitor {
  private readonly operations = new OplogOperations(this, false);
  /** By the UUID of the collection, in hexadecimal. */
  readonly byCollection = new Map<string, UnresolvedWrite[]>();
  private writes = 0;

  /** Entries whose updates could not be read. */
  get unread(): number {
    return this.operations.unread;
  }

  /** True if no entry wrote to an array. */
  get isEmpty(): boolean {
    return this.writes === 0;
  }

  add(entry: Uint8Array): void {
    this.operations.add(entry, 0);
  }

  updated(document: ChangedDocument, changes: readonly ArrayChange[], at: number): void {
    const { collection, key, createdAt } = document;
    const writes = this.byCollection.get(collection) ?? [];
    this.byCollection.set(collection, writes);
    for (const change of changes) {
      if (this.writes >= MOST_WRITES) return;
      this.writes += 1;
      const { kind, path, place, from, elements } = change;
      writes.push({ document: key, place, at, kind, from, elements, createdAt, path });
    }
  }
}
