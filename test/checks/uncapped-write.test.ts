import { describe, expect, it } from 'vitest';
import { uncappedWrite } from '../../checks/uncapped-write/check.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { problemsIn, type GivenCluster } from '../support/checks/joined-evidence.js';
import { foundIn, type Recorded } from '../support/checks/workload-builders.js';
import { understood } from '../support/code/understood.js';

const update = (u: object, q: object = { _id: 1 }): Recorded => ({ kind: 'update', command: { q, u } });
const PUSH = update({ $push: { comments: { text: 'Yes' } } });
const ID = '64f1c0ffee64f1c0ffee64f1';

const arrayIn = (documents: number): FieldType => ({
  path: 'comments',
  types: { array: documents },
  documents,
  elementsPerArray: 3,
  longestString: null,
  averageString: null,
  textFormat: null,
  spread: null,
});

const found = (recorded: readonly Recorded[], documents = 40) => foundIn(uncappedWrite, { recorded, documents });

describe('uncapped-write', () => {
  it.each<[string, readonly Recorded[], string[]]>([
    ['a push', [PUSH], ['info comments']],
    ['a push of several', [update({ $push: { comments: { $each: [1, 2] } } })], ['info comments']],
    ['an addition to a set', [update({ $addToSet: { likedBy: 5 } })], ['info likedBy']],
    ['a push into elements', [update({ $push: { 'threads.$.posts': 1 } })], ['info threads[].posts']],
    ['a capped push', [update({ $push: { comments: { $each: [1], $slice: -100 } } })], []],
    ['a push whose condition looks at the array', [update({ $push: { a: 1 } }, { 'a.99': { $exists: false } })], []],
    ['a push whose condition is an expression', [update({ $push: { a: 1 } }, { $expr: { $lt: ['$n', 5] } })], []],
    ['a push beside a pull', [PUSH, update({ $pull: { comments: { text: 'Yes' } } })], []],
    ['a push beside a write of the whole', [PUSH, update({ $set: { comments: [] } })], []],
    ['a push beside a replacement', [PUSH, update({ comments: [] })], []],
    ['a push beside a pull from another array', [PUSH, update({ $pull: { tags: 1 } })], ['info comments']],
    ['a key that is an id', [update({ $set: { [`reactions.${ID}`]: 'like' } })], ['warning reactions']],
    ['a counter below a key that is a date', [update({ $inc: { 'days.2026-11-26': 1 } })], ['warning days']],
    ['a position of an array', [update({ $set: { 'items.3.price': 5 } })], []],
    ['a field', [update({ $set: { 'address.street': 'Elm' } })], []],
    ['an insert', [{ kind: 'insert', command: { documents: [] } }], []],
  ])('%s', (_, recorded, expected) => {
    expect(found(recorded)).toEqual(expected);
  });

  it.each<[string, fields: readonly FieldType[], string[]]>([
    ['few documents have', [arrayIn(99)], ['info comments']],
    ['many documents have', [arrayIn(100)], []],
    ['no sampled document has', [], ['info comments']],
  ])('is about an array in a large collection that %s', (_, fields, expected) => {
    expect(foundIn(uncappedWrite, { recorded: [PUSH], documents: 50_000, fields })).toEqual(expected);
  });

  it('leaves collections of many documents to the data', () => {
    expect(found([PUSH], 100)).toEqual([]);
    expect(found([PUSH], 99)).toEqual(['info comments']);
  });

  it.each<[string, source: string, read: object, string[]]>([
    ['never caps it, and all of it is read', '', {}, ['warning']],
    ['never caps it, and reads leave it out', '', { projection: { comments: false } }, ['info']],
    [
      'caps it elsewhere',
      'db.collection("posts").updateOne({}, { $push: { comments: { $each: [], $slice: -9 } } });',
      {},
      ['info'],
    ],
  ])('is a warning if the source %s', async (_, source, read, expected) => {
    const code = await understood({
      'app.js': `import { MongoClient } from 'mongodb';\nconst db = new MongoClient('').db();\n${source}`,
    });
    const given: GivenCluster = {
      collections: { posts: { documents: 40, fields: {} } },
      operations: [
        { on: 'posts', kind: 'update', command: PUSH.command },
        { on: 'posts', kind: 'find', command: { filter: { _id: 1 }, limit: 1, ...read } },
      ],
      code,
    };
    expect(problemsIn(uncappedWrite, given).map(({ severity }) => severity)).toEqual(expected);
  });
});
