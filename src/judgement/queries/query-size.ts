import type { JoinedCollection } from '../joins/joined-cluster.js';
import { judgedSize, type JudgedSize, recordedHere } from '../judged-size.js';
import type { Query } from './query.js';

/** The size of the collection that a query is judged at; null if it is unknown. */
export function sizeFor({ known, operation }: Pick<Query, 'known' | 'operation'>): JudgedSize | null {
  const { collection, storage }: JoinedCollection = known;
  if (!storage.present || storage.value.count === null) return null;
  const size = judgedSize(collection, storage.value.count);
  return operation.recordedHere === true ? recordedHere(size) : size;
}
