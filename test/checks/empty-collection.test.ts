import { describe, expect, it } from 'vitest';
import { emptyCollection } from '../../checks/empty-collection.js';
import type { CollectionReads } from '../../src/check.js';
import { problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';
import { readsOf } from '../support/workload/reads.js';

const empty = (storageSize: number, rest: Given = {}): Given => ({
  indexes: [ID_INDEX],
  sizes: [],
  sample: { complete: true },
  ...rest,
  storage: { count: 0, size: 0, storageSize, totalIndexSize: 4_096, ...rest.storage },
});

const MISSPELT = readsOf([{ find: { filter: { number: 1 } } }]) as CollectionReads;
/** Tokens that are inserted, and deleted when they are used. */
const IN_USE = readsOf([{ kind: 'insert' }, { kind: 'findAndModify' }]) as CollectionReads;

describe('empty collections', () => {
  it.each<[string, Given, { confidence: string; says: string }]>([
    ['never written to', empty(4_096), { confidence: 'medium', says: 'one that never held a document.' }],
    [
      'never written to, on three shards',
      empty(12_288, { storage: { shards: 3 } }),
      { confidence: 'medium', says: 'never held' },
    ],
    ['never written to, but read', empty(4_096, { reads: MISSPELT }), { confidence: 'medium', says: 'never held' }],
    ['emptied', empty(53_248), { confidence: 'low', says: 'but it once held documents.' }],
    [
      'emptied, with indexes',
      empty(53_248, { indexes: [ID_INDEX, index({ a: 1 }), index({ b: 1 })] }),
      { confidence: 'low', says: 'It has 2 indexes in addition to the one on _id.' },
    ],
    [
      'emptied, with a validator',
      empty(53_248, { collection: { validator: { $jsonSchema: {} } } }),
      { confidence: 'low', says: 'but it once held documents.' },
    ],
    [
      'never written to, with a validator that asks for nothing',
      empty(4_096, { collection: { validator: {} } }),
      { confidence: 'medium', says: 'never held' },
    ],
  ])('%s', (_, given, { confidence, says }) => {
    const found = problem(emptyCollection, given);
    expect(found).toMatchObject({ severity: 'info', confidence, path: null });
    expect(found.message).toContain(says);
    expect(found.remedy.commands).toBeUndefined();
  });
});

describe('collections that are no finding', () => {
  it.each<[string, Given]>([
    ['one document', { indexes: [ID_INDEX], sizes: [100], storage: { count: 1 } }],
    ['documents that the metadata do not count', empty(4_096, { sizes: [100], storage: { count: 0 } })],
    ['not read to its end', empty(4_096, { sample: { complete: false } })],
    ['with a document that is no BSON', empty(4_096, { profile: { malformed: { documents: 1, detail: null } } })],
    [
      'never written to, declared by its indexes',
      empty(4_096, { indexes: [ID_INDEX, index({ a: 1 }), index({ b: 1 })] }),
    ],
    ['never written to, declared by its validator', empty(4_096, { collection: { validator: { $jsonSchema: {} } } })],
    ['emptied, and in use', empty(53_248, { reads: IN_USE })],
    ['in use, and empty at each checkpoint', empty(4_096, { reads: IN_USE })],
    ['capped', empty(4_096, { collection: { capped: { sizeBytes: 1_000_000 } } })],
    ['with a TTL index', empty(4_096, { indexes: [ID_INDEX, index({ at: 1 }, { expireAfterSeconds: 60 })] })],
  ])('%s', (_, given) => {
    expect(problems(emptyCollection, given)).toEqual([]);
  });
});
