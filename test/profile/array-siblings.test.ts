import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import type { ArraySiblings } from '../../src/profile/document-profile.js';
import { profileOf } from '../support/documents/profiles.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5);

const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const documents = (make: (index: number) => Document) => list(40, make);
/** Between 60 and 380 elements. */
const long = (index: number) => 60 + ((index * 83) % 320);

/** Events of the day, or of the days from it, from first to last. */
const events = (index: number, days: number, from = 0) =>
  list(long(index), (event) => ({
    at: new Date(START + index * DAY + from + (event * days * DAY) / long(index)),
    n: event,
  }));

it.each<[string, Document[], string, Omit<ArraySiblings, 'documents'> | undefined]>([
  [
    'a limit that some have reached',
    documents((index) => ({ keep: 100, last: list(Math.min(100, long(index)), (n) => ({ n })) })),
    'last',
    { cap: 'keep' },
  ],
  [
    'a limit of their own, in an object',
    documents((index) => ({
      log: { most: index % 2 === 0 ? 80 : 200, lines: list(Math.min(index % 2 === 0 ? 80 : 200, long(index)), String) },
    })),
    'log.lines',
    { cap: 'log.most' },
  ],
  [
    'a number that is larger, and never reached',
    documents((index) => ({ keep: 5_000, last: list(long(index), String) })),
    'last',
    undefined,
  ],
  [
    'a number that one array exceeds',
    documents((index) => ({ keep: index === 39 ? 60 : 100, last: list(Math.min(100, long(index)), String) })),
    'last',
    undefined,
  ],
  [
    'a count of all that ever were',
    documents((index) => ({ total: long(index) + (index % 3), last: list(long(index), String) })),
    'last',
    undefined,
  ],
  ['a count', documents((index) => ({ count: long(index), last: list(long(index), String) })), 'last', undefined],
  [
    'a bucket of a day',
    documents((index) => ({ day: new Date(START + index * DAY), events: events(index, 0.9) })),
    'events',
    { period: { field: 'day', milliseconds: DAY } },
  ],
  [
    'a bucket of a day that is part of the _id, as a text',
    documents((index) => ({
      _id: { sensor: index % 4, day: new Date(START + index * DAY).toISOString().slice(0, 10) },
      events: events(index, 0.9, 3 * HOUR),
    })),
    'events',
    { period: { field: '_id.day', milliseconds: DAY } },
  ],
  [
    'a bucket of a month',
    documents((index) => ({ month: new Date(START + index * DAY), events: events(index, 29) })),
    'events',
    { period: { field: 'month', milliseconds: 31 * DAY } },
  ],
  [
    'events of a year after a day',
    documents((index) => ({ day: new Date(START + index * DAY), events: events(index, 300) })),
    'events',
    undefined,
  ],
  [
    'comments soon after a moment that is no beginning of a bucket',
    documents((index) => ({
      postedAt: new Date(START + index * DAY + 1_234_567),
      comments: events(index, 0.5, 0.1 * DAY),
    })),
    'comments',
    undefined,
  ],
  [
    'an array that is as long',
    documents((index) => ({ positions: list(long(index), (n) => [n, n]), speeds: list(long(index), Number) })),
    'speeds',
    { sameLengthAs: 'positions' },
  ],
  [
    'an array that once is not as long',
    documents((index) => ({
      positions: list(long(index) + (index === 7 ? 1 : 0), (n) => [n, n]),
      speeds: list(long(index), Number),
    })),
    'speeds',
    undefined,
  ],
  ['arrays of one fixed length', documents(() => ({ a: list(64, Number), b: list(64, Number) })), 'a', undefined],
  ['arrays that are short', documents(() => ({ keep: 20, last: list(20, Number) })), 'last', undefined],
  [
    'four documents',
    documents((index) => ({ keep: 60, last: list(Math.min(60, long(index)), String) })).slice(0, 4),
    'last',
    undefined,
  ],
])('%s', (_, given, path, expected) => {
  const siblings = profileOf(given).paths.find((profile) => profile.path === path)?.array?.siblings;
  expect(siblings).toEqual(expected === undefined ? undefined : { documents: given.length, ...expected });
});
