import { describe, expect, it } from 'vitest';
import { overFetching } from '../../checks/over-fetching.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { foundIn, type GivenWorkload, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const KB = 1024;

type Type = 'string' | 'binData' | 'array' | 'object';

const field = (path: string, shareOfBytes = 0.01, type: Type = 'string'): FieldType => ({
  path,
  types: { [type]: 100 },
  documents: 100,
  elementsPerArray: type === 'array' ? 8 : null,
  longestString: null,
  shareOfBytes,
});

const LIGHT = ['_id', 'title', 'author', 'status', 'at'].map((path) => field(path));
const POST = [...LIGHT, field('body', 0.95)];
const LIST = { filter: { status: 'active' }, sort: { at: -1 }, limit: 20 };

interface Read extends Pick<Recorded, 'kind' | 'truncated'> {
  readonly documents?: number;
  readonly bytes?: number;
  readonly executions?: number;
}

const read = (command: object, given: Read = {}): Recorded => {
  const { documents = 20, bytes = 300 * KB, executions = 10_000, ...rest } = given;
  return {
    command,
    ...rest,
    figures: { executions, documentsReturned: documents * executions, responseBytes: bytes * executions },
  };
};

const of = (command: object = LIST, given?: Read, fields: readonly FieldType[] = POST): GivenWorkload => ({
  recorded: [read(command, given)],
  fields,
});

/** As many reads of single documents leave out some fields. */
const beside = (projection: object, given: GivenWorkload, executions = 30_000): GivenWorkload => ({
  ...given,
  recorded: [...given.recorded, read({ filter: { _id: 'a' }, projection }, { documents: 1, bytes: KB, executions })],
});

const withArray = (path: string) => [...LIGHT, field(path, 0.95, 'array'), field(`${path}[]`, 0.9)];
const FILES = [...LIGHT, field('content', 0.65), field('vector', 0.3, 'array')];

describe('over-fetching', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['300 KB for twenty titles', of(), ['warning null']],
    ['100 KB', of(LIST, { bytes: 100 * KB }), ['info null']],
    ['without a limit', of({ filter: { status: 'active' } }), ['warning null']],
    [
      'an aggregate',
      of({ pipeline: [{ $match: LIST.filter }, { $limit: 20 }] }, { kind: 'aggregate' }),
      ['warning null'],
    ],
    ['an image', of(LIST, {}, [...LIGHT, field('image', 0.95, 'binData')]), ['warning null']],
    [
      'an image within an object',
      of(LIST, {}, [...LIGHT, field('image', 0.95, 'object'), field('image.data', 0.94, 'binData')]),
      ['warning null'],
    ],
    ['two texts', of(LIST, {}, [...LIGHT, field('body', 0.55), field('summary', 0.4)]), ['warning null']],
    ['a small field left out', of({ ...LIST, projection: { author: 0 } }), ['warning null']],
    ['twenty times a day', of(LIST, { executions: 600 }), ['info null']],
    ['an array that other reads leave out', beside({ tags: 0 }, of(LIST, {}, withArray('tags'))), ['warning null']],
    [
      'a text and an array that other reads leave out',
      beside({ content: 0, vector: 0 }, of(LIST, {}, FILES)),
      ['warning null'],
    ],
    ['a text and an array that they return', of(LIST, {}, FILES), []],
    ['an array that they return', of(LIST, {}, withArray('tags')), []],
    ['30 KB', of(LIST, { bytes: 30 * KB }), []],
    ['twice', { ...of(LIST, { executions: 2 }), days: 0.02 }, []],
    ['messages that are read', of(LIST, { documents: 100 }), []],
    ['one document', of({ filter: { title: 'a' }, limit: 1 }, { documents: 1 }), []],
    ['the text left out', of({ ...LIST, projection: { body: 0 } }), []],
    ['the text asked for by name', of({ ...LIST, projection: { title: 1, body: 1 } }), []],
    ['a slice', of({ ...LIST, projection: { tags: { $slice: 3 } } }, {}, withArray('tags')), []],
    ['$unset', of({ pipeline: [{ $match: LIST.filter }, { $unset: ['body'] }] }, { kind: 'aggregate' }), []],
    ['$group', of({ pipeline: [{ $group: { _id: '$author' } }] }, { kind: 'aggregate' }), []],
    ['half of the bytes', of(LIST, {}, [...LIGHT, field('body', 0.5), field('links', 0.15), field('more', 0.15)]), []],
    ['a command that was cut', of(LIST, { truncated: true }), []],
    ['an update of many', of({ q: {}, u: { $set: { a: 1 } }, multi: true }, { kind: 'update' }), []],
    [
      'chunks of a file',
      of({ filter: { files_id: { $in: ['a', 'b'] } }, sort: { n: 1 } }, { bytes: 4_000 * KB }, [
        ...['_id', 'files_id', 'n'].map((path) => field(path)),
        field('data', 0.99, 'binData'),
      ]),
      [],
    ],
  ])('%s', (_, given, expected) => {
    expect(foundIn(overFetching, given)).toEqual(expected);
  });

  it('prints the list without the large field, and what that saves', () => {
    const [problem] = problemsIn(overFetching, of({ ...LIST, projection: { author: 0 } }));
    expect(problem?.confidence).toBe('medium');
    expect(problem?.message).toBe(
      '`body` makes up 96 % of what a list returns: find by `status`, sorted by `at` descending returns 20 documents ' +
        'and 300 KB per execution on average (10,000 executions in 30 days), and no projection leaves it out.',
    );
    expect(problem?.remedy.steps?.[0]).toEqual({
      text:
        'Leave it out of the list, and read `body` with the one document that is opened. This saves 288 KB per execution, ' +
        '94 MB a day. Which fields the application shows is not recorded.',
      code: 'db.getSiblingDB("shop").orders.find({ "status": statusValue }, { "author": 0, "body": 0 }).sort({ "at": -1 }).limit(limit)',
    });
  });

  it('is sure if most other reads leave the field out', () => {
    const [problem] = problemsIn(overFetching, beside({ body: 0 }, of()));
    expect(problem?.confidence).toBe('high');
    expect(problem?.remedy.steps?.[1]?.text).toContain('Of 40,000 reads, 30,000 (75 %) exclude `body`');
  });
});
