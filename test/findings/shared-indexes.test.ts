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
  return { ...rest, remedy: reportedRemedy({ steps }) };
}

describe('findings that ask for indexes', () => {
  const wide = { customer: 1, placed: -1 } as const;

  it.each<[string, Key]>([
    ['the same one', wide],
    ['the same one, read backwards', { customer: -1, placed: 1 }],
    ['its beginning', { customer: 1 }],
    ['its beginning, read backwards', { customer: -1 }],
  ])('are one if one index serves both: %s', (_, key) => {
    const findings = withSharedIndexes([finding('narrow', [key]), finding('wide', [wide])]);
    expect(findings.map(checksOf)).toEqual([['narrow', 'wide']]);
    const first = Object.keys(key).length === 1 ? wide : key;
    expect(findings.flatMap(keysOf)).toEqual([first['customer'] === 1 ? wide : key]);
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
      { ...finding('narrow', [{ customer: 1 }]), severity: 'error', path: 'customer' },
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
      finding('narrow', [{ [`customer${number}`]: 1 }]),
      finding('wide', [{ [`customer${number}`]: 1, placed: -1 }]),
    ]);
    const shared = withSharedIndexes(pairs.flat());
    expect(shared.filter((each) => Object.keys(keysOf(each)[0] ?? {}).length === 2)).toHaveLength(5_000);
  });

  it.each<[string, Finding['severity'], number]>([
    ['is among those that a finding as severe needs', 'warning', 1],
    ['is among those that a less severe finding needs', 'info', 2],
  ])('are one if the index %s', (_, severity, left) => {
    const several = { ...finding('several', [{ customer: 1 }, { total: 1 }]), severity };
    expect(withSharedIndexes([finding('one', [{ total: 1 }]), several])).toHaveLength(left);
  });

  it('are one if they need the longest of all, beside another one', () => {
    const longest = { ...wide, total: 1 } as const;
    const shared = withSharedIndexes([
      finding('narrow', [{ customer: 1 }]),
      finding('wide', [wide]),
      finding('longest', [longest]),
      finding('several', [{ customer: 1 }, { total: 1 }]),
    ]);
    expect(shared.map(checksOf)).toEqual([['longest', 'narrow', 'several', 'wide']]);
    expect(shared.map(keysOf)).toEqual([[longest, { total: 1 }]]);
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

  it('ask for the same one in whichever order they come', () => {
    const [first, second] = [finding('first', [wide]), finding('second', [{ customer: 1, total: 1 }])];
    const narrow = finding('narrow', [{ customer: 1 }]);
    const [one, other] = [
      [narrow, first, second],
      [second, narrow, first],
    ].map((findings) => withSharedIndexes(findings).toSorted((a, b) => a.check.localeCompare(b.check)));
    expect(one).toEqual(other);
    expect(one?.map(checksOf)).toEqual([['first', 'narrow'], ['second']]);
  });
});

describe('a finding whose remedy is more than an index', () => {
  const wide = { customer: 1, placed: -1 } as const;

  it('stays one of its own, and proposes the longer index', () => {
    const narrow = withSteps(finding('narrow', [{ customer: 1 }]));
    const [wider, shared] = withSharedIndexes([narrow, finding('wide', [wide])]);
    expect([wider, shared].map((each) => each?.check)).toEqual(['wide', 'narrow']);
    const [build, ...following] = wider?.remedy.steps ?? [];
    const steps = [
      narrow.remedy.steps[0],
      { ...build, text: expect.any(String) },
      ...following,
      { text: 'Run it again.' },
    ];
    expect(shared?.remedy.steps).toEqual(steps);
    expect(shared?.remedy.steps[1]?.text).toBe(
      'Create an index on { customer: 1, placed: -1 } of shop.orders. ' +
        'It begins with { customer: 1 }, and wide proposes it: create it alone, it serves both findings. ' +
        'The build reads all 30,000 documents on every member that holds data, while reads and writes go on.',
    );
    expect(shared?.remedy.text).toMatch(/^Rewrite the join\. .* Run it again\.$/s);
  });
});
