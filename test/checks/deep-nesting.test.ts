import { describe, expect, it } from 'vitest';
import { deepNesting } from '../../checks/deep-nesting.js';
import { pathProfile, problem, problems } from '../support/checks/evidence-builders.js';

const chain = (names: readonly string[], levels: number) =>
  Array.from({ length: levels }, (_, index) => names[index % names.length]).join('.');
const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(97 + index));
/** A path on which no name occurs twice. */
const distinct = (levels: number) =>
  Array.from({ length: levels }, (_, index) => `${letters[index % 26]}${Math.floor(index / 26)}`).join('.');

describe('deep documents', () => {
  it.each<[string, number, string, { severity: string; path: string; remedy: RegExp }]>([
    [
      '16 levels',
      16,
      distinct(16),
      { severity: 'info', path: 'a0.b0.c0.….n0.o0.p0', remedy: /^Flatten what is below `a0`/ },
    ],
    ['32 levels', 32, distinct(32), { severity: 'warning', path: 'a0.b0.c0.….d1.e1.f1', remedy: /^Flatten/ }],
    ['80 levels', 80, distinct(80), { severity: 'error', path: 'a0.b0.c0.….z2.a3.b3', remedy: /^Flatten/ }],
    [
      'a tree of comments',
      10,
      'comments[].replies[].replies[].replies[].replies',
      { severity: 'info', path: 'comments[].replies', remedy: /parent references.*\$graphLookup.*materialised paths/ },
    ],
    [
      'a deep tree',
      90,
      chain(['tree', 'left'], 90),
      { severity: 'error', path: 'tree', remedy: /Store each node of `tree`/ },
    ],
  ])('%s', (_, max, path, expected) => {
    const found = problem(deepNesting, {
      profile: { depth: { max, path }, paths: [pathProfile({ path, documents: 7 })] },
    });
    expect(found).toMatchObject({
      severity: expected.severity,
      path: expected.path,
      evidence: { levels: max, documentsWithIt: 7 },
    });
    expect(found.remedy.text).toMatch(expected.remedy);
    expect(found.message.length).toBeLessThan(300);
  });
});

describe('documents of ordinary depth', () => {
  it.each<[string, number, string | null]>([
    ['flat', 1, null],
    ['15 levels', 15, distinct(15)],
    ['GeoJSON', 8, 'feature.geometry.coordinates[][][][]'],
    ['comments and their answers', 7, 'comments[].replies[].replies[].text'],
    ['maps within maps', 6, 'stats.*.*.*.*.*'],
  ])('%s', (_, max, path) => {
    expect(problems(deepNesting, { profile: { depth: { max, path } } })).toEqual([]);
  });
});
