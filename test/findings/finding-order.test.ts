import { describe, expect, it } from 'vitest';
import type { Finding, Impact } from '../../src/finding.js';
import { worstFirst } from '../../src/findings/finding-order.js';
import { findingOf } from '../support/report/sample-report.js';

/** Findings by a name that stands for them. */
type Told = readonly [name: string, finding: Partial<Finding>];

const of = (impact: Impact, finding: Partial<Finding> = {}): Partial<Finding> => ({ impact, ...finding });

const cases: readonly [string, readonly Told[]][] = [
  [
    'the severity comes before what it costs',
    [
      ['an error of no known cost', { severity: 'error' }],
      ['a costly warning', of({ share: 0.9 }, { severity: 'warning' })],
    ],
  ],
  [
    'waste comes before a limit that is near, and that before bytes',
    [
      ['half of the waste', of({ share: 0.5, bytesAtStake: 1 })],
      ['a tenth of the waste', of({ share: 0.1 })],
      ['3 days left', of({ daysLeft: 3, bytesAtStake: 10 })],
      ['30 days left', of({ daysLeft: 30, bytesAtStake: 99 })],
      ['a large index', of({ bytesAtStake: 500 })],
      ['a small index', of({ bytesAtStake: 5 })],
      ['nothing known', {}],
    ],
  ],
  [
    'what wastes less than one per cent ranks by its bytes',
    [
      ['a large collection', of({ bytesAtStake: 500 })],
      ['little waste', of({ share: 0.009, bytesAtStake: 5 })],
    ],
  ],
  [
    'the namespace decides if all else is the same',
    [
      ['first', of({ share: 0.2 }, { namespace: 'shop.a' })],
      ['second', of({ share: 0.2 }, { namespace: 'shop.b' })],
    ],
  ],
  [
    'confidence decides as before where no impact is known',
    [
      ['sure', { confidence: 'high', namespace: 'shop.b' }],
      ['unsure', { confidence: 'low', namespace: 'shop.a' }],
    ],
  ],
];

describe('the order of findings', () => {
  it.each(cases)('%s', (_, told) => {
    const findings = told.map(([name, finding]) => findingOf({ ...finding, message: name }));
    for (const given of [findings, findings.toReversed()])
      expect(worstFirst(given).map(({ message }) => message)).toEqual(told.map(([name]) => name));
  });
});
