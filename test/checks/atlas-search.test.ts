/** Search and vector search of Atlas: mongot finds the documents, whatever indexes the collection has. */
import { describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck } from '../../src/check.js';
import { problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const SEARCH = { $search: { index: 'default', text: { query: 'lamp', path: 'name' } } };
const VECTORS = {
  $vectorSearch: { index: 'vectors', path: 'embedding', queryVector: [0.1, 0.2], numCandidates: 2_000, limit: 20 },
};
const GIVEN: ReadonlySet<string> = new Set(['workload', 'server']);
const checks = builtInChecks
  .filter(isClusterCheck)
  .filter(({ clusterNeeds }) => clusterNeeds.includes('workload') && clusterNeeds.every((each) => GIVEN.has(each)));

/** Stood in: such a server can't be had here. What mongot finds is fetched by `_id`, so as much is examined as returned or filtered. */
const recorded = (pipeline: readonly object[], returned: number): Recorded => ({
  kind: 'aggregate',
  command: { pipeline },
  plan: 'COLLSCAN',
  figures: {
    executions: 5_000,
    documentsExamined: 5_000 * 2_000,
    documentsReturned: 5_000 * returned,
    inMemorySorts: 5_000,
  },
});

const found = (pipeline: readonly object[], returned: number) => {
  const given = { documents: 200_000, recorded: [recorded(pipeline, returned)], days: 2 };
  return checks.flatMap((check) => problemsIn(check, given).map(({ path }) => `${check.id} ${path}`));
};

describe('a pipeline that begins with a search', () => {
  it.each<[string, readonly object[], number]>([
    ['of text', [SEARCH], 2_000],
    ['of vectors', [VECTORS], 20],
    ['with a filter behind it', [SEARCH, { $match: { status: 'open' } }], 20],
    ['with a regular expression behind it', [SEARCH, { $match: { name: { $regex: 'x', $options: 'i' } } }], 20],
    ['with a sort behind it', [SEARCH, { $sort: { price: 1 } }, { $limit: 20 }], 20],
    ['with a deep page', [SEARCH, { $skip: 5_000 }, { $limit: 20 }], 20],
    ['with the number of what was found', [SEARCH, { $count: 'found' }], 1],
  ])('%s: no check says that an index is missing', (_, pipeline, returned) => {
    expect(found(pipeline, returned)).toEqual([]);
  });

  it.each<[string, readonly object[]]>([
    ['collection-scan status_1', [{ $match: { status: 'open' } }]],
    ['in-memory-sort price_1', [{ $sort: { price: 1 } }, { $limit: 20 }]],
  ])('not so without the search: %s', (expected, pipeline) => expect(found(pipeline, 20)).toContain(expected));
});
