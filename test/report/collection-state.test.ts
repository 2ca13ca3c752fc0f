import { describe, expect, it } from 'vitest';
import type { Finding, Skipped } from '../../src/finding.js';
import { collectionStates } from '../../src/report/collection-state.js';
import { findingOf, reportOf, sampledCollection, unsampledCollection } from '../support/report/sample-report.js';

const NAMESPACE = 'shop.orders';
const found = (parts: Partial<Finding>) => findingOf({ namespace: NAMESPACE, ...parts });
const suppressed = { by: 'mongolint.config.yaml:3', reason: 'archived', expires: null };
const skipped: Skipped = { check: 'deep-nesting', namespace: NAMESPACE, reason: 'bound', detail: 'too many paths.' };
const empty = { documents: 0, bytes: 0, method: 'whole-collection', complete: true, boundedBy: null } as const;

describe('collectionStates', () => {
  it.each([
    ['nothing found', {}, 'fine'],
    ['nothing found, one check skipped', { skipped: [skipped] }, 'fine-in-part'],
    ['a check skipped elsewhere', { skipped: [{ ...skipped, namespace: 'shop.carts' }] }, 'fine'],
    [
      'the worst of several findings',
      { findings: [found({ severity: 'info' }), found({ severity: 'warning' })] },
      'warning',
    ],
    [
      'a finding that the baseline knows',
      { findings: [found({ baseline: { status: 'known', severityBefore: 'error' } })] },
      'error',
    ],
    ['all that was found suppressed', { findings: [found({ suppressed })] }, 'suppressed'],
    ['a suppressed error and an info', { findings: [found({ suppressed }), found({ severity: 'info' })] }, 'info'],
    ['no document read', { collections: [unsampledCollection(NAMESPACE, 'not authorized.')] }, 'not-judged'],
    ['no document there', { collections: [sampledCollection(NAMESPACE, { documents: 0, sampled: empty })] }, 'empty'],
    [
      'no document seen within the bounds',
      { collections: [sampledCollection(NAMESPACE, { sampled: { ...empty, complete: false, boundedBy: 'time' } })] },
      'not-judged',
    ],
    [
      'a finding without a sample',
      { findings: [found({ severity: 'error' })], collections: [unsampledCollection(NAMESPACE, 'a view')] },
      'error',
    ],
  ] as const)('with %s', (_, parts, expected) => {
    const [first] = collectionStates(reportOf({ collections: [sampledCollection(NAMESPACE)], ...parts }));
    expect(first?.state).toBe(expected);
  });

  it('puts the worst first, then the largest', () => {
    const collections = ['shop.a', 'shop.b', 'shop.c'].map((namespace, index) =>
      sampledCollection(namespace, { size: index }),
    );
    const states = collectionStates(reportOf({ collections, findings: [findingOf({ namespace: 'shop.b' })] }));
    expect(states.map(({ collection }) => collection.namespace)).toEqual(['shop.b', 'shop.c', 'shop.a']);
  });
});
