import { expect, it } from 'vitest';
import { fuzzDocuments, fuzzOplogEntries } from '../support/documents/bson-fuzz.js';

const DOCUMENTS = 1_000_000;
/** Other documents than `bson-fuzz.test.ts` reads. */
const SEED = 11;

it('a million mutated documents are read as the driver reads them, or refused', () => {
  expect(fuzzDocuments(DOCUMENTS, SEED).disagreements).toEqual([]);
});

it('a million mutated oplog entries are read, or counted as unread', () => {
  expect(fuzzOplogEntries(DOCUMENTS, SEED).disagreements).toEqual([]);
});
