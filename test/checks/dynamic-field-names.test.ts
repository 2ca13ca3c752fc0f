import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { dynamicFieldNames } from '../../checks/dynamic-field-names.js';
import type { CollectionReads, ObjectProfile } from '../../src/check.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import type { Shape } from '../../src/workload/shapes/shape.js';
import { objects, pathProfile, problem, problems } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const random = new RandomDistributions(5);
const at = (path: string, object: ObjectProfile) => ({
  paths: [pathProfile({ path, object }), pathProfile({ path: `${path}.*`, parent: path })],
});

/** So many objects with at least and at most so many names each. */
const sized = (objectCount: number, least: number, most = least) =>
  random.list(objectCount, () => (least === most ? least : random.between(least, most)));

const foldedObject = (lengths: readonly number[], distinct: number, namePattern?: Pattern) =>
  objects([...lengths], distinct, { folded: true, ...(namePattern !== undefined && { namePattern }) });

type Pattern = ObjectProfile['namePattern'];

describe('field names that are data', () => {
  it.each<[string, readonly number[], number, Pattern | undefined, string]>([
    ['ids, a few per object', sized(100, 1, 10), 520, 'objectId', 'warning high'],
    ['ids, thousands in the sample', sized(1_000, 1, 10), 5_000, 'objectId', 'warning high'],
    ['ids, hundreds per object', sized(300, 100, 400), 900, 'objectId', 'warning high'],
    ['ids, thousands per object', sized(300, 0, 4_000), 60_000, 'objectId', 'error high'],
    ['ids, thousands in one object of a thousand', [...sized(999, 1, 10), 4_000], 9_000, 'objectId', 'warning high'],
    ['ids that all objects share', sized(100, 60), 60, 'objectId', 'warning high'],
    ['dates', sized(100, 1, 20), 400, 'date', 'warning high'],
    ['dates of which most objects hold most', sized(100, 110, 180), 180, 'date', 'warning high'],
    ['numbered ids, a few per object', sized(100, 1, 20), 300, 'numbered', 'warning high'],
    ['more names than can be told apart, in each object', sized(6, 40_000), 61_320, 'mixed', 'error medium'],
    ['as many as saturate the count, shared or not', sized(6, 600_000), 65_536, 'mixed', 'error medium'],
    ['of no one look', sized(100, 1, 10), 500, undefined, 'info medium'],
    ['e-mail addresses in one settings document', [300], 300, 'email', 'warning medium'],
  ])('%s', (_, lengths, distinct, namePattern, expected) => {
    const found = problem(dynamicFieldNames, at('scores', foldedObject(lengths, distinct, namePattern)));
    expect([`${found.severity} ${found.confidence}`, found.path]).toEqual([expected, 'scores']);
    expect(found.remedy.text).toMatch(
      /\{ k: <name>, v: <value> \} \(attribute pattern\).*\{ "scores\.k": 1, "scores\.v": 1 \}.*\{ "scores\.\$\*\*": 1 \}/s,
    );
  });

  it('of no common pattern are called so', () => {
    const object = foldedObject(sized(100, 1, 10), 500, 'mixed');
    expect(problem(dynamicFieldNames, at('scores', object)).message).toContain(
      'The field names of `scores` have no common pattern: at least 500',
    );
  });

  it.each([30_000, 40_000])('are found in six documents of %d names each, all different', (count) => {
    const profiler = new DocumentProfiler();
    for (let document = 0; document < 6; document += 1) {
      const names = Array.from({ length: count }, (_, index) => [`n${(document * count + index).toString(36)}`, 1]);
      profiler.add(BSON.serialize({ map: Object.fromEntries(names) }));
    }
    const profile = profiler.profile();
    expect(problem(dynamicFieldNames, { profile, paths: profile.paths })).toMatchObject({
      severity: 'error',
      path: 'map',
    });
  });

  it('of the documents themselves have no path', () => {
    const found = problem(dynamicFieldNames, {
      profile: { root: foldedObject(sized(100, 12), 900, 'objectId') },
    });
    expect(found).toMatchObject({ path: null });
    expect(found.message).toContain('the documents of products are ObjectIds: at least 900 different ones');
  });

  it('of elements of an array are reported at the array', () => {
    const object = foldedObject(sized(100, 10), 400, 'objectId');
    expect(problem(dynamicFieldNames, at('rounds[]', object))).toMatchObject({ path: 'rounds' });
  });
});

/** The documents as the profiler sees them. */
function foundIn(documents: readonly object[]) {
  const profiler = new DocumentProfiler();
  for (const document of documents) profiler.add(BSON.serialize(document));
  const profile = profiler.profile();
  return problems(dynamicFieldNames, { profile, paths: profile.paths }).map(
    ({ path, severity }) => `${path} ${severity}`,
  );
}

const some = <T>(count: number, value: (index: number) => T): Record<string, T> =>
  Object.fromEntries(
    random.list(count, () => random.between(1, count)).map((index) => [String(index).padStart(2, '0'), value(index)]),
  );

describe('maps within maps', () => {
  it.each<[string, () => object, string[]]>([
    [
      'year, month and day',
      () => ({
        attendance: { 2025: some(12, () => some(28, () => true)), 2026: some(12, () => some(28, () => true)) },
      }),
      ['attendance warning'],
    ],
    ['month and day of any year', () => ({ usual: some(12, () => some(28, () => 1)) }), ['usual info']],
    [
      'forty stores of forty shelves, of which each article has few',
      () => ({
        stock: {
          [random.between(1, 40)]: { [random.between(1, 40)]: 3 },
          [random.between(1, 40)]: { [random.between(1, 40)]: 3 },
        },
      }),
      ['stock warning'],
    ],
    [
      'hours and minutes of a day, all of them',
      () => ({
        minutes: Object.fromEntries(
          random
            .list(24, () => 0)
            .map((_, hour) => [hour, Object.fromEntries(random.list(60, () => 0).map((__, minute) => [minute, 1]))]),
        ),
      }),
      [],
    ],
    ['figures of two years', () => ({ revenue: { 2025: 7, 2026: 9 } }), []],
  ])('%s', (_, document, expected) => {
    expect(foundIn(Array.from({ length: 400 }, document))).toEqual(expected);
  });
});

describe('the remedy for names that are days', () => {
  it.each([
    ['date', [/^Keep one document for each .* and day/, /attribute pattern/]],
    ['objectId', [/attribute pattern/]],
  ] as const)('%s', (namePattern, texts) => {
    const object = foldedObject(sized(100, 1, 20), 400, namePattern);
    const [found] = problems(dynamicFieldNames, at('visits', object));
    expect(found?.remedy.steps.slice(0, texts.length).map(({ text }) => text)).toEqual(
      texts.map((text) => expect.stringMatching(text)),
    );
  });
});

describe('field names that are a schema', () => {
  it.each<[string, ObjectProfile]>([
    ['an ordinary object', objects(sized(100, 5, 12), 14)],
    ['a wide one that is not folded', objects(sized(100, 100, 300), 400)],
    ['sixty numbered questions that all objects answer', foldedObject(sized(100, 60), 60, 'numbered')],
    ['dates of the days of a few weeks', foldedObject(sized(100, 7), 28, 'date')],
    ['hours of a day', foldedObject(sized(100, 24), 24, 'number')],
    ['minutes of a day, in most objects', foldedObject(sized(100, 1_300, 1_440), 1_440, 'number')],
    ['languages', foldedObject(sized(100, 1, 6), 35)],
    ['sixty currencies', foldedObject(sized(100, 40, 60), 60, 'mixed')],
    ['40 ids', foldedObject(sized(100, 5), 40, 'objectId')],
  ])('%s', (_, object) => {
    expect(problems(dynamicFieldNames, at('scores', object))).toEqual([]);
  });
});

const read = (executions: number, ...stages: Record<string, Shape>[]): CollectionReads => ({
  source: 'profiler',
  coverage: { operations: 'all', slowMilliseconds: null, window: null },
  executions,
  reads: stages.map((stage) => ({ stages: [stage], executions: 1, slices: {} })),
});
const byName = (name: string) => ({ $match: { [`scores.${name}.wins`]: { $eq: '?number' } } });
const byNames = (count: number) => Array.from({ length: count }, (_, index) => byName(`w${index}`));

describe('recorded reads of a map that is worth an info', () => {
  it.each<[string, CollectionReads, string[]]>([
    ['search by no name', read(20, { $match: { _id: { $eq: '?objectId' } } }), []],
    ['search by nine names', read(90, ...byNames(9)), []],
    ['search by one name in many ways', read(90, ...Array.from({ length: 30 }, () => byName('total'))), []],
    ['search by ten names', read(90, ...byNames(10)), ['info']],
    ['search by nine names and sort by another', read(90, ...byNames(9), { $sort: { 'scores.last': -1 } }), ['info']],
    ['search by names that are data themselves', read(90, byName('*')), ['info']],
    ['search by names of another map', read(90, { $match: { 'scoresOfTeams.*': { $eq: '?number' } } }), []],
    ['are too few to show a habit', read(19, { $match: { _id: { $eq: '?objectId' } } }), ['info']],
  ])('%s', (_, reads, expected) => {
    const map = at('scores', foldedObject(sized(100, 1, 10), 500, 'mixed'));
    expect(problems(dynamicFieldNames, { ...map, reads }).map(({ severity }) => severity)).toEqual(expected);
  });

  it('say nothing of a map that grows with the data', () => {
    const map = at('scores', foldedObject(sized(100, 1, 10), 500, 'objectId'));
    expect(problem(dynamicFieldNames, { ...map, reads: read(90, {}) }).severity).toBe('warning');
  });
});
