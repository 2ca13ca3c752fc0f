/** What the advisor never advises, by what the sample and the recording tell. Each case is the smallest of an application's. */
import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { unselectiveFilter } from '../../checks/unselective-filter.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { problemsIn, type Recorded } from '../support/checks/workload-builders.js';

function field(path: string, distinct: number, alike = 1 / distinct): FieldType {
  return {
    path,
    types: { int: 100 },
    documents: 100,
    elementsPerArray: null,
    longestString: null,
    spread: { compared: 2_000, distinct, commonest: 1 / distinct, alike },
  };
}

function find(filter: object, { sort = {}, limit = 0, returned = 10 } = {}): Recorded {
  return { command: { filter, sort, limit }, figures: { documentsReturned: returned * 1_000 } };
}

const FIELDS = [field('verified', 1), field('name', 2_000), field('seen', 2_000), field('room', 1_000, 0.26)];

const advised = (recorded: readonly Recorded[]) =>
  problemsIn(collectionScan, { recorded, indexes: [], fields: FIELDS }).flatMap(({ remedy }) =>
    (remedy.commands ?? []).flatMap(({ command }) =>
      (command['indexes'] as { name: string }[]).map(({ name }) => name),
    ),
  );

/** What is said of a search for a name, beside an index. */
function messageBeside(...given: Parameters<typeof index>): string | undefined {
  const recorded = [find({ name: 3, room: null })];
  return problemsIn(collectionScan, { recorded, indexes: [index(...given)], fields: FIELDS })[0]?.message;
}

const upsert = (options: object = {}): Recorded => ({
  kind: 'update',
  command: { q: { name: 3, room: 2 }, u: { $set: { seen: 1 } }, upsert: true, ...options },
});
const remediesOf = (recorded: Recorded, indexes: readonly ReturnType<typeof index>[] = []) =>
  problemsIn(collectionScan, { recorded: [recorded], indexes, fields: FIELDS }).map(({ remedy }) => remedy);
const codeOf = (remedies: ReturnType<typeof remediesOf>) =>
  remedies.flatMap(({ steps }) => steps.map(({ code = '' }) => code)).join('\n');

describe('the advice', () => {
  it.each<[string, readonly Recorded[], string[]]>([
    [
      'gives a page that is full its order: a range on numbers may find half of all documents',
      [find({ verified: 1, name: { $gt: 3 } }, { sort: { seen: -1 }, limit: 20, returned: 20 })],
      ['seen_-1'],
    ],
    [
      'has a field of one value behind those that find',
      [find({ verified: 1, name: 2 }), find({ verified: 1, name: 2, seen: { $gt: 7 } })],
      ['name_1_verified_1_seen_1'],
    ],
    [
      'has no index for a branch of $or that asks by _id',
      [find({ $or: [{ _id: { $in: [1, 2] } }, { name: 2 }, { room: { $in: [3, 4] } }] }, { sort: { seen: -1 } })],
      ['name_1', 'room_1'],
    ],
    [
      'has one wildcard index in the place of many on the fields of one map',
      ['color', 'size', 'weight', 'brand'].map((name) => find({ [`attributes.${name}`]: 1 })),
      ['attributes.$**_1'],
    ],
    [
      'has an index for each of a few fields of a map',
      ['color', 'size'].map((name) => find({ [`attributes.${name}`]: 1 })),
      ['attributes.color_1', 'attributes.size_1'],
    ],
    [
      'has an index for what a wildcard index does not serve',
      ['color', 'size', 'weight', 'brand', 'none'].map((name) =>
        find({ [`attributes.${name}`]: name === 'none' ? null : 1 }),
      ),
      ['attributes.$**_1', 'attributes.none_1'],
    ],
  ])('%s', (_, recorded, names) => {
    expect(advised(recorded).toSorted()).toEqual(names.toSorted());
  });

  it('takes no negation for all that selects where a mean over values of different frequency is high', () => {
    const counting: Recorded = {
      kind: 'count',
      command: { query: { room: 3, hidden: { $ne: true } } },
      plan: 'IXSCAN { room: 1 }',
      figures: { documentsExamined: 11_000 * 1_000, keysExamined: 11_000 * 1_000, documentsReturned: null },
    };
    const given = { recorded: [counting], indexes: [index({ room: 1 })], fields: FIELDS };
    expect(problemsIn(unselectiveFilter, given)).toEqual([]);
    expect(problemsIn(unselectiveFilter, { ...given, fields: [] })).toHaveLength(1);
  });

  it('creates a unique index where an upsert looks for its document by the same fields, and no plain one', () => {
    const remedies = remediesOf(upsert());
    expect(remedies.flatMap(({ commands = [] }) => commands)).toEqual([]);
    expect(codeOf(remedies)).toContain(
      'createIndex({ name: 1, room: 1 }, { unique: true, name: "name_1_room_1_unique" })',
    );
  });

  it('gives that the collation by which the upsert compares', () => {
    expect(codeOf(remediesOf(upsert({ collation: { locale: 'en', strength: 2 } })))).toContain(
      '{ unique: true, name: "name_1_room_1_unique", collation: { "locale": "en", "strength": 2 } }',
    );
  });

  it('shows a hidden index of these fields again, and builds none', () => {
    const remedies = remediesOf(upsert(), [index({ name: 1, room: 1 }, { hidden: true })]);
    expect(remedies.flatMap(({ commands = [] }) => commands)).toMatchObject([
      { command: { index: { hidden: false } } },
    ]);
    expect(codeOf(remedies)).not.toContain('unique');
  });

  it('says which index on these fields cannot be used, in whatever order, and why', () => {
    const partial = { partialFilterExpression: { seen: 1 } };
    expect(messageBeside({ name: 1, room: 1 }, partial)).toContain(
      'The index `name_1_room_1` does not serve it: it is partial and holds only the documents that match its filter',
    );
    expect(messageBeside({ room: 1, name: 1 }, partial)).toContain(
      'The index `room_1_name_1` does not serve it: it is partial',
    );
    expect(messageBeside({ seen: 1, name: 1 })).not.toContain('does not serve it');
  });
});
