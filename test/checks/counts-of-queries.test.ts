import { describe, expect, it } from 'vitest';
import { poorTargeting } from '../../checks/poor-targeting.js';
import type { BsonType } from '../../src/profile/document-profile.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, type GivenWorkload, type Recorded } from '../support/checks/workload-builders.js';

const GROUP = { $group: { _id: '$status', count: { $sum: 1 } } };
const pipeline = (...stages: readonly object[]): Recorded => ({ kind: 'aggregate', command: { pipeline: stages } });
const counted = (filter: object, examined: number, plan = 'IXSCAN { status: 1 }'): Recorded => ({
  kind: 'count',
  command: { query: { status: 'open', ...filter } },
  plan,
  figures: { documentsExamined: 1_000 * examined, documentsReturned: null },
});

const ofTwo = (path: string, type: BsonType): FieldType => ({
  path,
  types: { [type]: 100 },
  documents: 100,
  elementsPerArray: null,
  longestString: null,
  spread: { compared: 2_000, distinct: 2, commonest: 0.99, alike: 0.98 },
});
/** 190,000 keys, and no document. */
const ofKeys: Recorded = {
  ...counted({ deleted: false }, 0, 'COUNT_SCAN { status: 1, at: -1, deleted: 1 }'),
  figures: { documentsExamined: 0, keysExamined: 190_000_000, documentsReturned: null },
};

describe('a count by more fields than the index has', () => {
  const NUMBERS = ['status', 'number', 'deleted'];
  const MANY = { documents: 200_000, fields: NUMBERS };

  it.each<[string, GivenWorkload, string[]]>([
    [
      '20,000 documents, where keys would do',
      { recorded: [counted({ number: 3 }, 20_000)], ...MANY },
      ['warning status_1_number_1'],
    ],
    [
      'the same by a range',
      { recorded: [counted({ number: { $gt: 3 } }, 20_000)], ...MANY },
      ['warning status_1_number_1'],
    ],
    [
      'by two ranges, of which one is on a field that few documents have',
      {
        recorded: [counted({ number: { $gt: 3 }, rank: { $gt: 0 } }, 20_000)],
        documents: 200_000,
        fields: [...NUMBERS, { ...ofTwo('rank', 'int'), documents: 60 }],
      },
      ['warning status_1_rank_1_number_1'],
    ],
    [
      'the same by a truth value',
      { recorded: [counted({ deleted: false }, 20_000)], ...MANY },
      ['warning status_1_deleted_1'],
    ],
    ['2,000 of 200,000', { recorded: [counted({ number: 3 }, 2_000)], ...MANY }, ['info status_1_number_1']],
    ['2,000 of 20,000', { recorded: [counted({ number: 3 }, 2_000)], fields: NUMBERS }, ['warning status_1_number_1']],
    ['900', { recorded: [counted({ number: 3 }, 900)], ...MANY }, []],
    [
      'fields that may hold arrays, whose keys are counted as well',
      { recorded: [counted({ number: 3 }, 20_000)], documents: 200_000 },
      ['warning status_1_number_1'],
    ],
    [
      'with its index',
      { recorded: [counted({ number: 3 }, 20_000)], ...MANY, indexes: [index({ status: 1, number: 1 })] },
      [],
    ],
    ['of all that the index finds', { recorded: [counted({}, 20_000)], ...MANY }, []],
    [
      'of a pipeline',
      {
        recorded: [{ ...counted({}, 20_000), ...pipeline({ $match: { status: 'open', number: 3 } }, { $count: 'n' }) }],
        ...MANY,
      },
      ['warning status_1_number_1'],
    ],
    [
      'of a pipeline, up to a limit',
      {
        recorded: [
          {
            ...counted({}, 20_000),
            ...pipeline(
              { $match: { status: 'open', number: 3 } },
              { $limit: 30_000 },
              { $group: { _id: 1, n: { $sum: 1 } } },
            ),
          },
        ],
        ...MANY,
      },
      ['warning status_1_number_1'],
    ],
    [
      'of what a negation leaves beside an empty array, which is compared in documents',
      { recorded: [counted({ number: { $ne: 3 }, tags: [] }, 20_000, 'IXSCAN { status: 1, tags: 1 }')], ...MANY },
      [],
    ],
    [
      'of what a negation leaves',
      { recorded: [counted({ number: { $ne: 3 } }, 20_000)], ...MANY },
      ['warning status_1_number_1'],
    ],
    [
      'with an index that hint() does without',
      {
        recorded: [
          {
            ...counted({ number: 3 }, 20_000),
            figures: { documentsExamined: 20_000_000, documentsReturned: null, hints: { status_1: 900 } },
          },
        ],
        ...MANY,
        indexes: [index({ status: 1 }), index({ status: 1, number: 1 })],
      },
      ['warning status_1'],
    ],
    [
      'keys of all that are counted, in another order',
      {
        recorded: [ofKeys],
        documents: 200_000,
        fields: [ofTwo('status', 'string'), ofTwo('deleted', 'bool')],
      },
      [],
    ],
    [
      'many keys for few that are counted, in another order',
      {
        recorded: [ofKeys],
        documents: 200_000,
        fields: [
          ofTwo('status', 'string'),
          { ...ofTwo('deleted', 'bool'), spread: { compared: 2_000, distinct: 50, commonest: 0.02, alike: 0.02 } },
        ],
      },
      ['info deleted_1_status_1'],
    ],
    [
      'distinct values, which an index of all three fields has in order',
      {
        recorded: [
          {
            ...counted({ number: 3 }, 20_000),
            kind: 'distinct',
            command: { key: 'a', query: { status: 'open', number: 3 } },
          },
        ],
        ...MANY,
      },
      ['info status_1_number_1_a_1'],
    ],
  ])('%s', (_, given, expected) => {
    expect(foundIn(poorTargeting, given)).toEqual(expected);
  });
});

describe('a group', () => {
  const groupedBy = (filter: object): Recorded => ({
    ...grouped(1),
    ...pipeline({ $match: { status: 'open', ...filter } }, GROUP),
  });
  const grouped = (returned: number): Recorded => ({
    ...pipeline({ $match: { status: 'open', number: 3 } }, GROUP),
    plan: 'IXSCAN { status: 1 }',
    figures: { documentsExamined: 2_700_000, documentsReturned: 1_000 * returned },
  });

  it.each<[string, Recorded, string[]]>([
    ['of nothing, for which 2,700 documents are examined', grouped(0), ['warning status_1_number_1']],
    ['of some that match, nobody knows how many', grouped(1), ['info status_1_number_1']],
    [
      'that a filter may have emptied',
      { ...grouped(0), ...pipeline({ $match: { status: 'open', number: 3 } }, GROUP, { $match: { count: 9 } }) },
      ['info status_1_number_1'],
    ],
    ['by a truth value, which may leave out little', groupedBy({ deleted: false }), []],
    ['by the value that most documents have, such as that of the largest tenant', groupedBy({ tenant: 1 }), []],
    ['by one of many values', groupedBy({ shop: 1 }), ['info status_1_shop_1']],
    ['by null', groupedBy({ deleted: null }), []],
    ['by a range', groupedBy({ number: { $gt: 3 } }), []],
  ])('%s', (_, recorded, expected) => {
    const shop = { ...ofTwo('shop', 'int'), spread: { compared: 2_000, distinct: 50, commonest: 0.02, alike: 0.02 } };
    expect(foundIn(poorTargeting, { recorded: [recorded], fields: [ofTwo('tenant', 'int'), shop] })).toEqual(expected);
  });
});
