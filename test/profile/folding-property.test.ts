import * as fc from 'fast-check';
import { BSON, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { DocumentProfile } from '../../src/profile/document-profile.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';

const SEED = 8;

/** Names of the schema, and names that are data of all sorts. */
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'items', 'total'),
  fc.nat(400).map((index) => `name${index}`),
  fc.nat(30).map(String),
  fc.nat(27).map((day) => `2024-01-${day + 1}`),
  fc.nat(50).map((user) => `user${user}@example.com`),
);

const { value } = fc.letrec<{ value: unknown; object: Document; array: unknown[] }>((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.integer(), fc.string({ maxLength: 5 }), tie('object'), tie('array')),
  object: fc.dictionary(name, tie('value'), { maxKeys: 12 }),
  array: fc.array(tie('value'), { maxLength: 4 }),
}));

/** Many documents at once, each with a map of its own, so that names are folded while others are still to come. */
const documents = fc
  .array(fc.dictionary(name, value, { maxKeys: 8 }), { minLength: 30, maxLength: 90 })
  .map((list) =>
    list.map((document, index) => ({ ...document, map: { [`only${index}`]: { x: index, list: [index] } } })),
  );

/** Fields and elements of a value, its own and those below. */
function elementsBelow(given: unknown): number {
  if (typeof given !== 'object' || given === null) return 0;
  const values = Object.values(given);
  return values.reduce((sum: number, each) => sum + 1 + elementsBelow(each), 0);
}

function occurrences(profile: DocumentProfile): number {
  return profile.paths.reduce((sum, path) => sum + path.occurrences, 0);
}

describe('folding', () => {
  it('loses and doubles nothing, whenever the profile is asked for', () => {
    fc.assert(
      fc.property(documents, fc.nat(90), (list, between) => {
        const profiler = new DocumentProfiler({ maxPaths: 100_000, maxFieldsPerObject: 60 });
        list.forEach((document, index) => {
          profiler.add(BSON.serialize(document));
          if (index === between) profiler.profile();
        });
        const profile = profiler.profile();
        expect(profile.limits).toEqual([]);
        expect(occurrences(profile)).toBe(list.reduce((sum, document) => sum + elementsBelow(document), 0));
        const topLevel = profile.paths.filter(({ parent }) => parent === null);
        expect(topLevel.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(profile.bytes - 5 * profile.documents);
        expect(JSON.stringify(profile)).not.toMatch(/@example|only\d/);
      }),
      { seed: SEED, numRuns: 100, endOnFailure: true },
    );
  });

  it.each([
    [1, 1],
    [10, 3],
    [60, 20],
  ])('keeps to %d paths and %d fields per object, and its figures make sense', (maxPaths, maxFieldsPerObject) => {
    fc.assert(
      fc.property(documents, (list) => {
        const profiler = new DocumentProfiler({ maxPaths, maxFieldsPerObject });
        for (const document of list) profiler.add(BSON.serialize(document));
        const profile = profiler.profile();
        const folded = profile.paths.filter(({ path }) => path.endsWith('*')).length;
        expect(profile.paths.length - folded).toBeLessThanOrEqual(maxPaths);
        expect(profile.documents).toBe(list.length);
        const seen = new Set<string | null>([null]);
        for (const path of profile.paths) {
          expect(seen).toContain(path.parent);
          seen.add(path.path);
          expect(path.presence).toBeGreaterThan(0);
          expect(path.presence).toBeLessThanOrEqual(1);
          expect(path.documents).toBeLessThanOrEqual(list.length);
          expect(path.duplicates).toBe(0);
          expect(path.bytes).toBeLessThan(profile.bytes);
        }
      }),
      { seed: SEED, numRuns: 60, endOnFailure: true },
    );
  });
});
