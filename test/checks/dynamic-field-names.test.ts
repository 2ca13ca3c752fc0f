import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { dynamicFieldNames } from '../../checks/dynamic-field-names/check.js';
import type { ObjectProfile } from '../../src/check.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { objects, pathProfile, problem, problems } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const random = new RandomDistributions(5);
const folded = { folded: true, namePattern: 'objectId' } as const;
const at = (path: string, object: ObjectProfile) => ({
  paths: [pathProfile({ path, object }), pathProfile({ path: `${path}.*`, parent: path })],
});

describe('field names that are data', () => {
  it.each<[string, ObjectProfile, { severity: string; confidence: string }]>([
    [
      'ids, a few per object',
      objects(
        random.list(100, () => random.between(1, 10)),
        520,
        folded,
      ),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'ids, thousands in the sample',
      objects(
        random.list(1_000, () => random.between(1, 10)),
        5_000,
        folded,
      ),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'ids, hundreds per object',
      objects(
        random.list(300, () => random.between(100, 400)),
        900,
        folded,
      ),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'ids, thousands per object',
      objects(
        random.list(300, () => random.between(0, 4_000)),
        60_000,
        folded,
      ),
      { severity: 'error', confidence: 'high' },
    ],
    [
      'ids, thousands in one object of a thousand',
      objects([...random.list(999, () => random.between(1, 10)), 4_000], 9_000, folded),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'ids that all objects share',
      objects(
        random.list(100, () => 60),
        60,
        folded,
      ),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'dates',
      objects(
        random.list(100, () => random.between(1, 20)),
        400,
        { folded: true, namePattern: 'date' },
      ),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'dates of which most objects hold most',
      objects(
        random.list(100, () => random.between(110, 180)),
        180,
        { folded: true, namePattern: 'date' },
      ),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'numbered ids, a few per object',
      objects(
        random.list(100, () => random.between(1, 20)),
        300,
        { folded: true, namePattern: 'numbered' },
      ),
      { severity: 'warning', confidence: 'high' },
    ],
    [
      'more names than can be told apart, in each object',
      objects(
        random.list(6, () => 40_000),
        61_320,
        { folded: true, namePattern: 'mixed' },
      ),
      { severity: 'error', confidence: 'medium' },
    ],
    [
      'as many as saturate the count, shared or not',
      objects(
        random.list(6, () => 600_000),
        65_536,
        { folded: true, namePattern: 'mixed' },
      ),
      { severity: 'error', confidence: 'medium' },
    ],
    [
      'of no one look',
      objects(
        random.list(100, () => random.between(1, 10)),
        500,
        { folded: true },
      ),
      { severity: 'info', confidence: 'medium' },
    ],
    [
      'e-mail addresses in one settings document',
      objects([300], 300, { folded: true, namePattern: 'email' }),
      { severity: 'warning', confidence: 'medium' },
    ],
  ])('%s', (_, object, expected) => {
    const found = problem(dynamicFieldNames, at('scores', object));
    expect(found).toMatchObject({ ...expected, path: 'scores' });
    expect(found.remedy.text).toMatch(
      /\{ k: <name>, v: <value> \} \(attribute pattern\).*\{ "scores\.k": 1, "scores\.v": 1 \}.*\{ "scores\.\$\*\*": 1 \}/s,
    );
  });

  it('of no common pattern are called so', () => {
    const object = objects(
      random.list(100, () => random.between(1, 10)),
      500,
      { folded: true, namePattern: 'mixed' },
    );
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
      profile: {
        root: objects(
          random.list(100, () => 12),
          900,
          folded,
        ),
      },
    });
    expect(found).toMatchObject({ path: null });
    expect(found.message).toContain('the documents of products are ObjectIds: at least 900 different ones');
  });

  it('of elements of an array are reported at the array', () => {
    expect(
      problem(
        dynamicFieldNames,
        at(
          'rounds[]',
          objects(
            random.list(100, () => 10),
            400,
            folded,
          ),
        ),
      ),
    ).toMatchObject({ path: 'rounds' });
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
    const object = objects(
      random.list(100, () => random.between(1, 20)),
      400,
      { folded: true, namePattern },
    );
    const [found] = problems(dynamicFieldNames, at('visits', object));
    expect(found?.remedy.steps.slice(0, texts.length).map(({ text }) => text)).toEqual(
      texts.map((text) => expect.stringMatching(text)),
    );
  });
});

describe('field names that are a schema', () => {
  it.each<[string, ObjectProfile]>([
    [
      'an ordinary object',
      objects(
        random.list(100, () => random.between(5, 12)),
        14,
      ),
    ],
    [
      'a wide one that is not folded',
      objects(
        random.list(100, () => random.between(100, 300)),
        400,
      ),
    ],
    [
      'sixty numbered questions that all objects answer',
      objects(
        random.list(100, () => 60),
        60,
        { folded: true, namePattern: 'numbered' },
      ),
    ],
    [
      'dates of the days of a few weeks',
      objects(
        random.list(100, () => 7),
        28,
        { folded: true, namePattern: 'date' },
      ),
    ],
    [
      'hours of a day',
      objects(
        random.list(100, () => 24),
        24,
        { folded: true, namePattern: 'number' },
      ),
    ],
    [
      'minutes of a day, in most objects',
      objects(
        random.list(100, () => random.between(1_300, 1_440)),
        1_440,
        { folded: true, namePattern: 'number' },
      ),
    ],
    [
      'languages',
      objects(
        random.list(100, () => random.between(1, 6)),
        35,
        { folded: true },
      ),
    ],
    [
      'sixty currencies',
      objects(
        random.list(100, () => random.between(40, 60)),
        60,
        { folded: true, namePattern: 'mixed' },
      ),
    ],
  ])('%s', (_, object) => {
    expect(problems(dynamicFieldNames, at('scores', object))).toEqual([]);
  });
});
