import { describe, expect, it } from 'vitest';
import { withSharedArrays } from '../../src/findings/ranked-findings.js';
import type { StampedFinding } from '../../src/findings/stamp.js';

function finding(check: string, given: Partial<StampedFinding> = {}): StampedFinding {
  return {
    check,
    severity: 'warning',
    confidence: 'high',
    namespace: 'shop.posts',
    path: 'comments',
    title: 'Too long',
    message: 'It is too long.',
    evidence: { source: 'sample', window: '1,000 documents' },
    remedy: { text: `Do as ${check} says.`, steps: [{ text: `Do as ${check} says.` }] },
    docs: 'page',
    fingerprint: check,
    ...given,
  };
}

const told = (findings: readonly StampedFinding[]) =>
  withSharedArrays(findings).map(({ check, furtherReasons = [] }) => [
    check,
    ...furtherReasons.map((one) => one.check),
  ]);

describe('findings that an array causes', () => {
  const array = finding('array', { causedBy: 'comments' });

  it.each<[string, StampedFinding, string[][]]>([
    ['another check of it', finding('references', { causedBy: 'comments' }), [['array', 'references']]],
    [
      'a document that is large by it',
      finding('documents', { causedBy: 'comments', path: null, severity: 'info' }),
      [['array', 'documents']],
    ],
    [
      'what is worse first',
      finding('references', { causedBy: 'comments', severity: 'error' }),
      [['references', 'array']],
    ],
    ['another array', finding('references', { causedBy: 'likes', path: 'likes' }), [['array'], ['references']]],
    [
      'another collection',
      finding('array', { causedBy: 'comments', namespace: 'shop.photos' }),
      [['array'], ['array']],
    ],
    ['what it does not cause', finding('types'), [['array'], ['types']]],
  ])('%s', (_, other, expected) => {
    expect(told([array, other])).toEqual(expected);
  });

  it('have the remedy of the worst, and none says in the report which array it is', () => {
    const references = finding('references', { causedBy: 'comments', severity: 'info' });
    const [found] = withSharedArrays([references, array]);
    expect(found?.remedy.text).toBe('Do as array says.');
    expect(JSON.stringify(found)).not.toContain('causedBy');
  });
});
