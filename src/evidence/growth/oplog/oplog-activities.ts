import { ArrayActivity } from './array-activity.js';
import type { ArrayChange } from './oplog-diff.js';
import { OplogOperations, type ChangedDocument, type OperationVisitor } from './oplog-operations.js';

const MOST_ARRAYS = 50_000;

/** Milliseconds by which an ObjectId's time may differ from that of the insert to be as good. */
const CLOCK_DIFFERENCE = 10_000;

/** Keeps what happened to each array of each document, and no value beyond that. */
export class OplogActivities implements OperationVisitor {
  private readonly operations = new OplogOperations(this, true);
  /** By the UUID of the collection; there by document and place. */
  private readonly collections = new Map<string, Map<string, ArrayActivity>>();
  /** By collection and `_id`: when documents were inserted whose ObjectId does not show it, and which were deleted. */
  private readonly createdAt = new Map<string, number>();
  private readonly gone = new Set<string>();
  private arrays = 0;

  get unread(): number {
    return this.operations.unread;
  }

  /** @param stretch the part of the oplog: between two of them, entries were left out */
  add(entry: Uint8Array, stretch: number): void {
    this.operations.add(entry, stretch);
  }

  /** By the UUID of their collection, in hexadecimal, without arrays of deleted documents. */
  byCollection(): Map<string, ArrayActivity[]> {
    const left = (activities: ReadonlyMap<string, ArrayActivity>) =>
      [...activities.values()].filter(({ document }) => !this.gone.has(document));
    return new Map([...this.collections].map(([collection, activities]) => [collection, left(activities)]));
  }

  updated(document: ChangedDocument, changes: readonly ArrayChange[], at: number, stretch: number): void {
    const { collection, key } = document;
    const activities = this.collections.get(collection) ?? new Map<string, ArrayActivity>();
    this.collections.set(collection, activities);
    for (const one of changes) {
      const place = `${key} ${one.place}`;
      const known = activities.get(place);
      if (known !== undefined) {
        known.change(one, at, stretch);
      } else if (this.arrays < MOST_ARRAYS) {
        this.arrays += 1;
        const createdAt = this.createdAt.get(key) ?? document.createdAt;
        activities.set(place, new ArrayActivity(one.path, key, createdAt, one, at, stretch));
      }
    }
  }

  inserted({ key, createdAt }: ChangedDocument, at: number): void {
    if (createdAt === null || Math.abs(createdAt - at) > CLOCK_DIFFERENCE) this.createdAt.set(key, at);
  }

  deleted({ key }: ChangedDocument): void {
    this.gone.add(key);
  }
}
