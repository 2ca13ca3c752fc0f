import { describe, expect, it } from 'vitest';
import { fuzzDocuments, fuzzOplogEntries } from '../support/documents/bson-fuzz.js';

/** `npm run test:faults` reads a million. */
const DOCUMENTS = 50_000;
const ENTRIES = 20_000;
const SEED = 7;

describe('mutated documents', () => {
  it('are read as the driver reads them, or refused, wherever they lie', () => {
    const { read, refused, disagreements } = fuzzDocuments(DOCUMENTS, SEED);
    expect(disagreements).toEqual([]);
    expect(read).toBeGreaterThan(DOCUMENTS / 10);
    expect(refused).toBeGreaterThan(DOCUMENTS / 10);
  });
});

describe('mutated entries of an oplog', () => {
  it('are read, or counted as unread', () => {
    const { read, refused, disagreements } = fuzzOplogEntries(ENTRIES, SEED);
    expect(disagreements).toEqual([]);
    expect(read).toBeGreaterThan(ENTRIES / 10);
    expect(refused).toBeGreaterThan(ENTRIES / 10);
  });
});
