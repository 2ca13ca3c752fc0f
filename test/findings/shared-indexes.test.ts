import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { withSharedIndexes } from '../../src/findings/shared-indexes.js';
import { reportedRemedy } from '../../src/findings/reported-remedy.js';

type Key = Readonly<Record<string, 1 | -1>>;

function finding(check: string, keys: readonly Key[], options: object = {}, collection = 'orders'): Finding {
  const indexes = keys.map((key) => ({ key, name: Object.entries(key).flat().join('_'), ...options }));
  return {
    check,
    severity: 'warning',
    confidence: 'high',
    namespace: `shop.${collection}`,
    path: null,
    title: 'An index is missing',
    message: 'It is not there.',
    evidence: { source: 'profiler', window: '10 executions' },
    remedy: reportedRemedy({
      text: 'Create it.',
      commands: [{ db: 'shop', command: { createIndexes: collection, indexes } }],
    }),
    docs: 'page',
    fingerprint: check,
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
    expect(first?.remedy.text).toBe(
      'Create it. The index on { customer: 1, placed: -1 } that wide asks for begins with it: create that one alone, it does for both.',
    );
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
