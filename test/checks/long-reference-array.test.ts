import { describe, expect, it } from 'vitest';
import { longReferenceArray } from '../../checks/long-reference-array.js';
import type { PathProfile } from '../../src/check.js';
import { arrays, problem, problems } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const random = new RandomDistributions(7);
const repeated = (count: number, length: number) => Array.from({ length: count }, () => length);
/** An index of four digits, its terminator, the type byte, and 4 + 1 + 16 bytes of binary. */
const UUID_ELEMENT_BYTES = 27;

/** The same arrays with strings for many of the references. */
function mixed(paths: PathProfile[]): PathProfile[] {
  return paths.map((path) => {
    const { objectId = 0 } = path.array?.elementTypes ?? {};
    return path.array === undefined
      ? path
      : { ...path, array: { ...path.array, elementTypes: { objectId: 0.6 * objectId, string: 0.4 * objectId } } };
  });
}

describe('long arrays of references', () => {
  it.each<[string, PathProfile[], string, string]>([
    [
      'ObjectIds',
      arrays({ path: 'followers', lengths: random.list(200, () => random.between(0, 9_000)), elements: 'objectId' }),
      'error',
      'high',
    ],
    [
      'DBRefs',
      arrays({
        path: 'members',
        lengths: random.list(200, () => random.between(0, 9_000)),
        fields: { $ref: 'string', $id: 'objectId' },
      }),
      'error',
      'high',
    ],
    [
      'UUIDs',
      arrays({
        path: 'devices',
        lengths: random.list(200, () => random.between(1_000, 9_000)),
        elements: 'binData',
        elementBytes: UUID_ELEMENT_BYTES,
      }),
      'error',
      'high',
    ],
    [
      'a few thousand',
      arrays({ path: 'followers', lengths: random.list(200, () => random.between(0, 3_000)), elements: 'objectId' }),
      'warning',
      'high',
    ],
    [
      'one long array among a thousand',
      arrays({ path: 'followers', lengths: [...repeated(999, 10), 20_000], elements: 'objectId' }),
      'warning',
      'medium',
    ],
    [
      'one array of some thousand among a thousand',
      arrays({ path: 'followers', lengths: [...repeated(999, 10), 3_000], elements: 'objectId' }),
      'info',
      'medium',
    ],
    [
      'capped, so no danger but a cost',
      arrays({ path: 'recent', lengths: repeated(500, 8_000), elements: 'objectId' }),
      'warning',
      'high',
    ],
    [
      'in an array',
      arrays({
        path: 'groups[].members',
        lengths: random.list(200, () => random.between(0, 9_000)),
        elements: 'objectId',
      }),
      'error',
      'high',
    ],
  ])('%s', (_, paths, severity, confidence) => {
    const found = problem(longReferenceArray, { paths });
    expect(found).toMatchObject({ path: paths[0]?.path, severity, confidence });
    expect(found.remedy.text).toMatch(/^(Few arrays are long|Reverse the reference)/);
  });
});

describe('arrays that are short, or hold no references', () => {
  it.each<[string, PathProfile[]]>([
    [
      'some hundred ObjectIds',
      arrays({ path: 'followers', lengths: random.list(200, () => random.between(0, 1_500)), elements: 'objectId' }),
    ],
    ['numbers', arrays({ path: 'scores', lengths: repeated(200, 9_000), elements: 'int' })],
    ['strings', arrays({ path: 'words', lengths: repeated(200, 9_000), elements: 'string' })],
    [
      'embedded documents with a reference each',
      arrays({ path: 'lines', lengths: repeated(200, 9_000), fields: { product: 'objectId', quantity: 'int' } }),
    ],
    [
      'ObjectIds and nearly as many strings',
      mixed(arrays({ path: 'mixed', lengths: repeated(200, 9_000), elements: 'objectId' })),
    ],
    [
      'thumbnails, which are binary but no UUIDs',
      arrays({ path: 'images', lengths: repeated(200, 9_000), elements: 'binData', elementBytes: 4_000 }),
    ],
  ])('%s', (_, paths) => {
    expect(problems(longReferenceArray, { paths })).toEqual([]);
  });
});
