import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { inPart, profilerCoverage } from '../../../src/workload/sources/profiler.js';
import type { Coverage } from '../../../src/workload/workload.js';

const NOT_SLOW = { slowMilliseconds: null };

// Answers of `profile: -1` as 6.0.5 gave them for these settings, except where Percona is named.
it.each<[string, Document, Coverage]>([
  ['off', { was: 0, slowms: 100, sampleRate: 1 }, { operations: 'none', slowMilliseconds: 100, sampleRate: 1 }],
  ['slow ones', { was: 1, slowms: 100, sampleRate: 1 }, { operations: 'slow', slowMilliseconds: 100, sampleRate: 1 }],
  [
    'those of a millisecond and more',
    { was: 1, slowms: 0, sampleRate: 1 },
    { operations: 'slow', slowMilliseconds: 0, sampleRate: 1 },
  ],
  ['a threshold below any', { was: 1, slowms: -1, sampleRate: 1 }, { operations: 'all', ...NOT_SLOW, sampleRate: 1 }],
  [
    'a sample of slow ones',
    { was: 1, slowms: 100, sampleRate: 0.5 },
    { operations: 'part', slowMilliseconds: 100, sampleRate: 0.5 },
  ],
  ['a sample of all', { was: 1, slowms: -1, sampleRate: 0.5 }, { operations: 'part', ...NOT_SLOW, sampleRate: 0.5 }],
  [
    'all, whatever the rest',
    { was: 2, slowms: 100, sampleRate: 0.5 },
    { operations: 'all', ...NOT_SLOW, sampleRate: 1 },
  ],
  [
    'what a filter lets through',
    { was: 1, slowms: -1, sampleRate: 0.5, filter: { op: { $eq: 'query' } } },
    { operations: 'unknown', ...NOT_SLOW, sampleRate: null },
  ],
  [
    "one in 20, by Percona's server",
    { was: 2, slowms: 100, sampleRate: 1, ratelimit: 20 },
    { operations: 'part', ...NOT_SLOW, sampleRate: 0.05 },
  ],
  ['slow ones, by a server that says no more', { was: 1 }, { operations: 'slow', ...NOT_SLOW, sampleRate: 1 }],
])('records %s', (_, settings, coverage) => {
  expect(profilerCoverage(settings)).toEqual(coverage);
});

it.each<[Coverage['operations'], number | null, Coverage]>([
  ['all', 100, { operations: 'part', ...NOT_SLOW, sampleRate: null }],
  ['slow', 100, { operations: 'part', slowMilliseconds: 100, sampleRate: null }],
  ['none', 100, { operations: 'none', slowMilliseconds: 100, sampleRate: null }],
])('of %s, some may be lost', (operations, slowMilliseconds, expected) => {
  expect(inPart({ operations, slowMilliseconds, sampleRate: 1 })).toEqual(expected);
});
