import { Binary, BSON, Long, ObjectId, Timestamp, UUID, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ArrayActivity } from '../../../../src/evidence/growth/oplog/array-activity.js';
import { OplogActivities } from '../../../../src/evidence/growth/oplog/oplog-activities.js';
import { byPath } from '../../../../src/evidence/growth/oplog/oplog-paths.js';

const COLLECTION = new UUID();
const OTHER = new UUID();
const START = Date.parse('2026-03-01T00:00:00Z');
const at = (second: number) => ({
  ts: new Timestamp({ t: START / 1_000 + second, i: 1 }),
  wall: new Date(START + 1_000 * second),
});
const push = (path: string, index: number): Document => ({
  $v: 2,
  diff: { [`s${path}`]: { a: true, [`u${index}`]: 1 } },
});
const update = (second: number, id: unknown, o: Document | null, ui: Binary = COLLECTION): Document => ({
  op: 'u',
  ui,
  ...(o !== null && { o }),
  o2: { _id: id },
  ...at(second),
});

function read(entries: readonly Document[]): OplogActivities {
  const activities = new OplogActivities();
  for (const entry of entries) activities.add(BSON.serialize(entry), 0);
  return activities;
}

function of(entries: readonly Document[], collection: UUID = COLLECTION): ArrayActivity[] {
  return read(entries).byCollection().get(Buffer.from(collection.buffer).toString('hex')) ?? [];
}

const figures = ({ path, length, gained, appends }: ArrayActivity) => ({ path, length, gained, appends });

describe('the oplog tells of each array', () => {
  it.each<[string, Document[], object[]]>([
    [
      'its appends',
      [update(0, 1, push('a', 3)), update(1, 1, push('a', 4))],
      [{ path: 'a', length: 5, gained: 2, appends: 2 }],
    ],
    [
      'of each document',
      [update(0, 1, push('a', 3)), update(1, 2, push('a', 9))],
      [
        { path: 'a', length: 4, gained: 1, appends: 1 },
        { path: 'a', length: 10, gained: 1, appends: 1 },
      ],
    ],
    [
      'with any _id',
      [update(0, { k: 'x' }, push('a', 3)), update(1, { k: 'x' }, push('a', 4))],
      [{ path: 'a', length: 5, gained: 2, appends: 2 }],
    ],
    [
      'told apart by the type of _id',
      [update(0, 1, push('a', 3)), update(1, Long.fromNumber(1), push('a', 4))],
      [
        { path: 'a', length: 4, gained: 1, appends: 1 },
        { path: 'a', length: 5, gained: 1, appends: 1 },
      ],
    ],
    [
      'whole lengths',
      [update(0, 1, { _id: 1, a: [1, 2] }), update(1, 1, { _id: 1, a: [1, 2, 3] })],
      [{ path: 'a', length: 3, gained: 1, appends: 1 }],
    ],
    [
      'nothing of inserts, commands and other entries',
      [
        { op: 'i', ui: COLLECTION, o: { _id: 1, a: [1] }, o2: { _id: 1 }, ...at(0) },
        { op: 'n', o: { msg: 'noop' }, ...at(1) },
        { op: 'c', o: { create: 'x' }, ...at(2) },
      ],
      [],
    ],
    ['nothing of other collections', [update(0, 1, push('a', 3), OTHER)], []],
    [
      'nothing of documents that were deleted',
      [update(0, 1, push('a', 3)), { op: 'd', ui: COLLECTION, o: { _id: 1 }, ...at(1) }],
      [],
    ],
    [
      'within transactions and bulks',
      [
        {
          op: 'c',
          o: {
            applyOps: [
              { op: 'u', ui: COLLECTION, o: push('a', 3), o2: { _id: 1 } },
              { op: 'u', ui: COLLECTION, o: push('a', 4), o2: { _id: 1 } },
            ],
          },
          ...at(0),
        },
      ],
      [{ path: 'a', length: 5, gained: 2, appends: 2 }],
    ],
    [
      'not of a transaction that may yet be aborted',
      [
        {
          op: 'c',
          o: { applyOps: [{ op: 'u', ui: COLLECTION, o: push('a', 3), o2: { _id: 1 } }], prepare: true },
          ...at(0),
        },
      ],
      [],
    ],
  ])('%s', (_, entries, expected) => {
    expect(of(entries).map(figures)).toEqual(expected);
  });

  it('and when: of a transaction, when it was committed', () => {
    const inner = { op: 'u', ui: COLLECTION, o: push('a', 3), o2: { _id: 1 } };
    expect(of([{ op: 'c', o: { applyOps: [inner] }, ...at(7) }])[0]?.firstAt).toBe(START + 7_000);
    expect(of([{ ...update(3, 1, push('a', 3)), wall: null }])[0]?.firstAt).toBe(START + 3_000);
  });

  it('in order of time, also where the clock was set back, as by another primary', () => {
    const [activity] = of([update(100, 1, push('a', 3)), update(40, 1, push('a', 4)), update(160, 1, push('a', 5))]);
    expect(activity).toMatchObject({ firstAppendAt: START + 100_000, lastAppendAt: START + 160_000, appends: 3 });
  });

  it('when its document was created, by its insert or its ObjectId', () => {
    const id = ObjectId.createFromTime(START / 1_000 - 60);
    const insert = { op: 'i', ui: COLLECTION, o2: { _id: id }, ...at(0) };
    expect(of([update(1, id, push('a', 3))])[0]?.createdAt).toBe(START - 60_000);
    expect(of([insert, update(1, id, push('a', 3))])[0]?.createdAt).toBe(START);
    expect(of([update(1, 'x', push('a', 3))])[0]?.createdAt).toBeNull();
  });

  it('and counts what could not be read', () => {
    const activities = read([update(0, 1, null), update(1, 1, push('a', 3))]);
    const damaged = BSON.serialize(update(2, 1, push('a', 4)));
    damaged.fill(0x7f, 30, 60);
    activities.add(damaged, 0);
    expect(activities.unread).toBe(2);
  });
});

describe('arrays are sorted by the paths of the profile', () => {
  const entries = ['a', 'scores.anna.wins', 'scores.bert.wins', 'unknown'].map((path, index) =>
    update(
      index,
      1,
      path.split('.').reduceRight<Document>((inner, name) => ({ [`s${name}`]: inner }), { a: true, u0: 1 }),
    ),
  );
  const asDiff = entries.map((entry) => ({ ...entry, o: { $v: 2, diff: entry['o'] as Document } }));

  it('in which names that are data are one path; what the profile does not know is left out', () => {
    const sorted = byPath(of(asDiff), ['a', 'scores.*.wins', 'b[].c']);
    expect([...sorted].map(([path, found]) => [path, found.length])).toEqual([
      ['a', 1],
      ['scores.*.wins', 2],
    ]);
  });
});
