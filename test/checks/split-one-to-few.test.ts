import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { splitOneToFew } from '../../checks/split-one-to-few/check.js';
import type { ChildFamilies, OperationFigures } from '../../src/check.js';
import { shardKeyOf } from '../../src/inventory/sharding.js';
import { absent, present } from '../../src/presence.js';
import { index } from '../support/checks/index-builders.js';
import {
  aggregate,
  foundIn,
  judgeCluster,
  problemIn,
  type GivenCluster,
  type GivenCollection,
  type GivenOperation,
} from '../support/checks/joined-evidence.js';
import { severitiesOf } from '../support/checks/reported-problem.js';
import { shardedCollection } from '../support/checks/sharded-evidence.js';

const seen = (executions: number): { figures: Partial<OperationFigures> } => ({
  figures: { executions, milliseconds: executions },
});
const ADDRESSES: Document = {
  $lookup: { from: 'addresses', localField: '_id', foreignField: 'patron', as: 'addresses' },
};

const joined = (executions: number, pipeline: readonly Document[] = [{ $match: { name: 'x' } }, ADDRESSES]) =>
  aggregate(pipeline, { on: 'patrons', ...seen(executions) });
const findPatron = (executions: number): GivenOperation => ({
  on: 'patrons',
  command: { filter: { _id: 1 } },
  ...seen(executions),
});
const findAddress = (executions: number, filter: Document): GivenOperation => ({
  on: 'addresses',
  command: { filter },
  ...seen(executions),
});
const writeAddress = (executions: number, kind: 'insert' | 'update' = 'update'): GivenOperation => ({
  on: 'addresses',
  kind,
  command: kind === 'insert' ? {} : { q: { _id: 1 }, u: { $set: { city: 'x' } } },
  ...seen(executions),
});

const insert = (on: string, documentsWritten: number): GivenOperation => ({
  on,
  kind: 'insert',
  command: {},
  figures: { executions: documentsWritten, documentsWritten, milliseconds: 1 },
});

const LEVEL: NonNullable<ChildFamilies['growth']> = {
  verdict: 'not growing',
  because: 'level',
  windowDays: 300,
  documents: 900,
  correlation: 0,
  rates: null,
};

const FAMILIES: ChildFamilies = {
  parent: 'shop.patrons',
  child: 'shop.addresses',
  path: 'patron',
  families: 900,
  complete: true,
  childrenSeen: 1_800,
  children: { median: 2, most: 4 },
  countedTo: null,
  bytes: { median: 200, most: 400 },
  orphans: 0,
  growth: LEVEL,
};

const COLLECTIONS: Readonly<Record<string, GivenCollection>> = {
  patrons: { documents: 1_000, bytes: 300, largest: 1_000, fields: { _id: { objectId: 100 }, name: { string: 100 } } },
  addresses: {
    documents: 1_800,
    bytes: 100,
    indexes: [index({ patron: 1 })],
    fields: { _id: { objectId: 100 }, patron: { objectId: 100 }, city: { string: 100 } },
  },
};

interface Changes extends Partial<GivenCluster> {
  readonly families?: Partial<ChildFamilies>;
  readonly patrons?: Partial<GivenCollection>;
  readonly addresses?: Partial<GivenCollection>;
}

function library(
  operations: readonly GivenOperation[],
  { families = {}, patrons = {}, addresses = {}, ...rest }: Changes = {},
): GivenCluster {
  return {
    collections: {
      patrons: { ...COLLECTIONS['patrons'], ...patrons },
      addresses: { ...COLLECTIONS['addresses'], ...addresses },
    },
    operations,
    children: { families: [{ ...FAMILIES, ...families }], gaps: [] },
    ...rest,
  };
}

/** Beside the relation that is judged. */
const withAnother = (relation: Partial<ChildFamilies>): Changes => ({
  children: { families: [FAMILIES, { ...FAMILIES, families: 3, ...relation }], gaps: [] },
});

const ALWAYS = [joined(100), writeAddress(4)];

describe('a few children that are always read with their parent', () => {
  it.each<[string, readonly GivenOperation[], string]>([
    ['by a join', [joined(100)], 'warning'],
    ['by a join in half of the reads of parents', [joined(100), findPatron(100)], 'warning'],
    ['by a join in a quarter of them', [joined(100), findPatron(300)], 'info'],
    [
      'by a join, or by the parent’s key right after',
      [joined(60), findPatron(40), findAddress(40, { patron: 1 })],
      'warning',
    ],
    [
      'by the keys of several parents',
      [joined(60), findPatron(40), findAddress(40, { patron: { $in: [1, 2] }, city: 'x' })],
      'warning',
    ],
    ['and alone in one of a hundred', [joined(99), findAddress(1, { city: 'x' })], 'warning'],
    [
      'by a join with a pipeline',
      [
        joined(100, [
          {
            $lookup: {
              from: 'addresses',
              let: { id: '$_id' },
              pipeline: [{ $match: { $expr: { $eq: ['$patron', '$$id'] } } }],
              as: 'a',
            },
          },
        ]),
      ],
      'warning',
    ],
    ['through a view', [{ on: 'patrons_with_addresses', command: { filter: {} }, ...seen(100) }], 'warning'],
    ['and are added with their parents', [joined(1_000), insert('addresses', 30), insert('patrons', 15)], 'warning'],
    [
      'and are added as others are removed',
      [
        joined(1_000),
        insert('addresses', 30),
        {
          on: 'addresses',
          kind: 'delete',
          command: { q: { _id: 1 }, limit: 1 },
          figures: { executions: 25, documentsWritten: 25, milliseconds: 25 },
        },
      ],
      'warning',
    ],
    ['and are written once for ten reads', [joined(100), writeAddress(10)], 'warning'],
  ])('%s', (_, operations, severity) => {
    const views = { patrons_with_addresses: { viewOn: 'patrons', pipeline: [ADDRESSES] } };
    expect(foundIn(splitOneToFew, library(operations, { views }))).toEqual([`${severity} shop.addresses patron`]);
  });
});

describe('silence where the workload says otherwise', () => {
  it.each<[string, readonly GivenOperation[]]>([
    ['nothing ran', []],
    ['a handful of joins', [joined(19)]],
    ['reads by the parent’s key, and no join', [findPatron(100), findAddress(100, { patron: 1 })]],
    [
      'children are read by the parent’s key, and hardly any parent is',
      [joined(60), findPatron(4), findAddress(40, { patron: 1 })],
    ],
    ['children are read by another field', [joined(100), findAddress(10, { city: 'x' })]],
    [
      'children are read as a whole',
      [
        joined(100),
        { on: 'addresses', kind: 'aggregate', command: { pipeline: [{ $group: { _id: '$city' } }] }, ...seen(10) },
      ],
    ],
    ['children are counted', [joined(100), { on: 'addresses', kind: 'count', command: { query: {} }, ...seen(10) }]],
    [
      'children are joined from elsewhere',
      [
        joined(100),
        aggregate([{ $lookup: { from: 'addresses', localField: 'address', foreignField: '_id', as: 'a' } }], seen(10)),
      ],
    ],
    [
      'children are joined as a graph',
      [
        joined(100),
        aggregate(
          [
            {
              $graphLookup: {
                from: 'addresses',
                startWith: '$_id',
                connectFromField: '_id',
                connectToField: 'patron',
                as: 'a',
              },
            },
          ],
          { on: 'patrons', ...seen(10) },
        ),
      ],
    ],
    ['children are united with others', [joined(100), aggregate([{ $unionWith: 'addresses' }], seen(10))]],
    [
      'the parent is joined to the children',
      [
        joined(100),
        aggregate(
          [
            { $match: { city: 'x' } },
            { $lookup: { from: 'patrons', localField: 'patron', foreignField: '_id', as: 'p' } },
          ],
          { on: 'addresses', ...seen(10) },
        ),
      ],
    ],
    ['children are written once for two reads', [joined(100), writeAddress(50)]],
    ['children are mostly added', [joined(100), writeAddress(50, 'insert')]],
    ['children pile up: 30 for one parent', [joined(1_000), insert('addresses', 30), insert('patrons', 1)]],
    ['children pile up, and no parent is added', [joined(1_000), insert('addresses', 30)]],
    ['children are written by a pipeline', [joined(100), aggregate([{ $merge: { into: 'addresses' } }], seen(50))]],
    ['most reads of parents do not need them', [joined(100), findPatron(900)]],
  ])('%s', (_, operations) => {
    expect(judgeCluster(splitOneToFew, library(operations))).toEqual([]);
  });
});

describe('silence where the data says otherwise', () => {
  it.each<[string, Changes]>([
    ['one parent has many', { families: { children: { median: 2, most: 21 } } }],
    [
      'one parent has at least as many as are counted',
      {
        families: { complete: false, countedTo: 200, children: { median: 2, most: 200 } },
        thresholds: { children: 500 },
      },
    ],
    [
      'older parents have more',
      {
        families: {
          growth: { ...LEVEL, verdict: 'growing', because: 'growing', correlation: 0.9 },
        },
      },
    ],
    ['there are few parents with children', { families: { families: 19 } }],
    ['more than one child in twenty has no parent', { families: { orphans: 100 } }],
    ['a child refers to two parents of one collection', withAnother({ path: 'landlord' })],
    ['a family is large', { families: { bytes: { median: 200, most: 300 * 1024 } } }],
    ['a parent is large already', { patrons: { largest: 300 * 1024 } }],
    [
      'another index has found children for long',
      {
        addresses: {
          indexes: [index({ patron: 1 }), index({ city: 1 })],
          accesses: { patron_1: 10_000, city_1: 2_000 },
        },
      },
    ],
  ])('%s', (_, changes) => {
    expect(judgeCluster(splitOneToFew, library(ALWAYS, changes))).toEqual([]);
  });

  it.each<[string, Changes]>([
    ['uses of the index on _id, as updates make them', { addresses: { accesses: { patron_1: 100, _id_: 5_000 } } }],
    [
      'a few uses of another index',
      {
        addresses: { indexes: [index({ patron: 1 }), index({ city: 1 })], accesses: { patron_1: 10_000, city_1: 30 } },
      },
    ],
    ['one or two children without a parent', { families: { orphans: 2 } }],
    ['a second reference that leads elsewhere', withAnother({ parent: 'shop.cities', path: 'city' })],
    ['growth that can’t be told', { families: { growth: null } }],
  ])('but not for %s', (_, changes) => {
    expect(foundIn(splitOneToFew, library(ALWAYS, changes))).toEqual(['warning shop.addresses patron']);
  });
});

describe('children that are picked at random', () => {
  // The labels were written before the first run of the code.
  const picked = { complete: false, childrenSeen: 600, countedTo: 200 } as const;
  const documents = { addresses: { documents: 90_000 }, patrons: { documents: 45_000 } };

  it.each<[string, Partial<ChildFamilies>, readonly string[]]>([
    ['families far smaller than the line', { children: { median: 2, most: 8 } }, ['warning']],
    ['families near the line', { children: { median: 2, most: 15 } }, ['info, warning if sure']],
    ['a few without a parent', { orphans: 5 }, ['warning']],
    ['some without a parent', { orphans: 20 }, ['info, warning if sure']],
    ['many without a parent', { orphans: 40 }, []],
  ])('%s', (_, families, expected) => {
    const given = library(ALWAYS, { families: { ...picked, isByChance: true, ...families }, ...documents });
    expect(severitiesOf(judgeCluster(splitOneToFew, given))).toEqual(expected);
  });

  it('are sure if they are the same ones each time', () => {
    const given = library(ALWAYS, { families: { ...picked, children: { median: 2, most: 15 } }, ...documents });
    expect(severitiesOf(judgeCluster(splitOneToFew, given))).toEqual(['warning']);
  });
});

describe('what is not known is not judged', () => {
  const OF_THE_WORKLOAD = 'of the workload';
  /** What the sources themselves lack is said by every check of the workload. */
  const reasons = (given: GivenCluster) =>
    judgeCluster(splitOneToFew, given)
      .map((verdict) => {
        if (!('notJudged' in verdict)) return 'problem';
        const of = verdict.namespace ?? (/`patron`/.test(verdict.detail) ? 'all' : OF_THE_WORKLOAD);
        return `${of}: ${verdict.notJudged}`;
      })
      .filter((text) => !text.startsWith(OF_THE_WORKLOAD));
  const part = {
    database: 'shop',
    member: 'the primary',
    coverage: { operations: 'all', slowMilliseconds: 100, sampleRate: 1 },
    window: null,
    entries: 9,
    ignored: 0,
    unreadable: 0,
    bounded: false,
  } as const;
  const silence = absent('insufficient', '1 of 3 members of the replica set did not tell of its operations (down).');

  it.each<[string, Changes, string[]]>([
    ['only slow operations were recorded', { coverage: { operations: 'slow' } }, ['shop.addresses: insufficient']],
    [
      'the profiler is off, and what it holds was slow',
      { coverage: { operations: 'none', slowMilliseconds: 0.5 } },
      ['shop.addresses: insufficient'],
    ],
    [
      'a secondary was not recorded',
      {
        sources: {
          profiler: present({
            parts: [
              { ...part, coverage: { ...part.coverage, operations: 'none' } },
              { ...part, member: 'a secondary', coverage: { ...part.coverage, operations: 'none' }, entries: 0 },
            ],
            gaps: [],
          }),
        },
      },
      ['shop.addresses: insufficient'],
    ],
    [
      'a member did not answer',
      {
        sources: {
          profiler: present({ parts: [part], gaps: [silence] }),
          recentLog: present({ parts: [part], gaps: [silence] }),
        },
      },
      ['shop.addresses: insufficient'],
    ],
    [
      'some kinds of operations found no room',
      {
        sources: {
          profiler: present({
            parts: [part],
            gaps: [absent('bound', 'the profiler holds more than 10,000 kinds of operations.')],
          }),
        },
      },
      ['shop.addresses: insufficient'],
    ],
    ['the largest parent is not known', { patrons: { largest: null } }, ['shop.addresses: privilege']],
    [
      'children could not be counted',
      { children: { families: [], gaps: [absent('bound', 'no index begins with `patron`.')] } },
      ['all: bound'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(reasons(library([joined(100)], changes))).toEqual(expected);
  });

  it('query stats alone do not do: they tell of no writes', () => {
    const sources = {
      profiler: absent('unsupported', 'mongos has none.'),
      queryStats: present({ parts: [part], gaps: [] }),
    };
    expect(reasons(library([{ ...joined(100), source: 'queryStats' }], { sources }))).toEqual([
      'shop.addresses: insufficient',
    ]);
  });

  it('a profiler that was on for everything and is off now does', () => {
    expect(foundIn(splitOneToFew, library([joined(100)], { coverage: { operations: 'none' } }))).toEqual([
      'warning shop.addresses patron',
    ]);
  });
});

describe('the finding', () => {
  it('says how sure it is, and what by', () => {
    const { message, confidence, evidence } = problemIn(
      splitOneToFew,
      library([joined(90), findPatron(30), findAddress(10, { patron: 1 }), findAddress(2, {}), writeAddress(4)]),
    );
    expect(message).toBe(
      'shop.addresses is nearly always read with its parents in shop.patrons: 100 of 102 reads. A parent has at most 4 documents of it: ' +
        'both fit into one document of at most 1.4 KB. Then 83 % of the reads of shop.patrons need no second look-up. Children were written 4 times in that time, once per 25 such reads.',
    );
    expect(confidence).toBe('high');
    expect(evidence).toMatchObject({
      source: 'profiler and aggregation',
      readsByJoin: 90,
      readsByParent: 10,
      readsAlone: 2,
      writes: 4,
      readsPerWrite: 25,
      parentReads: 120,
      childrenMost: 4,
      embeddedBytes: 1_400,
    });
  });

  it.each<[string, Partial<GivenCluster>, string, string]>([
    ['an hour', { days: 1 / 24 }, 'warning', 'medium'],
    ['some minutes', { days: 1 / 200 }, 'info', 'low'],
  ])('takes the length of the record into account: %s', (_, rest, severity, confidence) => {
    const found = problemIn(splitOneToFew, library([joined(100)], rest));
    expect(found).toMatchObject({ severity, confidence });
    expect(found.message).toContain('No child was written in that time.');
  });

  it('says what to do about children without a parent before', () => {
    const { steps } = problemIn(splitOneToFew, library(ALWAYS, { families: { orphans: 2 } })).remedy;
    expect(steps[0]?.text).toBe(
      'Decide what becomes of the 2 documents of shop.addresses without a parent: nothing will embed them.',
    );
  });

  it('is less sure where families were picked, and says so', () => {
    const { message, confidence, remedy } = problemIn(
      splitOneToFew,
      library(ALWAYS, { families: { complete: false, countedTo: 200, childrenSeen: 300 } }),
    );
    expect(confidence).toBe('medium');
    expect(message).toContain('at most 4 documents of it (seen in the families of 300 picked at random)');
    expect(remedy.steps[0]).toEqual({
      text: 'Look at the largest families: only a part of them was counted. This reads all of shop.addresses.',
      code: 'db.getSiblingDB("shop").addresses.aggregate([\n  { "$sortByCount": "$patron" },\n  { "$limit": 5 }\n])',
    });
  });

  it('says that the search for second children reads all of them', () => {
    const steps = [1, 2].map(
      (most) => problemIn(splitOneToFew, library(ALWAYS, { families: { children: { median: 1, most } } })).remedy.steps,
    );
    expect(steps[0]).toContainEqual({
      text: 'Check that no parent has got a second child: only one would be kept. This reads all of shop.addresses. Every count must be 1.',
      code: expect.stringContaining('.addresses.aggregate('),
    });
    expect(steps[1]?.map(({ text }) => text).join(' ')).not.toContain('second child');
  });

  it.each<[string, Changes, string]>([
    ['the field of the join', {}, '"as": "addresses"'],
    [
      'another where the parent has that field',
      { patrons: { fields: { _id: { objectId: 100 }, addresses: { int: 100 } } } },
      '"as": "embedded_addresses"',
    ],
    [
      'one object where there is never more than one',
      { families: { children: { median: 1, most: 1 } } },
      '{ "$project": { "addresses": { "$first": "$addresses" } } }',
    ],
    [
      'documents that keep their shard key',
      {
        patrons: {
          options: { sharding: shardedCollection({ key: shardKeyOf({ region: 1, 'home.zip': 1 }) }).sharding },
        },
      },
      '{ "$project": { "region": 1, "home.zip": 1, "addresses": 1 } }',
    ],
  ])('embeds in %s', (_, changes, text) => {
    const { remedy } = problemIn(splitOneToFew, library(ALWAYS, changes));
    expect(remedy.text).toContain(text);
    expect(remedy.text).toContain(
      '{ "$merge": { "into": "patrons", "whenMatched": "merge", "whenNotMatched": "discard" } }',
    );
    expect(remedy.commands).toBeUndefined();
  });
});
