import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import type { Collection } from '../../inventory/collection.js';
import type { SamplePlan } from './sample-plan.js';

export async function sampleStages(
  reader: ClusterReader,
  { database, name }: Collection,
  { method, documents }: SamplePlan,
  project: Document,
): Promise<Document[]> {
  switch (method) {
    case 'random-cursor':
      return [{ $sample: { size: documents } }, project];
    case 'random-sort':
      // The projection first: what is sorted must fit the server's memory.
      return [project, { $sample: { size: documents } }];
    case 'id-index':
      return [{ $match: { _id: { $in: pickAtRandom(await reader.findIds(database, name), documents) } } }, project];
    default:
      return [{ $limit: documents }, project];
  }
}

/** Without replacement, by the first steps of a Fisher–Yates shuffle; the array is reordered. */
export function pickAtRandom<T>(items: T[], wanted: number): T[] {
  const picks = Math.min(wanted, items.length);
  for (let index = 0; index < picks; index += 1) {
    const other = index + Math.floor(Math.random() * (items.length - index));
    [items[index], items[other]] = [items[other] as T, items[index] as T];
  }
  return items.slice(0, picks);
}
