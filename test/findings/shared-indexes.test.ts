import { describe, expect, it } from 'vitest';
import type { IndexProposal } from '../../src/check.js';
import type { Finding } from '../../src/finding.js';
import { withSharedIndexes } from '../../src/findings/shared-indexes.js';
import { reportedRemedy } from '../../src/findings/reported-remedy.js';
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

describe('findings that ask for indexes', () => {
  const wide = { customer: 1, placed: -1 } as const;

  it.each<[string, Finding, Key]>([
    ['the beginning of another one', finding('narrow', [{ customer: 1 }]), wide],
    ['the beginning of another one, read backwards', finding('narrow', [{ customer: -1 }]), wide],
    ['one that turns at another field', finding('narrow', [{ customer: 1, placed: 1 }]), { customer: 1, placed: 1 }],
    ['one of another collection', finding('narrow', [{ customer: 1 }], {}, 'carts'), { customer: 1 }],
    [
      'one of another collation',
      finding('narrow', [{ customer: 1 }], { collation: { locale: 'de' } }),
      { customer: 1 },
    ],
    ['one that ends another one', finding('narrow', [{ placed: -1 }]), { placed: -1 }],
  ])('share it only where one does for both: %s', (_, narrow, expected) => {
    const [first, second] = withSharedIndexes([narrow, finding('wide', [wide])]);
    expect([first, second].flatMap((each) => (each === undefined ? [] : keysOf(each)))).toEqual([expected, wide]);
  });

  it('share it where thousands ask for one', () => {
    const pairs = Array.from({ length: 5_000 }, (_, number) => [
      finding('narrow', [{ [`customer${number}`]: 1 }]),
      finding('wide', [{ [`customer${number}`]: 1, placed: -1 }]),
    ]);
    const shared = withSharedIndexes(pairs.flat());
    expect(shared.filter((each) => Object.keys(keysOf(each)[0] ?? {}).length === 2)).toHaveLength(10_000);
  });

  it('say which other one asks for it', () => {
    const [first] = withSharedIndexes([finding('narrow', [{ customer: 1 }]), finding('wide', [wide])]);
    expect(first?.remedy.steps[0]?.text).toBe(
      'Create an index on { customer: 1, placed: -1 } of shop.orders. ' +
        'It begins with { customer: 1 }, and wide proposes it: create it alone, it serves both findings. ' +
        'The build reads all 30,000 documents on every member that holds data, while reads and writes go on.',
    );
  });

  it('keep the steps that are not about the narrower index, where they are', () => {
    const narrow = finding('narrow', [{ customer: 1 }]);
    const [before, after] = [{ text: 'Rewrite the join.', code: '{ $lookup: {} }' }, { text: 'Run it again.' }];
    const steps = [before, ...narrow.remedy.steps, after];
    const [shared, wider] = withSharedIndexes([
      { ...narrow, remedy: reportedRemedy({ steps }) },
      finding('wide', [wide]),
    ]);
    const [build, ...following] = wider?.remedy.steps ?? [];
    expect(shared?.remedy.steps).toEqual([before, { ...build, text: expect.any(String) }, ...following, after]);
    expect(shared?.remedy.steps[1]?.text).toContain('and wide proposes it: create it alone');
    expect(shared?.remedy.text).toMatch(/^Rewrite the join\. .* Run it again\.$/s);
  });

  it('report no proposal', () => {
    const shared = withSharedIndexes([finding('narrow', [{ customer: 1 }]), finding('wide', [wide])]);
    expect(shared.filter((each) => 'proposes' in each)).toEqual([]);
  });

  it('leave an index alone that is only to be unhidden', () => {
    const narrow = finding('narrow', [{ customer: 1 }]);
    const proposes = narrow.proposes?.map((each) => ({ ...each, action: 'unhide' as const })) ?? [];
    const unhiding = { ...narrow, proposes, remedy: reportedRemedy({ steps: indexSteps(proposes, '') }) };
    expect(withSharedIndexes([unhiding, finding('wide', [wide])])[0]?.remedy).toEqual(unhiding.remedy);
  });

  it('ask for the same one in whichever order they come', () => {
    const [first, second] = [finding('first', [wide]), finding('second', [{ customer: 1, total: 1 }])];
    const narrow = finding('narrow', [{ customer: 1 }]);
    expect(
      [
        [narrow, first, second],
        [narrow, second, first],
      ].map((findings) => withSharedIndexes(findings).map(keysOf)[0]),
    ).toEqual([[wide], [wide]]);
  });

  it('ask for the longest of all, and leave findings alone that want several', () => {
    const longest = { ...wide, total: 1 } as const;
    const several = finding('several', [{ customer: 1 }, { total: 1 }]);
    const shared = withSharedIndexes([
      finding('narrow', [{ customer: 1 }]),
      finding('wide', [wide]),
      finding('longest', [longest]),
      several,
    ]);
    expect(shared.map(keysOf)).toEqual([[longest], [longest], [longest], [{ customer: 1 }, { total: 1 }]]);
  });
});
