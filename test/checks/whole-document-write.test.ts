import { describe, expect, it } from 'vitest';
import { wholeDocumentWrite } from '../../checks/whole-document-write.js';
import type { FieldType } from '../../src/profile/field-types.js';
import { foundIn, type GivenWorkload, problemsIn, type Recorded } from '../support/checks/workload-builders.js';

const KB = 1024;
const field = (path: string, type: 'array' | 'object' | 'string', shareOfBytes: number): FieldType => ({
  path,
  types: { [type]: 100 },
  documents: 100,
  elementsPerArray: null,
  longestString: null,
  shareOfBytes,
});
const FIELDS = [field('items', 'array', 0.8), field('settings', 'object', 0.1), field('title', 'string', 0.7)];
const update = (u: object, q: object = { _id: 1 }, executions = 100): Recorded => ({
  kind: 'update',
  command: { q, u },
  plan: 'IDHACK',
  figures: { executions, documentsExamined: executions, documentsReturned: null, documentsWritten: executions },
});
const of = (bytes: number, recorded: Recorded): GivenWorkload => ({
  recorded: [recorded],
  bytes,
  fields: FIELDS,
  days: 1,
});
const REPLACED = { a: 1, b: [1], heartbeat: new Date() };

const message = (q: object) => problemsIn(wholeDocumentWrite, of(40 * KB, update(REPLACED, q)))[0]?.message;

describe('whole-document-write', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['documents of 40 KB are replaced', of(40 * KB, update(REPLACED)), ['warning null']],
    ['documents of 6 KB are replaced', of(6 * KB, update(REPLACED)), ['info null']],
    ['small documents are replaced', of(2 * KB, update(REPLACED)), []],
    ['they are replaced once', of(40 * KB, update(REPLACED, { _id: 1 }, 1)), []],
    ['a large array is set as a whole', of(50 * KB, update({ $set: { items: [1, 2] } })), ['warning items']],
    ['a small part is set as a whole', of(20 * KB, update({ $set: { settings: { a: 1 } } })), []],
    ['a large text is set', of(60 * KB, update({ $set: { title: 'new' } })), []],
    ['an element is pushed', of(60 * KB, update({ $push: { items: 1 } })), []],
    ['one element is set by its position', of(60 * KB, update({ $set: { 'items.7': { a: 1 } } })), []],
    ['a field is set', of(60 * KB, update({ $set: { heartbeat: new Date() } })), []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(wholeDocumentWrite, given)).toEqual(expected);
  });

  it('says what is lost, unless the write asks for a version', () => {
    expect(message({ _id: 1 })).toBe(
      'update by `_id` replaces whole documents: 40 KB on average, however little changes (100 executions in 1 day). What another client changed since the document was read is overwritten.',
    );
    expect(message({ _id: 1, version: 7 })).not.toContain('overwritten');
  });
});
