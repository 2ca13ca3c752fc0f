import { BSON, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { DocumentWalker } from '../../src/profile/document-walker.js';
import { GrowthSample } from '../../src/profile/growth-sample/growth-sample.js';
import type { PathNode } from '../../src/profile/path-node.js';
import { DEFAULT_PROFILE_LIMITS, PathTree } from '../../src/profile/path-tree.js';
import { at, objectOf, pathsOf, profileOf } from '../support/documents/profiles.js';

const { maxPaths, maxFieldsPerObject } = DEFAULT_PROFILE_LIMITS;
const HUNDRED_THOUSAND = 100_000;
const MEGABYTE = 1024 * 1024;

/** An object of objects of objects, each with names of its own. */
function nested(names: number, levels: number, prefix: string): unknown {
  return levels === 0
    ? 1
    : objectOf(names, (index) => [`${prefix}_${index}`, nested(names, levels - 1, `${prefix}_${index}`)]);
}

/** The paths that a walk keeps before any name is judged: counted node by node. */
function nodesKept(documents: readonly Document[]): number {
  const tree = new PathTree(DEFAULT_PROFILE_LIMITS);
  const walker = new DocumentWalker(tree, new GrowthSample());
  for (const document of documents) {
    const bytes = Uint8Array.from(BSON.serialize(document));
    walker.walk(bytes, new DataView(bytes.buffer), 0);
  }
  const count = (node: PathNode | null): number => {
    if (node === null) return 0;
    const fields = node.object === null ? [] : [...node.object.named, node.object.rest];
    return [...fields, node.element].reduce((sum, child) => sum + count(child), 1);
  };
  const kept = count(tree.root) - 1;
  expect(kept).toBe(tree.root.pathsBelow);
  return kept;
}

const explosions: readonly (readonly [string, readonly Document[]])[] = [
  ['100,000 names in one object', [{ map: objectOf(HUNDRED_THOUSAND, (index) => [`n${index}`, index]) }]],
  ['100,000 names in one document', [objectOf(HUNDRED_THOUSAND, (index) => [`n${index}`, index])]],
  [
    '100,000 names over 1,000 documents',
    Array.from({ length: 1_000 }, (_, document) => objectOf(100, (index) => [`n${document}_${index}`, index])),
  ],
  ['100,000 names over three levels', [{ map: nested(46, 3, 'n') }]],
  [
    'names that differ on three levels from document to document',
    Array.from({ length: 30 }, (_, document) => ({ map: nested(15, 3, `n${document}`) })),
  ],
  [
    'arrays within objects within arrays',
    [
      {
        list: Array.from({ length: 300 }, (_, index) => ({
          [`n${index}`]: nested(30, 2, 'n'),
          [`m${index}`]: [[[[index]]]],
        })),
      },
    ],
  ],
];

describe('paths stay within the limit', () => {
  it.each(explosions)('while %s are walked', (_, documents) => {
    expect(nodesKept(documents)).toBeLessThanOrEqual(maxPaths);
  });

  it.each(explosions)('in the profile of %s', (_, documents) => {
    const profile = profileOf(documents);
    expect(profile.paths.length).toBeLessThanOrEqual(maxPaths);
    expect(profile.bytes).toBe(profile.sizes.sum);
    expect(
      Math.max(
        ...[profile.root, ...profile.paths.map(({ object }) => object)].map((object) => object?.distinctFields ?? 0),
      ),
    ).toBeGreaterThan(9);
  });

  it('and one object keeps no more than its share of names', () => {
    const documents = [{ map: objectOf(HUNDRED_THOUSAND, (index) => [`n${index}`, index]), after: [{ x: 1 }] }];
    expect(nodesKept(documents)).toBe(1 + maxFieldsPerObject + 1 + 3);
  });
});

describe('what is beyond the limits', () => {
  it('of 100,000 names in one object is folded, counted and bounded', () => {
    const profile = profileOf([{ map: objectOf(HUNDRED_THOUSAND, (index) => [`n${index}`, index]), after: 1 }]);
    expect(pathsOf(profile)).toEqual(['map', 'map.*', 'after']);
    expect(at(profile, 'map.*')).toMatchObject({
      occurrences: HUNDRED_THOUSAND,
      presence: 1,
      types: { int: HUNDRED_THOUSAND },
    });
    const { distinctFields } = at(profile, 'map').object ?? { distinctFields: 0 };
    expect(distinctFields).toBeGreaterThan(HUNDRED_THOUSAND / 3);
    expect(distinctFields).toBeLessThanOrEqual(HUNDRED_THOUSAND);
    expect(profile.limits).toEqual([]);
  });

  it('does not crowd out the fields that come after it', () => {
    const profile = profileOf([{ map: nested(46, 3, 'n'), after: 'x', list: [{ a: 1, b: [1, 2] }] }]);
    expect(pathsOf(profile)).toEqual(expect.arrayContaining(['after', 'list', 'list[]', 'list[].a', 'list[].b']));
  });

  it('is said, with how much of it there is, and counts towards the object it lies in', () => {
    const fields = objectOf(30, (index) => [`n${10 + index}`, index]);
    const document = { a: { b: { ...fields, deep: { deeper: { deepest: 1 } } } }, after: 1 };
    const profile = profileOf([document], { maxPaths: 20 });
    const kept = profile.paths.filter(({ parent }) => parent === 'a.b').length;
    expect(kept).toBeLessThan(20);
    expect(pathsOf(profile)).toEqual([
      'a',
      'a.b',
      ...Object.keys(fields)
        .slice(0, kept)
        .map((name) => `a.b.${name}`),
      'after',
    ]);
    expect(at(profile, 'a').bytes).toBe(BSON.calculateObjectSize({ a: document.a }) - 5);
    expect(profile.depth).toEqual({ max: 5, path: null });
    const bytes = (30 - kept) * (1 + 4 + 4) + BSON.calculateObjectSize({ deep: document.a.b.deep }) - 5;
    expect(profile.limits).toEqual([
      `Only 20 paths are profiled; ${31 - kept} values (${bytes} B) at other paths count only as part of their parents.`,
    ]);
  });

  it('makes room again once names turn out to be data', () => {
    const profiler = new DocumentProfiler();
    for (let document = 0; document < 60; document += 1) {
      profiler.add(
        BSON.serialize({
          map: nested(20, 3, `n${document}`),
          late: document < 50 ? {} : { found: { deep: { enough: 1 } } },
        }),
      );
    }
    expect(pathsOf(profiler.profile())).toEqual([
      'map',
      'map.*',
      'map.*.*',
      'map.*.*.*',
      'late',
      'late.found',
      'late.found.deep',
      'late.found.deep.enough',
    ]);
  });

  it('of the elements of an array leaves its lengths known', () => {
    const profile = profileOf([{ a: [[[1, 2, 3], [4]]] }], { maxPaths: 3 });
    expect(pathsOf(profile)).toEqual(['a', 'a[]', 'a[][]']);
    expect(at(profile, 'a[][]').array).toMatchObject({ lengths: { count: 2, min: 1, max: 3 }, elementTypes: {} });
    expect(profile.limits).toHaveLength(1);
  });
});

describe('large documents', () => {
  it('with an array of a million elements', () => {
    const profile = profileOf([{ list: Array.from({ length: 1_000_000 }, (_, index) => index) }]);
    expect(pathsOf(profile)).toEqual(['list', 'list[]']);
    expect(at(profile, 'list').array).toMatchObject({ lengths: { max: 1_000_000 }, elementTypes: { int: 1_000_000 } });
    expect(at(profile, 'list[]').values?.numbers).toEqual({ count: 1_000_000, min: 0, max: 999_999, whole: 1_000_000 });
  });

  it('of 16 MB', () => {
    const profile = profileOf([
      { small: 1, parts: Array.from({ length: 15 }, () => Buffer.alloc(MEGABYTE)) },
      { small: 1 },
    ]);
    expect(profile.largest).toMatchObject({ heaviestPath: 'parts' });
    expect(profile.sizes.max).toBeGreaterThan(15 * MEGABYTE);
    expect(at(profile, 'parts').array?.shareOfDocument.max).toBeGreaterThan(0.999);
  });

  it('of 100 levels, objects and arrays in turn', () => {
    let value: unknown = 'deep';
    for (let level = 1; level < 100; level += 1) value = level % 2 === 0 ? { a: value } : [value];
    const profile = profileOf([{ a: value }]);
    expect(profile.depth).toEqual({ max: 100, path: `a${'[].a'.repeat(49)}[]` });
    expect(profile.paths).toHaveLength(100);
  });
});
