import type { Document } from 'mongodb';
import { documentIn, textIn } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Collection } from '../inventory/collection.js';
import { isIdIndex } from '../inventory/index-key.js';
import { INDEX_STATISTICS } from './index-usage.js';
import { COLLECTION_SIZES } from '../inventory/storage.js';
import type { GroupedStatistics } from '../inventory/groups/grouped-statistics.js';

/** JavaScript puts such names before all others. */
const WHOLE_NUMBER = /^\d+$/;

/** An index as the server describes it. */
export interface FoundIndex {
  readonly spec: Document;
  readonly building: boolean;
}

/**
 * As `listIndexes` has them, out of statistics that are read anyway: descriptions from `$indexStats`, their order from
 * `$collStats`. Null if these leave something out, such as the clustered index, or disagree.
 */
export async function groupedIndexes(
  reader: ClusterReader,
  collection: Collection,
  grouped: GroupedStatistics,
): Promise<readonly FoundIndex[] | null> {
  const [sizes] = (await grouped.of(reader, collection, COLLECTION_SIZES)) ?? [];
  const names = Object.keys(documentIn(sizes, 'storageStats.indexSizes') ?? {});
  if (names.length === 0 || names.some((name) => WHOLE_NUMBER.test(name))) return null;
  const { answering, silent } = await reader.members();
  const [member] = answering;
  if (member === undefined || silent.length > 0) return null;
  const statistics = (await grouped.of(member.reader, collection, INDEX_STATISTICS)) ?? [];
  const byName = new Map(statistics.map((answer) => [textIn(answer, 'name'), answer]));
  if (byName.size !== names.length) return null;
  const found: FoundIndex[] = [];
  for (const name of names) {
    const answer = byName.get(name);
    const spec = documentIn(answer, 'spec');
    if (spec === null) return null;
    found.push({ spec, building: answer?.['building'] === true });
  }
  return found.some(({ spec }) => isIdIndex({ key: documentIn(spec, 'key') ?? {}, clustered: false })) ? found : null;
}
