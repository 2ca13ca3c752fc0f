import { BSON, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { at, objectOf, pathsOf, profileOf } from '../support/documents/profiles.js';

const USERS = 100;
/** Each of 500 games holds the scores of five of the 100 users. */
const games: Document[] = Array.from({ length: 500 }, (_, game) => ({
  _id: game,
  title: 'chess',
  scores: objectOf(5, (index) => [
    `secret_${(game * 7 + index * 31) % USERS}`,
    { wins: index, moves: Array.from({ length: index + 1 }, () => 1) },
  ]),
}));

describe('field names that are data', () => {
  it('are folded into one path, with everything below added up', () => {
    const profile = profileOf(games);
    expect(pathsOf(profile)).toEqual([
      '_id',
      'title',
      'scores',
      'scores.*',
      'scores.*.wins',
      'scores.*.moves',
      'scores.*.moves[]',
    ]);
    expect(at(profile, 'scores').object).toMatchObject({
      folded: true,
      namePattern: 'numbered',
      fields: { min: 5, max: 5 },
    });
    expect(at(profile, 'scores.*')).toMatchObject({
      occurrences: 2_500,
      documents: 500,
      presence: 1,
      duplicates: 0,
      types: { object: 2_500 },
    });
    expect(at(profile, 'scores.*.wins')).toMatchObject({
      occurrences: 2_500,
      presence: 1,
      values: { numbers: { count: 2_500, min: 0, max: 4, whole: 2_500 } },
    });
    expect(at(profile, 'scores.*.moves').array).toMatchObject({
      lengths: { count: 2_500, min: 1, max: 5, mean: 3 },
      elementTypes: { int: 7_500 },
    });
    const inPath = at(profile, 'scores.*').bytes;
    expect(at(profile, 'scores').bytes - inPath).toBe(500 * (1 + 'scores'.length + 1 + 5));
  });

  it('are counted, at most a little too low', () => {
    const { distinctFields } = at(profileOf(games), 'scores').object ?? { distinctFields: 0 };
    expect(distinctFields).toBeLessThanOrEqual(USERS);
    expect(distinctFields).toBeGreaterThan(0.9 * USERS);
  });

  it('survive nowhere in the profile', () => {
    expect(JSON.stringify(profileOf(games))).not.toContain('secret');
    const heavy = [...games, { scores: { secret_3: { moves: Array.from({ length: 900 }, () => 7) } } }];
    const profile = profileOf(heavy);
    expect(profile.largest.heaviestPath).toBe('scores.*.moves');
    expect(JSON.stringify(profile)).not.toContain('secret');
  });

  it.each([
    ['days', (index: number) => `2024-01-${String(10 + index)}`, 'date'],
    ['numbers', (index: number) => String(index), 'number'],
    ['ObjectIds', (index: number) => `507f1f77bcf86cd7994390${String(10 + index)}`, 'objectId'],
    ['UUIDs', (index: number) => `0a0e1c7e-5b5f-4c3a-9d7e-2f1f0c7e5b${String(10 + index)}`, 'uuid'],
    ['addresses', (index: number) => `user${index}@example.com`, 'email'],
  ])('that are %s are folded already where there are few of them', (_, name, namePattern) => {
    const profile = profileOf([{ byName: objectOf(6, (index) => [name(index), { n: index }]), total: 1 }]);
    expect(pathsOf(profile)).toEqual(['byName', 'byName.*', 'byName.*.n', 'total']);
    expect(at(profile, 'byName').object).toMatchObject({ folded: true, namePattern, distinctFields: 6 });
    expect(at(profile, 'byName.*')).toMatchObject({ presence: 1, occurrences: 6, documents: 1 });
  });

  it('are folded in the documents themselves and in elements of arrays too', () => {
    const days = Array.from({ length: 40 }, (_, index) => ({ [`2024-02-${String(10 + (index % 18))}`]: index }));
    expect(pathsOf(profileOf(days))).toEqual(['*']);
    expect(pathsOf(profileOf([{ list: days }]))).toEqual(['list', 'list[]', 'list[].*']);
  });

  it('are folded at every level of a map of maps', () => {
    const random = new SeededRandom(4);
    const some = (letter: string) => `${letter}${random.below(60)}`;
    const inner = () => objectOf(3, () => [some('item'), 1]);
    const documents = Array.from({ length: 600 }, () => ({ carts: objectOf(3, () => [some('user'), inner()]) }));
    expect(pathsOf(profileOf(documents))).toEqual(['carts', 'carts.*', 'carts.*.*']);
  });

  it('leave fields beside them that all objects share', () => {
    const documents = games.map((game) => ({
      ...game,
      scores: { ...(game['scores'] as Document), total: 5, leader: 'x' },
    }));
    const profile = profileOf(documents);
    expect(pathsOf(profile)).toContain('scores.total');
    expect(at(profile, 'scores.leader')).toMatchObject({ presence: 1, types: { string: 500 } });
    expect(at(profile, 'scores.*').occurrences).toBe(2_500);
  });

  it('are folded one by one where they are unmistakable, and the other names are schema', () => {
    const profile = profileOf([{ name: 'x', settings: { theme: 'dark', 'bob@example.com': true } }]);
    expect(pathsOf(profile)).toEqual(['name', 'settings', 'settings.theme', 'settings.*']);
    expect(at(profile, 'settings').object).toMatchObject({ folded: false, distinctFields: 2 });
  });
});

describe('folding while documents are still being read', () => {
  const manyNames = Array.from({ length: 300 }, (_, index) => ({
    before: index,
    map: objectOf(10, (each) => [`name_${index}_${each}`, { list: [1, 2, 3] }]),
    after: 'x'.repeat(index % 7),
  }));

  it('counts what comes before and after it alike', () => {
    const profile = profileOf(manyNames);
    expect(pathsOf(profile)).toEqual(['before', 'map', 'map.*', 'map.*.list', 'map.*.list[]', 'after']);
    expect(at(profile, 'map.*')).toMatchObject({ occurrences: 3_000, documents: 300, presence: 1, duplicates: 0 });
    expect(at(profile, 'map.*.list')).toMatchObject({
      documents: 300,
      array: { lengths: { count: 3_000, sum: 9_000 } },
    });
    expect(at(profile, 'after')).toMatchObject({ occurrences: 300, documents: 300 });
  });

  it('adds up the arrays of one document from then on', () => {
    const { array } = at(profileOf(manyNames), 'map.*.list');
    const bytesOfOne = 5 + 3 * (1 + 2 + 4);
    expect(array?.bytesPerDocument.max).toBe(10 * bytesOfOne);
    expect(array?.bytesPerDocument.sum).toBe(3_000 * bytesOfOne);
  });

  it.each([1, 2])('does not look for a name where it was before, if it recurs in %d documents', (recurs) => {
    const profiler = new DocumentProfiler();
    for (let document = 0; document < 200; document += 1) {
      const name = `name_${Math.floor(document / recurs)}`;
      profiler.add(BSON.serialize({ map: { [name]: document % 2 === 0 ? { a: 1, b: 1 } : { c: 1, b: 1 } } }));
      if (document % 2 === 0) profiler.profile();
    }
    const found = profiler.profile().paths.map(({ path, occurrences }) => [path, occurrences]);
    expect(found).toEqual([
      ['map', 200],
      ['map.*', 200],
      ['map.*.a', 100],
      ['map.*.b', 200],
      ['map.*.c', 100],
    ]);
  });

  it('can be asked for a profile in between, and goes on', () => {
    const profiler = new DocumentProfiler();
    for (const game of games.slice(0, 250)) profiler.add(BSON.serialize(game));
    expect(pathsOf(profiler.profile())).toContain('scores.*');
    for (const game of games.slice(250)) profiler.add(BSON.serialize(game));
    const profile = profiler.profile();
    expect(at(profile, 'scores.*').occurrences).toBe(2_500);
    expect(at(profile, 'scores.*.wins').values?.numbers).toEqual(at(profileOf(games), 'scores.*.wins').values?.numbers);
    expect(profiler.profile()).toEqual(profile);
  });
});

function wide(count: number, name = 'field'): Document {
  return objectOf(count, (index) => [`${name}${index}`, index]);
}

describe('a schema is not folded', () => {
  it('of 300 fields that every document has', () => {
    const profile = profileOf(Array.from({ length: 100 }, () => wide(300)));
    expect(profile.root).toMatchObject({ folded: false, distinctFields: 300, namePattern: null });
    expect(profile.paths.every(({ presence }) => presence === 1)).toBe(true);
    expect(profile.limits).toEqual([]);
  });

  it('of 300 fields beside 50 new names in each document', () => {
    const documents = Array.from({ length: 200 }, (_, document) => ({
      ...wide(300),
      ...wide(50, `name_${document}_`),
    }));
    const profile = profileOf(documents);
    expect(pathsOf(profile)).toEqual([...Object.keys(wide(300)), '*']);
    expect(profile.root.folded).toBe(true);
  });

  it('of 40 optional fields of different types', () => {
    const random = new SeededRandom(9);
    const values = ['text', 1, true, new Date(0), [1], { a: 1 }, new BSON.ObjectId('507f1f77bcf86cd799439011')];
    const documents = Array.from({ length: 500 }, () => {
      const all = objectOf(40, (index) => [`field${index}`, values[index % values.length]]);
      return Object.fromEntries(Object.entries(all).filter(() => random.next() < 0.06));
    });
    expect(profileOf(documents).root).toMatchObject({ folded: false, distinctFields: 40 });
  });

  it('whose fields changed halfway through the documents', () => {
    const documents = Array.from({ length: 400 }, (_, index) => (index < 380 ? wide(250, 'old') : wide(250, 'new')));
    const profile = profileOf(documents);
    expect(profile.root).toMatchObject({ folded: false, distinctFields: 500 });
    expect(at(profile, 'new7').presence).toBe(0.05);
  });

  it('of 2,000 fields: those beyond 1,000 are left out, and it is said', () => {
    const profile = profileOf(Array.from({ length: 30 }, () => ({ wide: wide(2_000), after: 1 })));
    expect(profile.paths).toHaveLength(1_002);
    expect(at(profile, 'wide').object).toMatchObject({ folded: false, namePattern: null, fields: { median: 2_000 } });
    expect(profile.limits).toEqual([
      'Objects at wide have more than 1,000 fields; the others were not profiled one by one.',
    ]);
  });
});
