import { isQueryable } from '../../profile/path-steps.js';
import type { Distribution } from '../../profile/document-profile.js';
import type { Collection } from '../../inventory/collection.js';
import type { PartReads } from '../documents/part-reads.js';
import type { ArrayElements } from './array-elements.js';

export interface ArrayToBound {
  readonly collection: Pick<Collection, 'name' | 'database' | 'namespace'>;
  /** Path of the array, without `[]` at its end. */
  readonly path: string;
  /** True for the inner arrays of an array of arrays: `path` then leads to the outer one. */
  readonly isInArray: boolean;
  readonly elements: ArrayElements;
  /** Elements per array; or per document, if only all arrays of a document together are long. */
  readonly lengths: Distribution;
  readonly countedPer: 'array' | 'document';
  readonly tooLong: number;
  /** The part of it that reads return; null if they return the whole, or it is not known. */
  readonly reads: PartReads | null;
}

/** Whether a query or an update can name the array: a wrong name would find nothing, or write to another array. */
export function isReachable({ path, isInArray }: ArrayToBound): boolean {
  return !isInArray && isQueryable(path);
}
