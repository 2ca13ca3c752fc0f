import * as fc from 'fast-check';
import { sampleCorrelation } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import type { PathProfile, ValueFacts } from '../../src/profile/document-profile.js';
import { NaiveProfile, type NaivePath } from '../support/documents/naive-profile.js';
import { profileOfBytes } from '../support/documents/profiles.js';
import { anyDocument } from '../support/documents/random-documents.js';

const SEED = 1;
const RUNS = 50;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function figures(values: readonly number[]) {
  return expect.objectContaining({
    count: values.length,
    sum: sum(values),
    min: Math.min(...values),
    max: Math.max(...values),
  }) as unknown;
}

function extremes(values: readonly number[]) {
  return { count: values.length, min: Math.min(...values), max: Math.max(...values) };
}

/** What random documents hold is decades away from it. */
const MONTH_AGO = Date.now() - 31 * 24 * 60 * 60 * 1_000;

function expectedValues(naive: NaivePath): ValueFacts {
  const finite = naive.numbers.filter((value) => Number.isFinite(value));
  return {
    ...(naive.dates.length > 0 && {
      dates: { ...extremes(naive.dates), monthPast: naive.dates.filter((date) => date < MONTH_AGO).length },
    }),
    ...(finite.length > 0 && {
      numbers: { ...extremes(finite), whole: finite.filter((value) => Number.isInteger(value)).length },
    }),
    ...(naive.objectIdTimes.length > 0 && { objectIds: extremes(naive.objectIdTimes) }),
    ...(naive.stringBytes.length > 0 && {
      strings: { count: naive.stringBytes.length, sum: sum(naive.stringBytes), max: Math.max(...naive.stringBytes) },
    }),
  };
}

function expectedArray(naive: NaivePath, elements: NaivePath | undefined, sizes: readonly number[]) {
  if (naive.arrayLengths.length === 0) return undefined;
  const bytes = [...naive.arrayBytesByDocument.values()];
  const documentBytes = [...naive.arrayBytesByDocument.keys()].map((document) => sizes[document - 1] as number);
  const shares = bytes.map((each, index) => each / (documentBytes[index] as number));
  const correlates = bytes.length >= 3 && new Set(bytes).size > 1 && new Set(documentBytes).size > 1;
  return {
    lengths: figures(naive.arrayLengths),
    bytes: figures(naive.arrayBytes),
    elementTypes: elements?.types ?? {},
    bytesPerDocument: figures(bytes),
    shareOfDocument: { mean: expect.closeTo(sum(shares) / shares.length, 12) as number, max: Math.max(...shares) },
    sizeCorrelation: correlates ? (expect.closeTo(sampleCorrelation(bytes, documentBytes), 6) as number) : null,
  };
}

function expectedObject(naive: NaivePath) {
  if (naive.fieldCounts.length === 0) return undefined;
  return { fields: figures(naive.fieldCounts), distinctFields: naive.names.size, folded: false, namePattern: null };
}

/** Everything that the profile should say of a path, as far as the order of paths does not matter. */
function expectedPath(naive: NaiveProfile, path: string, parent: string | null) {
  const found = naive.paths.get(path) as NaivePath;
  const { occurrences, types, bytes, depth } = found;
  const parents = parent === null ? naive.sizes.length : (naive.paths.get(parent)?.fieldCounts.length ?? 0);
  const values = expectedValues(found);
  return {
    path,
    parent,
    depth,
    occurrences,
    types,
    bytes,
    duplicates: 0,
    documents: found.documents.size,
    presence: path.endsWith('[]') ? 1 : occurrences / parents,
    shareOfBytes: bytes / sum(naive.sizes),
    array: expectedArray(found, naive.paths.get(`${path}[]`), naive.sizes),
    object: expectedObject(found),
    values: Object.keys(values).length === 0 ? undefined : values,
  };
}

/** The spread and the formats of texts have tests of their own. */
function withoutSpread({ values, ...path }: PathProfile) {
  const { spread: _spread, strings, ...rest } = values ?? {};
  const { formats: _formats, ...lengths } = strings ?? {};
  const others = { ...rest, ...(strings !== undefined && { strings: lengths }) };
  return { ...path, values: Object.keys(others).length === 0 ? undefined : others };
}

describe('the profile of random documents', () => {
  it('is what a plain decode and walk finds', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { minLength: 1, maxLength: 12 }), (documents) => {
        const naive = new NaiveProfile();
        for (const document of documents) naive.add(document);
        const profile = profileOfBytes(documents);

        expect(profile.malformed).toEqual({ documents: 0, detail: null });
        expect(profile.limits).toEqual([]);
        expect([profile.documents, profile.bytes]).toEqual([documents.length, sum(naive.sizes)]);
        expect(profile.sizes).toEqual(figures(naive.sizes));
        expect(profile.depth.max).toBe(Math.max(0, ...[...naive.paths.values()].map(({ depth }) => depth)));
        expect(profile.paths.map(({ path }) => path).sort()).toEqual([...naive.paths.keys()].sort());
        for (const path of profile.paths)
          expect(withoutSpread(path)).toEqual(expectedPath(naive, path.path, path.parent));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('lists parents before their children', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { minLength: 1, maxLength: 5 }), (documents) => {
        const seen = new Set<string | null>([null]);
        for (const { path, parent } of profileOfBytes(documents).paths) {
          expect(seen).toContain(parent);
          expect(seen).not.toContain(path);
          seen.add(path);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('does not depend on where in a buffer the documents lie', () => {
    fc.assert(
      fc.property(fc.array(anyDocument, { minLength: 1, maxLength: 6 }), (documents) => {
        const batch = Buffer.concat(documents);
        let start = 0;
        const slices = documents.map((document) => batch.subarray(start, (start += document.length)));
        const copies = documents.map((document) => Uint8Array.from(document));
        expect(profileOfBytes(slices)).toEqual(profileOfBytes(copies));
      }),
      { seed: SEED, numRuns: 100 },
    );
  });
});
