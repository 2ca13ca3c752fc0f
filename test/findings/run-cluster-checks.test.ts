import { describe, expect, it, vi } from 'vitest';
import { defineClusterCheck, type AnyClusterCheck, type ClusterVerdict } from '../../src/check.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { resolvedSettings, type CheckSettings } from '../../src/findings/check-settings.js';
import { collectionsOf, judgeCluster } from '../../src/findings/run-checks.js';
import { absent, present } from '../../src/presence.js';
import { PROBLEM } from '../support/findings/problem.js';

const orders: KeptCollection = {
  collection: { namespace: 'shop.orders', database: 'shop', name: 'orders', kind: 'collection', clustered: false },
  evidence: { storage: absent('privilege', 'reading the sizes of shop.orders: not authorized.') },
};
const server = present({ version: '6.0.5' });

function checkThat(
  verdicts: readonly ClusterVerdict[],
  needs: AnyClusterCheck['needs'] = ['storage'],
): AnyClusterCheck {
  return defineClusterCheck({
    id: 'too-many',
    title: 'Too many',
    summary: 'too many',
    needs,
    clusterNeeds: ['server'],
    thresholds: {},
    judge: () => verdicts,
  });
}

describe('which checks of the cluster count as having judged it', () => {
  const gap: ClusterVerdict = { notJudged: 'insufficient', detail: 'Too little.' };

  it.each<[string, readonly KeptCollection[], AnyClusterCheck, readonly string[]]>([
    ['one that found nothing', [orders], checkThat([]), ['too-many']],
    ['one that judged a part', [orders], checkThat([gap]), ['too-many']],
    ['none that could judge nothing', [orders], checkThat([{ ...gap, nothingJudged: true }]), []],
    ['none that had no collection to judge', [], checkThat([]), []],
    ['one that looks into no collection', [], checkThat([], []), ['too-many']],
  ])('%s', async (_, kept, check, judgedBy) => {
    expect(
      (await judgeCluster([check], collectionsOf(kept), { server }, resolvedSettings({}), vi.fn())).judgedBy,
    ).toEqual(judgedBy);
  });
});

describe('a check of the cluster with thresholds that differ between namespaces', () => {
  const kept = ['shop.orders', 'shop.parts', 'logs.access', 'logs.audit'].map((namespace) => ({
    collection: { ...orders.collection, namespace },
    evidence: {},
  }));
  const known = new Map([...kept.map(({ collection }) => [collection.namespace, 10] as const), ['other.seen', 10]]);
  const check = {
    ...checkThat([], []),
    thresholds: {
      most: { default: 20, unit: 'documents', description: 'a line', source: 'judgement' },
      least: { default: 5, unit: 'documents', description: 'a line', source: 'judgement' },
    },
  } satisfies AnyClusterCheck;
  const judge = vi.fn<AnyClusterCheck['judge']>((_, { most, least }) => [
    ...[...known].flatMap(([namespace, documents]) =>
      documents >= Number(most)
        ? [{ ...PROBLEM, namespace, evidence: { source: 'collStats', window: 'all', most: Number(most) } }]
        : [],
    ),
    { notJudged: 'insufficient', detail: `at ${most} and ${least}` },
    { notJudged: 'insufficient', namespace: 'shop.parts', detail: `parts at ${most} and ${least}` },
  ]);

  async function judgedWith(settings: CheckSettings) {
    judge.mockClear();
    return judgeCluster([{ ...check, judge }], collectionsOf(kept), { server }, resolvedSettings(settings), vi.fn());
  }

  it('judges once by the defaults if nothing is set', async () => {
    const { findings, skipped } = await judgedWith({});
    expect(judge.mock.calls.map(([, values]) => values)).toEqual([{ most: 20, least: 5 }]);
    expect(findings).toEqual([]);
    expect(skipped.map(({ detail }) => detail)).toEqual(['at 20 and 5', 'parts at 20 and 5']);
  });

  it('judges once for each set of values, and takes from each what concerns its namespaces', async () => {
    const { findings, skipped, judgedBy } = await judgedWith({
      'too-many': {
        thresholds: { least: 1 },
        namespaces: [
          { glob: 'logs', thresholds: { most: 10 } },
          { glob: 'logs.audit', thresholds: { most: 11 } },
          { glob: 'shop.parts', thresholds: { most: 9 } },
        ],
      },
    });
    expect(judge.mock.calls.map(([, values]) => values)).toEqual([
      { most: 20, least: 1 },
      { most: 9, least: 1 },
      { most: 10, least: 1 },
      { most: 11, least: 1 },
    ]);
    expect(findings.map(({ namespace, evidence }) => [namespace, evidence['most']])).toEqual([
      ['shop.parts', 9],
      ['logs.access', 10],
    ]);
    expect(skipped.map(({ detail }) => detail)).toEqual(['at 20 and 1', 'parts at 9 and 1']);
    expect(judgedBy).toEqual(['too-many']);
  });

  it('judges by the values of a namespace that was not linted, too', async () => {
    const { findings } = await judgedWith({
      'too-many': { thresholds: { most: 3 }, namespaces: [{ glob: 'other', thresholds: { most: 4 } }] },
    });
    expect(findings.find(({ namespace }) => namespace === 'other.seen')?.evidence['most']).toBe(4);
    expect(findings.map(({ namespace }) => namespace).sort()).toEqual([...known.keys()].sort());
  });

  it('has the severity of each namespace, and nothing on those that it is off for', async () => {
    const { findings, skipped } = await judgedWith({
      'too-many': {
        severity: 'off',
        thresholds: { most: 1 },
        namespaces: [
          { glob: 'logs.*', severity: 'error' },
          { glob: 'other.*', severity: 'info', thresholds: { most: 2 } },
        ],
      },
    });
    expect(findings.map(({ namespace, severity }) => `${severity} ${namespace}`).sort()).toEqual([
      'error logs.access',
      'error logs.audit',
      'info other.seen',
    ]);
    expect(skipped.map(({ detail }) => detail)).toEqual(['at 1 and 5']);
  });
});

it('hears between the judgements of one check by several sets of values what happened meanwhile', async () => {
  const kept = ['a.x', 'b.x', 'c.x'].map((namespace) => ({
    collection: { ...orders.collection, namespace },
    evidence: {},
  }));
  const most = { default: 20, unit: 'documents', description: 'a line', source: 'judgement' } as const;
  const events: unknown[] = [];
  const judge: AnyClusterCheck['judge'] = (_, values) => {
    if (events.length === 0) busyWith(() => events.push('timer'));
    events.push(values['most']);
    return [];
  };
  const namespaces = [1, 2, 3].map((value, index) => ({
    glob: `${'abc'.charAt(index)}.*`,
    thresholds: { most: value },
  }));
  const settings = resolvedSettings({ 'too-many': { namespaces } });
  await judgeCluster(
    [{ ...checkThat([], []), thresholds: { most }, judge }],
    collectionsOf(kept),
    { server },
    settings,
    vi.fn(),
  );
  expect(events.filter((event) => event !== 'timer')).toEqual([20, 1, 2, 3]);
  expect(events.slice(0, events.indexOf(3))).toContain('timer');
});

/** Blocks the process until long after the timer is due. */
function busyWith(onTimer: () => void): void {
  setTimeout(onTimer);
  const end = performance.now() + 20;
  while (performance.now() < end);
}

it('hears between checks what happened meanwhile', async () => {
  const events: string[] = [];
  const noting = (name: string, act: () => void = () => {}) => ({
    ...checkThat([]),
    judge: () => (events.push(name), act(), []),
  });
  const busy = () => busyWith(() => events.push('timer'));
  // An immediate may run before the timers, though never twice.
  const checks = [noting('first', busy), noting('second'), noting('third')];
  await judgeCluster(checks, collectionsOf([orders]), { server }, resolvedSettings({}), vi.fn());
  expect(events.slice(0, events.indexOf('third'))).toContain('timer');
  expect(events.filter((event) => event !== 'timer')).toEqual(['first', 'second', 'third']);
});
