import { describe, expect, it } from 'vitest';
import { unboundedArray } from '../../checks/unbounded-array.js';
import type { OplogGrowth, PathProfile } from '../../src/check.js';
import type { ArraySiblings } from '../../src/profile/document-profile.js';
import { arrays, judge, problems } from '../support/checks/evidence-builders.js';
import { growthOf, writtenArray } from '../support/checks/growth-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';
import { readsOf, type GivenRead } from '../support/workload/reads.js';

const review = { _id: 'objectId', by: 'string', text: 'string', at: 'date' } as const;
const measurement = { at: 'date', value: 'double' } as const;
const repeated = (count: number, length: number) => Array.from({ length: count }, () => length);

const more = new RandomDistributions(20261122);
const exempt = (paths: PathProfile[]) =>
  judge(unboundedArray, { paths }).flatMap((verdict) => ('exempt' in verdict ? [verdict] : []));
const long = () => more.list(300, () => more.between(1, 5_000));
const capped = (most: number, few = 0) => [
  ...more.list(1_000 - few, () => Math.min(few === 0 ? most : most / 2, more.wholeLognormal(most / 4, 1.2))),
  ...repeated(few, most),
];
const siblings = (paths: PathProfile[], of: ArraySiblings): PathProfile[] =>
  paths.map((path) => (path.array === undefined ? path : { ...path, array: { ...path.array, siblings: of } }));

describe('caps soften a verdict by a step', () => {
  it.each<[string, PathProfile[], 'warning' | 'info' | null]>([
    ['of 100 embedded documents', arrays({ path: 'recent', lengths: capped(100), fields: review }), null],
    ['of 500', arrays({ path: 'recent', lengths: capped(500), fields: review }), 'info'],
    ['of 5,000', arrays({ path: 'recent', lengths: capped(5_000), fields: review }), 'warning'],
    ['of 500 strings', arrays({ path: 'recent', lengths: capped(500), elements: 'string' }), null],
    ['of 500 numbers', arrays({ path: 'recent', lengths: capped(9_000), elements: 'int' }), null],
    [
      'of 2,000 measurements in a bucket',
      arrays({ path: 'recent', lengths: capped(2_000), fields: measurement }),
      null,
    ],
    [
      'in a field beside them',
      siblings(arrays({ path: 'recent', lengths: more.list(300, () => more.between(1, 5_000)), fields: review }), {
        documents: 300,
        cap: 'keep',
      }),
      'warning',
    ],
  ])('%s', (_, paths, severity) => {
    const found = problems(unboundedArray, { paths });
    expect(found.map((one) => one.severity)).toEqual(severity === null ? [] : [severity]);
    for (const { message } of found) expect(message).toMatch(/It is capped at [\d,]+, beyond the 200/);
  });

  it.each<[string, number]>([
    ['two arrays at the same maximum', 2],
    ['nine of a thousand', 9],
  ])('%s are no cap', (_, few) => {
    const lengths = [...more.list(991, () => more.wholeLognormal(100, 1)), ...repeated(few, 5_000)];
    const [found] = problems(unboundedArray, { paths: arrays({ path: 'recent', lengths, fields: review }) });
    expect(found?.message).toContain('No visible bound.');
  });
});

const push = (operand: object, q: object = { _id: 1 }, rest: Partial<GivenRead> = {}): GivenRead => ({
  kind: 'update',
  find: { q, u: { $push: { recent: operand } } },
  ...rest,
});
const set = (u: object): GivenRead => ({ kind: 'update', find: { q: { _id: 1 }, u } });

describe('what writes say of the end of an array', () => {
  const own = new RandomDistributions(20261127);
  const longOnes = () => own.list(300, () => own.between(1, 5_000));
  const tail = () => arrays({ path: 'recent', lengths: longOnes(), fields: review });
  const lines = (longest: number) =>
    arrays({ path: 'recent', lengths: longOnes(), elements: 'string' }).map((path) =>
      path.path === 'recent[]'
        ? { ...path, values: { strings: { count: path.occurrences, sum: 40 * path.occurrences, max: longest } } }
        : path,
    );

  it.each<[string, PathProfile[], GivenRead[], 'error' | 'warning' | 'info' | null]>([
    ['nothing recorded', tail(), [], 'error'],
    ['a push that nothing cuts', tail(), [push({ n: 1 })], 'error'],
    ['a cap of 50, though old arrays are longer', tail(), [push({ $each: [{ n: 1 }], $slice: -50 })], null],
    ['a cap from the beginning', tail(), [push({ $each: [{ n: 1 }], $slice: 50 })], null],
    ['a cap far out', tail(), [push({ $each: [{ n: 1 }], $slice: -2_000 })], 'warning'],
    ['a cap by a position', tail(), [push({ n: 1 }, { _id: 1, 'recent.99': { $exists: false } })], 'warning'],
    [
      'a cap by a counter, as buckets have it',
      tail(),
      [set({ $push: { recent: { n: 1 } }, $inc: { n: 1 } })].map((one) => ({
        ...one,
        find: { ...one.find, q: { n: { $lt: 200 } } },
      })),
      'warning',
    ],
    [
      'a cap that few writes have',
      tail(),
      [push({ n: 1 }), push({ $each: [{ n: 1 }], $slice: -50 }, { _id: 1 }, { executions: 20 })],
      'error',
    ],
    ['lines of a text that are set as a whole', lines(200), [set({ $set: { recent: ['one', 'two'] } })], null],
    ['lines in documents that are replaced', lines(200), [set({ title: 'x', recent: ['one'] })], null],
    ['identifiers that are set as a whole', lines(41), [set({ $set: { recent: ['one', 'two'] } })], 'warning'],
    [
      'lines that are also pushed',
      lines(200),
      [set({ $set: { recent: ['one'] } }), push('two' as unknown as object)],
      'warning',
    ],
  ])('%s', (_, paths, writes, severity) => {
    const reads = readsOf(writes);
    const found = problems(unboundedArray, { paths, ...(reads !== undefined && { reads }) });
    expect(found.map((one) => one.severity)).toEqual(severity === null ? [] : [severity]);
  });

  it.each<[string, Partial<OplogGrowth>, string]>([
    ['appends that nothing shortened, to all that are longest', { rewrites: 0 }, 'No visible bound.'],
    ['one that shortened', { rewrites: 1 }, 'It is capped at 500'],
    ['appends to shorter ones', { rewrites: 0, longest: 300 }, 'It is capped at 500'],
    ['appends to fewer than are longest', { rewrites: 0, documents: 5 }, 'It is capped at 500'],
    ['few appends', { rewrites: 0, writes: 20 }, 'It is capped at 500'],
  ])('a pile at the greatest length, and in the oplog %s', (_, oplog, expected) => {
    const paths = arrays({
      path: 'recent',
      lengths: [...own.list(970, () => Math.min(400, own.wholeLognormal(40, 1.2))), ...repeated(30, 500)],
      fields: review,
    });
    const grown = { path: 'recent', age: null, history: null, growth: null, forecasts: [] };
    const growth = growthOf([
      { ...grown, oplog: writtenArray({ longest: 500, documents: 40, writes: 400, ...oplog }) },
    ]);
    expect(problems(unboundedArray, { paths, growth })[0]?.message).toContain(expected);
  });

  it('lets logins expire where a framework reads them', () => {
    const paths = arrays({
      path: 'services.resume.loginTokens',
      lengths: longOnes(),
      fields: { when: 'date', hashedToken: 'string' },
    });
    const [found] = problems(unboundedArray, { paths });
    const steps = found?.remedy.steps.map(({ text, code }) => `${text} ${code ?? ''}`).join('\n') ?? '';
    expect(steps).toMatch(
      /^Let the elements expire[^]*\$pull: \{ "services.resume.loginTokens": \{ when: \{ \$lt[^]*cap/,
    );
    expect(steps).not.toMatch(/Move the elements|overflow/);
  });
});

describe('what is let pass', () => {
  it.each<[string, PathProfile[], string[]]>([
    [
      'a fixed length',
      arrays({ path: 'readings', lengths: repeated(100, 3_600), elements: 'int' }),
      ['readings: up to 3,600 elements: all are equally long'],
    ],
    [
      'a bucket of a day',
      siblings(arrays({ path: 'events', lengths: long(), fields: review }), {
        documents: 300,
        period: { field: 'day', milliseconds: 86_400_000 },
      }),
      ['events: up to 4,9XX elements: all elements lie within a period that the document names'],
    ],
    ['lengths below every line', arrays({ path: 'tags', lengths: repeated(100, 20), elements: 'string' }), []],
    ['what is reported', arrays({ path: 'events', lengths: long(), fields: review }), []],
  ])('%s', (_, paths, expected) => {
    expect(exempt(paths).map(({ path, exempt: why }) => `${path}: ${why.replace(/4,9\d\d/, '4,9XX')}`)).toEqual(
      expected,
    );
  });

  it('an array as long as the positions beside it, and not one as long as others', () => {
    const beside = (path: string) =>
      siblings(arrays({ path: 'speeds', lengths: long(), elements: 'double' }), { documents: 300, sameLengthAs: path });
    const track = [
      ...arrays({ path: 'track', lengths: repeated(300, 9), elements: 'array' }),
      ...arrays({ path: 'track[]', lengths: more.list(300, () => 2).map(() => [2, 2]), elements: 'double' }),
    ];
    const times = arrays({ path: 'times', lengths: long(), elements: 'int' });
    expect(exempt([...beside('track'), ...track]).map(({ exempt: why }) => why)).toEqual([
      expect.stringContaining('one recording, as long as an array of positions'),
    ]);
    expect(exempt([...beside('times'), ...times])).toEqual([]);
  });

  it('no group of parents with very many children', () => {
    const lengths = [...more.list(970, () => more.between(0, 40)), ...more.list(30, () => more.between(5_000, 7_000))];
    const [found] = problems(unboundedArray, { paths: arrays({ path: 'members', lengths, fields: review }) });
    expect(found).toMatchObject({ severity: 'error', path: 'members' });
    expect(problems(unboundedArray, { paths: arrays({ path: 'members', lengths, elements: 'int' }) })).toEqual([]);
  });
});

describe('few arrays', () => {
  it.each<[string, PathProfile[], { severity: string; confidence: string } | null]>([
    [
      '60,000 strings in the only document',
      arrays({ path: 'all', lengths: [60_000], elements: 'string', elementBytes: 32 }),
      { severity: 'warning', confidence: 'medium' },
    ],
    [
      '6,000 strings in the only document',
      arrays({ path: 'all', lengths: [6_000], elements: 'string', elementBytes: 32 }),
      { severity: 'info', confidence: 'low' },
    ],
    [
      '60,000 numbers in the only document',
      arrays({ path: 'all', lengths: [60_000], elements: 'double', elementBytes: 16 }),
      null,
    ],
  ])('%s', (_, paths, expected) => {
    expect(problems(unboundedArray, { paths })).toMatchObject(expected === null ? [] : [expected]);
  });
});
