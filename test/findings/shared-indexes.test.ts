import { describe, expect, it } from 'vitest';
import type { IndexProposal } from '../../src/check.js';
import type { Finding } from '../../src/finding.js';
import { withSharedIndexes } from '../../src/findings/shared-indexes.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import type { StampedFinding } from '../../src/findings/stamp.js';
import { indexSteps } from '../../src/judgement/indexes/index-steps.js';

type Key = Readonly<Record<string, 1 | -1>>;

function finding(
  check: string,
  keys: readonly Key[],
  options: IndexProposal['options'] = {},
  collection = 'orders',
): StampedFinding {
  const namespace = `shop.${collection}`;
  const proposes = keys.map((key): IndexProposal => {
    const name = Object.entries(key).flat().join('_');
    return { namespace, action: 'create', name, key, options, documents: 30_000, supersedes: [] };
  });
  return {
    check,
    severity: 'warning',
    confidence: 'high',
    namespace,
    path: null,
    title: 'An index is missing',
    message: 'It is not there.',
    evidence: { source: 'profiler', window: '10 executions' },
    remedy: reportedRemedy({ steps: indexSteps(proposes, 'It is missing.') }),
    docs: 'page',
    fingerprint: check,
    proposes,
  };
}

const keysOf = ({ remedy }: Finding) =>
  (remedy.commands ?? []).flatMap(({ command }) => (command['indexes'] as { key: Key }[]).map(({ key }) => key));
const checksOf = ({ check, furtherReasons = [] }: Finding) => [check, ...furtherReasons.map((each) => each.check)];

/** What another step adds, so that an index alone does not put it right. */
function withSteps({ remedy, ...rest }: StampedFinding): StampedFinding {
  const steps = [{ text: 'Rewrite the join.', code: '{ $lookup: {} }' }, ...remedy.steps, { text: 'Run it again.' }];
  return { ...rest, remedy: reportedRemedy({ steps }), proposesInPart: true };
}

describe('findings that ask for indexes', () => {
  const wide = { customer: 1, placed: -1 } as const;

  it('are one if they ask for the same one', () => {
    const findings = withSharedIndexes([finding('one', [wide]), finding('other', [wide])]);
    expect(findings.map(checksOf)).toEqual([['one', 'other']]);
    expect(findings.flatMap(keysOf)).toEqual([wide]);
  });

  it.each<[string, StampedFinding]>([
    ['one that turns at another field', finding('narrow', [{ customer: 1, placed: 1 }])],
    ['one of another collection', finding('narrow', [{ customer: 1 }], {}, 'carts')],
    ['one of another collation', finding('narrow', [{ customer: 1 }], { collation: { locale: 'de' } })],
    ['one that ends another one', finding('narrow', [{ placed: -1 }])],
    ['none', { ...finding('narrow', []), remedy: reportedRemedy({ steps: [{ text: 'Ask.' }] }) }],
  ])('stay apart if they need different ones: %s', (_, narrow) => {
    const findings = withSharedIndexes([narrow, finding('wide', [wide])]);
    expect(findings.map(checksOf).toSorted()).toEqual([['narrow'], ['wide']]);
    expect(findings.toSorted((a, b) => a.check.localeCompare(b.check)).map(keysOf)).toEqual([keysOf(narrow), [wide]]);
  });

  it('are told as the worst of them, with the remedy of the one whose index it is', () => {
    const [first, ...others] = withSharedIndexes([
      finding('wide', [wide]),
      { ...finding('narrow', [wide]), severity: 'error', path: 'customer' },
      { ...finding('same', [wide]), severity: 'info', confidence: 'low' },
    ]);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ check: 'narrow', severity: 'error', path: 'customer', fingerprint: 'narrow' });
    expect(first?.remedy).toEqual(finding('wide', [wide]).remedy);
    const own = { path: null, message: 'It is not there.', evidence: { source: 'profiler', window: '10 executions' } };
    expect(first?.furtherReasons).toMatchObject([
      { check: 'wide', severity: 'warning', fingerprint: 'wide', ...own },
      { check: 'same', severity: 'info', fingerprint: 'same', ...own },
    ]);
    expect(first?.furtherReasons?.some((reason) => 'remedy' in reason || 'namespace' in reason)).toBe(false);
  });

  it('are one where thousands ask for one', () => {
    const pairs = Array.from({ length: 5_000 }, (_, number) => [
      finding('one', [{ [`customer${number}`]: 1 }]),
      finding('other', [{ [`customer${number}`]: 1 }]),
    ]);
    expect(withSharedIndexes(pairs.flat())).toHaveLength(5_000);
  });

  it.each<[string, Finding['severity'], number]>([
    ['is among those that a finding as severe needs', 'warning', 1],
    ['is among those that a less severe finding needs', 'info', 2],
  ])('are one if the index %s', (_, severity, left) => {
    const several = { ...finding('several', [{ customer: 1 }, { total: 1 }]), severity };
    expect(withSharedIndexes([finding('one', [{ total: 1 }]), several])).toHaveLength(left);
  });

  it('are one if they unhide the same one', () => {
    const hidden = (check: string): StampedFinding => {
      const own = finding(check, [wide]);
      const proposes = own.proposes?.map((each) => ({ ...each, action: 'unhide' as const })) ?? [];
      return { ...own, proposes, remedy: reportedRemedy({ steps: indexSteps(proposes, '') }) };
    };
    expect(withSharedIndexes([hidden('first'), hidden('second')]).map(checksOf)).toEqual([['first', 'second']]);
    expect(withSharedIndexes([hidden('first'), finding('wide', [wide])])).toHaveLength(2);
  });

  it('report no proposal', () => {
    const shared = withSharedIndexes([finding('narrow', [{ total: 1 }]), finding('wide', [wide])]);
    expect(shared.filter((each) => 'proposes' in each)).toEqual([]);
  });
});

describe('a finding whose remedy is more than an index', () => {
  it('stays one of its own', () => {
    const more = withSteps(finding('more', [{ customer: 1 }]));
    const [alone, shared] = withSharedIndexes([more, finding('index', [{ customer: 1 }])]);
    expect([alone, shared].map((each) => each?.check)).toEqual(['index', 'more']);
    expect(shared?.remedy).toEqual(more.remedy);
  });
});
