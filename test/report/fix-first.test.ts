import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { findingView } from '../../src/report/finding-view.js';
import { fixFirst, fixFirstHeadline } from '../../src/report/fix-first.js';
import { findingOf } from '../support/report/sample-report.js';

/** A finding that the profiler has seen waste: operations by their share, in parts of a hundred. */
function wasting(namespace: string, operations: Readonly<Record<string, number>>, more: Partial<Finding> = {}) {
  const shares = Object.entries(operations).map(([id, percent]) => ({ id, share: percent / 100 }));
  const share = shares.reduce((sum, each) => sum + each.share, 0);
  const impact = { source: 'profiler', share, documents: share * 1_000, operations: shares };
  return findingOf({ namespace, fingerprint: namespace, impact, ...more });
}

const told = (findings: readonly Finding[]) => {
  const first = fixFirst(findings);
  if (first === null) return null;
  return [fixFirstHeadline(first), ...first.findings.map(({ finding }) => finding.namespace)];
};

const suppressed = { by: 'config', reason: 'known', expires: null };

describe('what to fix first', () => {
  it.each<[string, readonly Finding[], readonly string[] | null]>([
    ['nothing was found', [], null],
    ['no workload was recorded', [findingOf({ impact: { bytesAtStake: 9_000 } })], null],
    ['less than one per cent is wasted', [wasting('shop.a', { one: 0.5 })], null],
    [
      'one finding wastes',
      [wasting('shop.a', { one: 40 })],
      ['Fix this first: it wastes 40 % of what is examined, by the profiler', 'shop.a'],
    ],
    [
      'an info wastes more than an error',
      [wasting('shop.a', { one: 10 }, { severity: 'error' }), wasting('shop.b', { two: 30 }, { severity: 'info' })],
      ['Fix these two first: they waste 40 % of what is examined, by the profiler', 'shop.b', 'shop.a'],
    ],
    [
      'two findings name one operation',
      [
        wasting('shop.a', { one: 40, two: 20 }),
        wasting('shop.b', { one: 40, three: 5 }),
        wasting('shop.c', { four: 9 }),
      ],
      ['Fix these three first: they waste 74 % of what is examined, by the profiler', 'shop.a', 'shop.c', 'shop.b'],
    ],
    [
      'another finding names the same operations and no others',
      [wasting('shop.a', { one: 40 }), wasting('shop.b', { one: 40 })],
      ['Fix this first: it wastes 40 % of what is examined, by the profiler', 'shop.a'],
    ],
    [
      'one is suppressed',
      [wasting('shop.a', { one: 40 }, { suppressed }), wasting('shop.b', { two: 5 })],
      ['Fix this first: it wastes 5 % of what is examined, by the profiler', 'shop.b'],
    ],
    [
      'there are more than five',
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => wasting(`shop.${name}`, { [name]: 20 - index })),
      [
        'Fix these five first: they waste 90 % of what is examined, by the profiler',
        ...['a', 'b', 'c', 'd', 'e'].map((name) => `shop.${name}`),
      ],
    ],
  ])('if %s', (_, findings, expected) => {
    expect(told(findings)).toEqual(expected);
  });

  it('compares no figures of different sources', () => {
    const ofLog = wasting('shop.b', { two: 90 });
    const other = { ...ofLog, impact: { ...ofLog.impact, source: 'log file', documents: 5 } };
    expect(told([wasting('shop.a', { one: 40 }), other])?.slice(1)).toEqual(['shop.a']);
  });
});

describe('what a finding costs, in words', () => {
  const recorded = { source: 'profiler', window: '40 executions in 2 h', executions: 40 };
  it.each<[string, Finding['impact'], readonly string[]]>([
    ['unknown', undefined, []],
    ['only bytes at stake', { bytesAtStake: 12 }, []],
    [
      'minutes of a recording',
      { ...recorded, share: 0.41, documents: 239_840, milliseconds: 1_250, shareOfTime: 0.5 },
      [
        'wastes 41 % of what is examined',
        '239,840 documents examined and not returned',
        '1.3 s recorded (50 % of all time)',
        'profiler: 40 executions in 2 h',
      ],
    ],
    [
      'hours of it',
      { ...recorded, share: 0.41, documents: 239_840, documentsPerDay: 2_878_080, bytesPerDay: 1e9, msPerDay: 15_000 },
      [
        'wastes 41 % of what is examined',
        'about 2,900,000 documents a day examined and not returned (954 MB)',
        '15 s a day',
        'profiler: 40 executions in 2 h',
      ],
    ],
    ['a source that counts no documents', recorded, ['profiler: 40 executions in 2 h']],
  ])('if it is known by %s', (_, impact, expected) => {
    expect(findingView(findingOf(impact === undefined ? {} : { impact })).impact).toEqual(expected);
  });
});
