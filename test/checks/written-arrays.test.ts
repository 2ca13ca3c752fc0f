/** Arrays that are judged by how recorded writes write them, too. */
import { describe, expect, it } from 'vitest';
import { unboundedArray } from '../../checks/unbounded-array.js';
import { arrayElements, writeBound } from '../../src/judgement/arrays/array-elements.js';
import type { ArrayWrites, CollectionReads } from '../../src/workload/reads/collection-reads.js';
import { arrays, problem, problems } from '../support/checks/evidence-builders.js';

const COMMENT = { by: 'string', text: 'string' } as const;
const repeated = (count: number, length: number) => Array.from({ length: count }, () => length);
const TAILED = [...repeated(960, 6), ...Array.from({ length: 40 }, (_, index) => 500 + 10 * index)];

const written = (writes: Partial<ArrayWrites>): CollectionReads => ({
  source: 'profiler',
  coverage: { operations: 'all', slowMilliseconds: null, window: null },
  executions: 0,
  reads: [],
  arrayWrites: [{ path: 'seenBy', added: 0, capped: 0, cappedAt: null, whole: 0, ...writes }],
});

describe('recorded writes to an array that is worth an info', () => {
  it.each<[string, Partial<ArrayWrites>, severity: string, says: string]>([
    ['none', {}, 'info', ''],
    ['that add to it', { added: 160 }, 'warning', ' Recorded writes that add to it: 160.'],
    ['that send it whole', { whole: 3 }, 'warning', ' Recorded writes that send it whole: 3.'],
    [
      'of both kinds',
      { added: 2, whole: 1 },
      'warning',
      ' Recorded writes that add to it: 2. Recorded writes that send it whole: 1.',
    ],
    ['by hand', { added: 2 }, 'info', ''],
    ['to another array', { path: 'likedBy', added: 160 }, 'info', ''],
  ])('%s', (_, writes, severity, says) => {
    const paths = arrays({ path: 'seenBy', lengths: TAILED, elements: 'objectId' });
    const found = problem(unboundedArray, { paths, reads: written(writes) });
    expect(found.severity).toBe(severity);
    expect(/ Recorded writes.*$/.exec(found.message)?.[0] ?? '').toBe(says);
  });

  it('say nothing of the outline of one thing', () => {
    const points = arrays({ path: 'seenBy', lengths: TAILED, fields: { lat: 'double', lng: 'double' } });
    expect(problems(unboundedArray, { paths: points, reads: written({ added: 160 }) })).toMatchObject([
      { severity: 'info' },
    ]);
  });
});

/** From 40 to 239. */
const STEPS = Array.from({ length: 200 }, (_, index) => 40 + index);
/** Beside more of the document. */
const amongOthers = (lengths: readonly number[], writes: Partial<ArrayWrites>) =>
  problems(unboundedArray, {
    paths: arrays({ path: 'seenBy', lengths, fields: COMMENT, restBytes: 100_000 }),
    reads: written(writes),
  });

describe('recorded writes to an array that is neither bounded nor without a bound', () => {
  it.each<[string, readonly number[], Partial<ArrayWrites>, string[]]>([
    ['sent whole', STEPS, { whole: 3 }, ['info medium']],
    ['sent whole by hand', STEPS, { whole: 2 }, []],
    ['added to', STEPS, { added: 160 }, []],
    ['sent whole, and short', STEPS.map((length) => Math.ceil(length / 10)), { whole: 160 }, []],
    ['sent whole, and of one length', repeated(200, 240), { whole: 160 }, []],
  ])('%s', (_, lengths, writes, found) => {
    expect(amongOthers(lengths, writes).map(({ severity, confidence }) => `${severity} ${confidence}`)).toEqual(found);
  });

  it('says what to send in place of it, and nothing else', () => {
    const [{ message, remedy } = { message: '', remedy: { steps: [] } }] = amongOthers(STEPS, { whole: 3 });
    expect(message).toContain('Recorded writes that send it whole: 3.');
    expect(remedy.steps.map(({ text }) => text.slice(0, 22))).toEqual(['Send only what changes']);
  });

  it('rests on the record of the writes: without one it is not seen, and not fixed', () => {
    expect(amongOthers(STEPS, { whole: 3 }).map(({ restsOn }) => restsOn)).toEqual([['sample', 'profiler']]);
  });
});

/** One in twenty-five is long. */
const CHUNKS = arrays({ path: 'ops', lengths: TAILED.map((length) => 4 * length), fields: COMMENT });
const recorded = (more: Partial<CollectionReads>): CollectionReads => {
  const { arrayWrites: _, ...reads } = written({});
  return { ...reads, writes: 150, inserts: 150, deletes: 0, ...more };
};

describe('a collection whose recorded writes only insert documents', () => {
  it.each<[string, Partial<CollectionReads>, string]>([
    ['without a record of writes', { writes: 0, inserts: 0 }, 'error'],
    ['often enough that long ones were among them', {}, 'info'],
    [
      'before the profiler was switched off',
      { coverage: { operations: 'none', slowMilliseconds: 100, window: null } },
      'info',
    ],
    ['and delete some', { writes: 170, deletes: 20 }, 'info'],
    ['too few for three long ones', { writes: 60, inserts: 60 }, 'warning'],
    ['a few', { writes: 25, inserts: 25 }, 'error'],
    ['but update one', { writes: 151 }, 'error'],
    [
      'but add to the array',
      { writes: 190, arrayWrites: [{ path: 'ops', added: 40, capped: 0, cappedAt: null, whole: 0 }] },
      'error',
    ],
    ['as far as slow ones show', { coverage: { operations: 'slow', slowMilliseconds: 100, window: null } }, 'error'],
    ['as far as an earlier version counted them', { writes: undefined, inserts: undefined } as never, 'error'],
  ])('%s', (_, more, severity) => {
    expect(problem(unboundedArray, { paths: CHUNKS, reads: recorded(more) }).severity).toBe(severity);
  });

  it('says nothing of an array that few documents have', () => {
    const paths = arrays({ path: 'ops', lengths: repeated(30, 2).concat(1_300, 1_600), fields: COMMENT });
    expect(problem(unboundedArray, { paths, reads: recorded({}) }).severity).toBe('error');
  });

  it('says why it is no more, and moves nothing', () => {
    const { message, remedy, restsOn } = problem(unboundedArray, { paths: CHUNKS, reads: recorded({}) });
    expect(message).toContain('Recorded writes do not add to it: 150 inserts, no update.');
    expect(remedy.steps.map(({ text }) => text.slice(0, 17))).toEqual(['Leave `ops` as it']);
    expect(restsOn).toEqual(['sample', 'profiler']);
  });

  it.each([
    ['grows by its age', { growth: {} }],
    ['is added to, by the oplog', { oplog: { writes: 3 } }],
  ])('%s', (_, more) => {
    const array = { path: 'ops', age: null, oplog: null, history: null, growth: null, forecasts: [], ...more };
    const reads = recorded({});
    expect(writeBound('ops', CHUNKS[0]!.array!, arrayElements(CHUNKS[0]!, CHUNKS), reads, array as never)).toBeNull();
  });
});
