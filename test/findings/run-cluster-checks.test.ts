import { describe, expect, it, vi } from 'vitest';
import { defineClusterCheck, type AnyClusterCheck, type ClusterVerdict } from '../../src/check.js';
import { absent, present } from '../../src/presence.js';
import { judgeCluster, type KeptCollection } from '../../src/findings/run-cluster-checks.js';

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
    expect((await judgeCluster([check], kept, { server }, {}, vi.fn())).judgedBy).toEqual(judgedBy);
  });
});

it('hears between checks what happened meanwhile', async () => {
  const events: string[] = [];
  const noting = (name: string, act: () => void = () => {}) => ({
    ...checkThat([]),
    judge: () => (events.push(name), act(), []),
  });
  const busy = () => {
    setTimeout(() => events.push('timer'));
    const end = performance.now() + 20;
    while (performance.now() < end);
  };
  // An immediate may run before the timers, though never twice.
  const checks = [noting('first', busy), noting('second'), noting('third')];
  await judgeCluster(checks, [orders], { server }, {}, vi.fn());
  expect(events.slice(0, events.indexOf('third'))).toContain('timer');
  expect(events.filter((event) => event !== 'timer')).toEqual(['first', 'second', 'third']);
});
