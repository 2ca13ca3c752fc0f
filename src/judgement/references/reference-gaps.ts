import type { ClusterVerdict, KnownCollection } from '../../check.js';
import type { Absent } from '../../presence.js';

/** What could not be judged of references: whole collections, or their values. */
export function referenceGaps(
  collections: ReadonlyMap<string, KnownCollection<'indexes' | 'storage' | 'fieldTypes'>>,
  gaps: readonly Absent[],
): ClusterVerdict[] {
  const ofValues = gaps.map(({ reason, detail }) => ({ notJudged: reason, detail }));
  const plain = [...collections.values()].filter(({ collection }) => collection.kind === 'collection');
  const ofCollections = plain.flatMap(({ collection, indexes, fieldTypes, storage }) => {
    const missing = [fieldTypes, indexes, storage].find((piece) => !piece.present);
    return missing?.present === false
      ? [{ namespace: collection.namespace, notJudged: missing.reason, detail: missing.detail }]
      : [];
  });
  const isNothingJudged = plain.length > 0 && plain.every(({ fieldTypes }) => !fieldTypes.present);
  return [...ofValues, ...ofCollections].map((gap) => (isNothingJudged ? { ...gap, nothingJudged: true } : gap));
}
