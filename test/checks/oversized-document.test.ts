import { describe, expect, it } from 'vitest';
import { oversizedDocument } from '../../checks/oversized-document.js';
import type { LargestDocuments } from '../../src/check.js';
import { judge, pathProfile, problem, type Given } from '../support/checks/evidence-builders.js';

const MB = 1024 * 1024;
const small = Array.from({ length: 1_000 }, (_, index) => 60 + (index % 15));
const cutShort: LargestDocuments['probe'] = {
  state: 'cut-short',
  thresholdBytes: 8 * MB,
  reason: 'bound',
  detail: 'The time for it was up.',
};

describe('documents that were seen', () => {
  it.each<[string, number, string]>([
    ['8 MB', 8 * MB, 'warning'],
    ['12.7 MB', Math.floor(12.7 * MB), 'warning'],
    ['12.9 MB', Math.floor(12.9 * MB), 'error'],
    ['16 MB', 16 * MB, 'error'],
  ])('%s', (_, bytes, severity) => {
    const found = problem(oversizedDocument, {
      sizes: [...small, bytes],
      paths: [pathProfile({ path: 'log', types: { array: 1 } })],
      profile: { largest: { bytes, heaviestPath: 'log', heaviestPathBytes: Math.round(0.9 * bytes) } },
    });
    expect(found).toMatchObject({
      severity,
      confidence: 'high',
      path: null,
      evidence: { source: 'sample', largestBytes: bytes },
    });
    expect(found.message).toContain('`log` makes up 90 %');
    expect(found.remedy.text).toMatch(/\$bsonSize.*8388608.*`log`/s);
  });

  it('are named from the probe where the sample missed them', () => {
    const found = problem(oversizedDocument, {
      sizes: small,
      storage: { count: 30_000 },
      largest: {
        maximumBytes: 15 * MB,
        source: 'probe',
        sizes: [15 * MB, 9 * MB, ...small],
        unseenBytes: 24 * MB,
        probe: { state: 'complete', thresholdBytes: 8 * MB, sizes: [15 * MB, 9 * MB], atLeast: true },
      },
    });
    expect(found).toMatchObject({
      severity: 'error',
      confidence: 'high',
      evidence: { source: 'probe', window: 'all 30,000 documents', heaviestPath: null },
    });
    expect(found.message).toContain('at least 2 documents have 8 MB or more.');
  });
});

describe('how many there are', () => {
  const sizes = [...small, 9 * MB, 14 * MB, 15 * MB, 15 * MB];

  it('is counted if every document was read', () => {
    const { evidence, message } = problem(oversizedDocument, { sizes });
    expect(evidence).toMatchObject({ documentsOverLine: 4 });
    expect(message).toContain('; 4 documents have 8 MB or more.');
  });

  it('is at least what was seen in a sample', () => {
    const { evidence, message } = problem(oversizedDocument, { sizes, storage: { count: 30_000 } });
    expect(evidence).toMatchObject({ documentsOverLineAtLeast: 4 });
    expect(evidence).not.toHaveProperty('documentsOverLine');
    expect(message).toContain('; at least 4 documents have 8 MB or more.');
  });

  it('is at least what is listed where more were seen than that', () => {
    const many = Array.from({ length: 110 }, () => 9 * MB);
    expect(problem(oversizedDocument, { sizes: [...small, ...many] }).evidence).toMatchObject({
      documentsOverLineAtLeast: 100,
    });
  });

  it('is all of a collection whose every document is too large', () => {
    expect(problem(oversizedDocument, { sizes: [9 * MB, 10 * MB] }).evidence).toMatchObject({ documentsOverLine: 2 });
  });

  it.each([
    [
      'the search found all of them: they are read by _id',
      false,
      /find\(\{ _id: \{ \$in: EJSON\.parse\("\[1, 2\]"\) \} \}/,
    ],
    ['there may be more: they are searched for', true, /\$expr.*readPref\("secondaryPreferred"\)\.maxTimeMS\(600000\)/],
  ])('with their _ids known, if %s', (_, atLeast, command) => {
    const found = problem(oversizedDocument, {
      sizes: small,
      storage: { count: 30_000 },
      largest: {
        maximumBytes: 15 * MB,
        source: 'probe',
        sizes: [15 * MB, 9 * MB, ...small],
        unseenBytes: 24 * MB,
        probe: { state: 'complete', thresholdBytes: 8 * MB, sizes: [15 * MB, 9 * MB], atLeast },
        ids: ['1', '2'],
      },
    });
    expect(found.evidence).toMatchObject({ ids: ['1', '2'] });
    expect(found.remedy.text).toMatch(command);
  });
});

describe('documents that very likely exist', () => {
  it.each<[string, Given, { severity: string; confidence: string; message: string }]>([
    [
      '15 MB in one of 30,000',
      { sizes: small, storage: { count: 30_000 }, largest: { unseenBytes: 15 * MB, probe: cutShort } },
      {
        severity: 'warning',
        confidence: 'low',
        message:
          'Documents larger than any in the sample very likely exist. An estimated 15 MB are in at most 90 documents outside the sample: on average 171 KB or more, at most 15 MB each. Writes fail at 16 MB.',
      },
    ],
    [
      '60 MB in few',
      { sizes: small, storage: { count: 2_000 }, largest: { unseenBytes: 60 * MB, probe: cutShort } },
      {
        severity: 'warning',
        confidence: 'low',
        message: ' outside the sample: on average 10 MB or more, at most 16 MB each.',
      },
    ],
    [
      '90 MB in few',
      { sizes: small, storage: { count: 2_000 }, largest: { unseenBytes: 90 * MB, probe: cutShort } },
      { severity: 'error', confidence: 'low', message: ' outside the sample: on average 15 MB or more' },
    ],
  ])('%s', (_, given, { severity, confidence, message }) => {
    const found = problem(oversizedDocument, given);
    expect(found).toMatchObject({ severity, confidence, path: null });
    expect(found.message).toContain(message);
  });
});

describe('what could not be told', () => {
  it.each<[string, Given]>([
    [
      'a thousand documents of 15 KB would explain the bytes',
      { sizes: small, storage: { count: 10_000_000 }, largest: { unseenBytes: 15 * MB, probe: cutShort } },
    ],
    [
      'the first documents in natural order are no random sample',
      {
        sizes: small,
        sample: { method: 'natural-order', complete: false },
        storage: { count: 30_000 },
        largest: { unseenBytes: 15 * MB, probe: cutShort },
      },
    ],
  ])('%s', (_, given) => {
    expect(judge(oversizedDocument, given)).toEqual([
      { notJudged: 'bound', detail: expect.stringContaining('The time for it was up.') },
    ]);
  });
});

describe('nothing near the limit', () => {
  it.each<[string, Given]>([
    ['small documents', { sizes: small }],
    ['7.9 MB', { sizes: [...small, Math.floor(7.9 * MB)] }],
    [
      'too few bytes are missing for a large document',
      { sizes: small, storage: { count: 30_000 }, largest: { unseenBytes: 7 * MB, probe: cutShort } },
    ],
    [
      'many documents like the largest seen would explain the bytes',
      {
        sizes: small.map((bytes) => bytes * 100),
        storage: { count: 10_000_000 },
        largest: { unseenBytes: 100 * MB, probe: cutShort },
      },
    ],
    [
      'the tail that was seen explains the bytes',
      { sizes: [...small, 2 * MB], storage: { count: 30_000 }, largest: { unseenBytes: 150 * MB, probe: cutShort } },
    ],
    [
      'the search found none',
      {
        sizes: small,
        storage: { count: 30_000 },
        largest: {
          unseenBytes: 15 * MB,
          probe: { state: 'complete', thresholdBytes: 8 * MB, sizes: [], atLeast: false },
        },
      },
    ],
    [
      'every document was read',
      { sizes: small, sample: { complete: true }, largest: { unseenBytes: 15 * MB, probe: cutShort } },
    ],
  ])('%s', (_, given) => {
    expect(judge(oversizedDocument, given)).toEqual([]);
  });
});
