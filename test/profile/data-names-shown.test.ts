import { BSON, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { dynamicFieldNames } from '../../checks/dynamic-field-names.js';
import { unboundedArray } from '../../checks/unbounded-array.js';
import { DocumentProfiler } from '../../src/profile/document-profiler.js';
import { judge } from '../support/checks/evidence-builders.js';
import { at, pathsOf, profileOf } from '../support/documents/profiles.js';

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const entries = (count: number) => list(count, (index) => ({ i: index, t: 'a call' }));

const MAPS: Record<string, { readonly documents: readonly Document[]; readonly secret: RegExp }> = {
  'eight phone numbers': {
    documents: list(8, (index) => ({ calls: { [`+4917012345${index}`]: entries(index === 7 ? 4_000 : 20) } })),
    secret: /4917/,
  },
  'twelve account numbers': {
    documents: list(12, (index) => ({
      acc: { [`DE893704004405320130${index + 10}`]: { tx: entries(index === 0 ? 4_000 : 20) } },
    })),
    secret: /8937/,
  },
  'the name of one person': { documents: [{ logs: { 'John Smith': entries(12_000) } }], secret: /Smith/ },
  'six tokens': {
    documents: list(6, (index) => ({ sessions: { [`eyJhbGciOi${index}SECRET`]: entries(index === 0 ? 4_000 : 20) } })),
    secret: /SECRET/,
  },
  '25 users at the root': {
    documents: list(25, (index) => ({ [`user-1187${index + 10}-alice`]: entries(index === 0 ? 4_000 : 20) })),
    secret: /alice/,
  },
};

describe('names that are data and few', () => {
  it.each(Object.entries(MAPS))('%s are shown nowhere', (_, { documents, secret }) => {
    const profile = profileOf(documents);
    expect(JSON.stringify(profile)).not.toMatch(secret);
    const found = [unboundedArray, dynamicFieldNames].flatMap((check) =>
      judge(check, { profile, paths: profile.paths }),
    );
    expect(found.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toMatch(secret);
  });

  it('leave the fields beside them', () => {
    const documents = list(4, (index) => ({ calls: { [`+4917012345${index}`]: 1, total: 1, [`note${index}`]: 'x' } }));
    expect(pathsOf(profileOf(documents))).toEqual([
      'calls',
      'calls.total',
      'calls.note0',
      'calls.note1',
      'calls.note2',
      'calls.note3',
      'calls.*',
    ]);
  });

  it('leave them also where the profile is taken again', () => {
    const profiler = new DocumentProfiler();
    for (const index of [1, 2, 3])
      profiler.add(BSON.serialize({ calls: { [`+4917012345${index}`]: 1, [`note${index}`]: 'x' } }));
    const profile = profiler.profile();
    expect(pathsOf(profile)).toEqual(['calls', 'calls.note1', 'calls.note2', 'calls.note3', 'calls.*']);
    expect(profiler.profile()).toEqual(profile);
  });

  it('are columns where most documents share them', () => {
    const documents = list(9, (index) => ({
      'First Name': 'x',
      ...(index < 5 && { 'E-mail (private)': 'x' }),
      ...(index < 4 && { 'Second Name': 'x' }),
    }));
    const profile = profileOf(documents);
    expect(pathsOf(profile)).toEqual(['First Name', 'E-mail (private)', '*']);
    expect(at(profile, 'First Name').presence).toBe(1);
  });

  it('are columns also where memory was short before most documents were read', () => {
    const documents = list(9, (index) => ({ 'First Name': 'x', a: { b: { c: index } } }));
    expect(pathsOf(profileOf(documents, { maxPaths: 2 }))).toEqual(['First Name', 'a']);
  });
});
