import type { ClusterVerdict, KnownCollection, RemedyStep } from '../../src/check.js';
import { formatCount, plural } from '../../src/format.js';
import { stepsOf } from '../../src/remedy.js';
import type { CollectionFamily } from './named-families.js';

export type Known = KnownCollection<'storage' | 'indexes' | 'fieldTypes'>;

/** @param least members from which it is an info */
export function familyProblem(
  { namespaces, members, dividedBy }: CollectionFamily,
  collections: ReadonlyMap<string, Known>,
  least: number,
): ClusterVerdict {
  const stored = members.flatMap(({ namespace }) => {
    const storage = collections.get(namespace)?.storage;
    return storage?.present === true ? [storage.value] : [];
  });
  const sum = (name: string, of: (storage: (typeof stored)[number]) => number | null) => {
    const known = stored.flatMap((storage) => of(storage) ?? []);
    return known.length === members.length ? { [name]: known.reduce((total, figure) => total + figure, 0) } : {};
  };
  return {
    namespace: namespaces,
    severity: members.length >= 10 * least ? 'warning' : 'info',
    confidence: 'medium',
    path: null,
    message:
      `${formatCount(members.length)} collections have ${dividedBy === 'name' ? 'the same fields and indexes, and names that differ in one part' : `names that differ only in a ${dividedBy}`}. ` +
      'Their number grows with the data. A query over ' +
      'several of them needs $unionWith or application code, and each index exists once per collection.',
    evidence: {
      source: 'listCollections and collStats',
      window: `${plural(members.length, 'collection')}`,
      collections: members.length,
      ...sum('indexes', ({ indexSizes }) => (indexSizes === null ? null : Object.keys(indexSizes).length)),
      ...sum('documents', ({ count }) => count),
      ...sum('size', ({ size }) => size),
      dividedBy,
    },
    remedy: { steps: [...(dividedBy === 'date' ? DATED : NUMBERED), ...MOVING] },
  };
}

const DATED: readonly RemedyStep[] = stepsOf(
  'Create one collection with the date as a field. For measurements, create a time-series collection with expireAfterSeconds. ' +
    'Instead of dropping collections, let a TTL index remove old documents.',
  'Create an index that begins with the field that queries search, then the date. It does what the name does now.',
);
const NUMBERED: readonly RemedyStep[] = stepsOf(
  'Create one collection, with a field for what the name says now. Let its indexes begin with that field.',
  'Alternative, if tenants must be kept apart: a database for each, with its own privileges, or a shard key that begins with the ' +
    'tenant. A view with a filter can replace the old name.',
);
const MOVING: readonly RemedyStep[] = stepsOf(
  'Check whether the same _id occurs in several collections: $merge silently makes one document of them. If so, include in the ' +
    '_id what the name says now.',
  'Copy the documents and switch the application. Keep the old collections until the counts agree and nothing reads them.',
);
