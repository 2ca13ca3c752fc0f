import { BSON, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { arrayChanges, type ArrayChange, OplogWrites } from '../../src/growth/oplog-writes.js';

const changes = (update: Document) => arrayChanges(BSON.deserialize(BSON.serialize(update)));
const diff = (body: Document) => changes({ $v: 2, diff: body });
const set = (path: string, from: number, elements: number): ArrayChange => ({ kind: 'set', path, from, elements });
const length = (path: string, elements: number): ArrayChange => ({ kind: 'length', path, from: 0, elements });

// Each diff is one that a server wrote for the update named.
describe('a diff shows', () => {
  it.each<[string, Document, ArrayChange[]]>([
    ['$push', { sreviews: { a: true, u3: { stars: 5 } } }, [set('reviews', 3, 4)]],
    ['$push … $each', { sreviews: { a: true, u51: 1, u52: 2, u53: 3 } }, [set('reviews', 51, 54)]],
    ['$push within an object', { sthread: { sposts: { a: true, u5: 1 } } }, [set('thread.posts', 5, 6)]],
    [
      '$push into an array of an element, which is left out',
      { sthreads: { a: true, s1: { sposts: { a: true, u6: { at: 1 } } } } },
      [],
    ],
    ['$pop', { sreviews: { a: true, l: 7 } }, [length('reviews', 7)]],
    ['a cut and a change', { sreviews: { a: true, l: 7, u2: 1 } }, [length('reviews', 7)]],
    ['$set of an element', { sseats: { a: true, u3: 'x' } }, [set('seats', 3, 4)]],
    ['$set of a field of an element', { sseats: { a: true, s3: { u: { taken: true } } } }, []],
    ['$push … $slice, or $pull', { u: { last: [1, 2, 3] } }, [length('last', 3)]],
    ['the first $push', { i: { reviews: [1] } }, [length('reviews', 1)]],
    ['the first $push within a new object', { i: { thread: { posts: [1] } } }, [length('thread.posts', 1)]],
    ['a pushed element with an array', { sthreads: { a: true, u4: { posts: [1, 2] } } }, [set('threads', 4, 5)]],
    [
      'fields that are no arrays',
      { u: { name: 'x', at: new Date(0), n: BSON.Long.fromNumber(3) }, d: { old: false } },
      [],
    ],
    ['a field named like a section', { su: { a: true, u1: 1 } }, [set('u', 1, 2)]],
    ['two arrays at once', { u: { a: [1] }, sb: { a: true, u1: 2 } }, [length('a', 1), set('b', 1, 2)]],
  ])('%s', (_, body, expected) => {
    expect(diff(body)).toEqual(expected);
  });
});

describe('a whole document shows the length of', () => {
  it.each<[string, Document, ArrayChange[]]>([
    ['each array', { _id: 1, a: [1, 2, 3], b: { c: [] } }, [length('a', 3), length('b.c', 0)]],
    ['no array in an element', { threads: [{ posts: [1] }, { posts: [1, 2] }] }, [length('threads', 2)]],
  ])('%s', (_, document, expected) => {
    expect(changes(document)).toEqual(expected);
  });

  it('as many arrays as there is room for', () => {
    const document = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`list${String(index)}`, [1]]));
    expect(changes(document).length).toBeLessThanOrEqual(200);
  });
});

it('says nothing of an update in the form of servers before 5.0', () => {
  expect(changes({ $v: 1, $set: { 'reviews.3': 1 } })).toEqual([]);
});

it('entries that are no BSON count as unread', () => {
  const bytes = BSON.serialize({ op: 'u', o: { $v: 2, diff: { sreviews: { a: true, u3: 'x'.repeat(50) } } } });
  bytes.fill(0x7f, 20);
  const writes = new OplogWrites();
  writes.add(bytes);
  expect([writes.unread, writes.byCollection.size]).toEqual([1, 0]);
});
