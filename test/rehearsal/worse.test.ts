import { expect, it } from 'vitest';
import { isWorse } from '../../src/rehearsal/rehearse.js';

const of = (documentsExamined: number, keysExamined: number, returned = 1) => ({
  documentsExamined,
  keysExamined,
  returned,
});

it.each<[string, ReturnType<typeof of>, ReturnType<typeof of>, boolean]>([
  ['fewer documents', of(1_000, 1_000), of(10, 10), false],
  ['keys in place of documents', of(1_000, 0), of(0, 1_000), false],
  ['keys that take as long as the documents did', of(22, 22), of(0, 90), false],
  ['more keys than the documents are worth', of(22, 22), of(0, 200), true],
  ['more documents', of(10, 10), of(1_000, 1_000), true],
  ['more keys', of(10, 10), of(10, 1_000), true],
  ['documents in place of as many keys', of(0, 1_000), of(500, 500), true],
  ['more documents for another result', of(10, 10, 10), of(1_000, 1_000, 1_000), false],
  ['a page of documents in place of many keys', of(0, 6_000), of(100, 100), false],
])('by %s', (_, before, after, worse) => {
  expect(isWorse(before, after)).toBe(worse);
});
