import { describe, expect, it, vi } from 'vitest';
import { defineCheck, type AnyCollectionCheck, type Verdict } from '../../src/check.js';
import type { Severity } from '../../src/finding/severity.js';
import { resolvedSettings, type CheckSettings } from '../../src/findings/check-settings.js';
import { judgeCollection, type FaultListener } from '../../src/findings/run-checks.js';
import { fingerprint } from '../../src/findings/stamp.js';
import type { Collection } from '../../src/inventory/collection.js';
import { absent, present } from '../../src/presence.js';
import { PROBLEM } from '../support/findings/problem.js';

const orders: Collection = {
  namespace: 'shop.orders',
  database: 'shop',
  name: 'orders',
  kind: 'collection',
  clustered: false,
};
const sizes = {
  count: 3,
  size: 300,
  averageDocumentSize: 100,
  storageSize: 4096,
  totalIndexSize: 4096,
  indexSizes: { _id_: 4096 },
  orphans: 0,
  shards: 0,
};
const storage = present(sizes);

function checkThat(judge: AnyCollectionCheck['judge'], changes: Partial<AnyCollectionCheck> = {}): AnyCollectionCheck {
  return defineCheck({
    id: 'too-long',
    title: 'Too long',
    summary: 'something too long',
    appliesTo: ['collection'],
    needs: ['storage'],
    thresholds: {
      length: {
        default: 10,
        unit: 'elements',
        description: 'length from which a warning is given',
        source: 'judgement',
      },
    },
    judge,
    ...changes,
  });
}

function judged(evidence: Parameters<typeof judgeCollection>[2]) {
  return judgeCollection([checkThat(() => [PROBLEM])], orders, evidence, resolvedSettings({}), vi.fn());
}

describe('judgeCollection', () => {
  it('says once of a collection that the run did not come to that no check judged it', () => {
    const unread = absent('max-time', "reading shop.orders: the run's time is used up.");
    const { detail } = unread;
    expect(judged({ storage: unread, indexes: unread })).toEqual({
      findings: [],
      skipped: [{ check: '*', namespace: 'shop.orders', reason: 'max-time', detail }],
      judgedBy: [],
    });
  });

  it.each([
    ['the time was up before one piece', { storage, indexes: absent('max-time', 'no time.') }, []],
    [
      'pieces failed each for itself',
      { storage: absent('max-time', 'no sizes.'), indexes: absent('max-time', 'no.') },
      ['too-long'],
    ],
    [
      'no fault kept them away',
      { storage: absent('privilege', 'no.'), indexes: absent('privilege', 'no.') },
      ['too-long'],
    ],
  ])('but lets checks say it if %s', (_, evidence, skippedBy) => {
    expect(judged(evidence).skipped.map(({ check }) => check)).toEqual(skippedBy);
  });

  it('stamps what a check found', () => {
    const { findings, skipped, judgedBy } = judgeCollection(
      [checkThat(() => [PROBLEM])],
      orders,
      { storage },
      resolvedSettings({}),
      vi.fn(),
    );
    expect(skipped).toEqual([]);
    expect(judgedBy).toEqual(['too-long']);
    expect(findings).toEqual([
      {
        ...PROBLEM,
        remedy: { ...PROBLEM.remedy, text: 'Shorten it.' },
        check: 'too-long',
        title: 'Too long',
        namespace: 'shop.orders',
        docs: 'checks/too-long.md',
        fingerprint: fingerprint('too-long', 'shop.orders', 'items'),
      },
    ]);
  });

  it.each<[string, CheckSettings, Severity | undefined]>([
    ['as it is judged', {}, 'error'],
    ['unless a severity is set', { 'too-long': { severity: 'info' } }, undefined],
  ])('says how severe a sampled finding is if sure, %s', (_, settings, expected) => {
    const check = checkThat(() => [{ ...PROBLEM, severityIfSure: 'error' }]);
    const { findings } = judgeCollection([check], orders, { storage }, resolvedSettings(settings), vi.fn());
    expect(findings.map(({ severityIfSure }) => severityIfSure)).toEqual([expected]);
  });

  it('gives a check the evidence that it needs, and nothing else', () => {
    const judge = vi.fn<AnyCollectionCheck['judge']>(() => []);
    judgeCollection([checkThat(judge)], orders, { storage, indexes: present([]) }, resolvedSettings({}), vi.fn());
    expect(judge).toHaveBeenCalledWith({ collection: orders, storage: sizes }, { length: 10 });
  });

  it('takes thresholds from the settings, and the defaults of the others', () => {
    const judge = vi.fn<AnyCollectionCheck['judge']>(() => []);
    judgeCollection(
      [checkThat(judge)],
      orders,
      { storage },
      resolvedSettings({ 'too-long': { thresholds: { length: 7 } } }),
      vi.fn(),
    );
    expect(judge.mock.calls[0]?.[1]).toEqual({ length: 7 });
  });

  it('gives findings the severity of the settings, on the namespaces that it is set for', () => {
    const settings: CheckSettings = {
      'too-long': { severity: 'info', namespaces: [{ glob: 'crm', severity: 'error' }] },
    };
    const check = checkThat(() => [PROBLEM]);
    const on = (namespace: string) =>
      judgeCollection([check], { ...orders, namespace }, { storage }, resolvedSettings(settings), vi.fn()).findings;
    expect(PROBLEM.severity).toBe('warning');
    expect(on('shop.orders').map(({ severity }) => severity)).toEqual(['info']);
    expect(on('crm.orders').map(({ severity }) => severity)).toEqual(['error']);
  });

  it('does not run a check that is off there', () => {
    const judge = vi.fn<AnyCollectionCheck['judge']>(() => []);
    const settings: CheckSettings = { 'too-long': { namespaces: [{ glob: 'shop', severity: 'off' }] } };
    const judgement = judgeCollection([checkThat(judge)], orders, { storage }, resolvedSettings(settings), vi.fn());
    expect(judge).not.toHaveBeenCalled();
    expect(judgement).toEqual({ findings: [], skipped: [], judgedBy: [] });
  });

  it('does not run a check whose evidence is absent, and says why', () => {
    const judge = vi.fn<AnyCollectionCheck['judge']>(() => []);
    const missing = absent('privilege', 'reading the sizes of shop.orders: not authorized.');
    const { skipped, judgedBy } = judgeCollection(
      [checkThat(judge)],
      orders,
      { storage: missing },
      resolvedSettings({}),
      vi.fn(),
    );
    expect(judge).not.toHaveBeenCalled();
    expect(judgedBy).toEqual([]);
    expect(skipped).toEqual([
      { check: 'too-long', namespace: 'shop.orders', reason: 'privilege', evidence: 'storage', detail: missing.detail },
    ]);
  });

  it('reports what a check could not judge', () => {
    const check = checkThat(() => [{ notJudged: 'insufficient', detail: 'Statistics are an hour old.' }, PROBLEM]);
    const { findings, skipped, judgedBy } = judgeCollection(
      [check],
      orders,
      { storage },
      resolvedSettings({}),
      vi.fn(),
    );
    expect(findings).toHaveLength(1);
    expect(judgedBy).toEqual(['too-long']);
    expect(skipped).toEqual([
      { check: 'too-long', namespace: 'shop.orders', reason: 'insufficient', detail: 'Statistics are an hour old.' },
    ]);
  });

  it('does not count a check that could judge nothing among those that judged', () => {
    const check = checkThat(() => [
      { notJudged: 'insufficient', detail: 'Statistics are an hour old.', nothingJudged: true },
    ]);
    const { skipped, judgedBy } = judgeCollection([check], orders, { storage }, resolvedSettings({}), vi.fn());
    expect(judgedBy).toEqual([]);
    expect(skipped).toEqual([
      { check: 'too-long', namespace: 'shop.orders', reason: 'insufficient', detail: 'Statistics are an hour old.' },
    ]);
  });

  it.each<[string, AnyCollectionCheck['judge']]>([
    [
      'throws',
      () => {
        throw new RangeError('secret value');
      },
    ],
    [
      'returns a figure that is no number',
      () => [{ ...PROBLEM, evidence: { ...PROBLEM.evidence, lengths: { mean: NaN } } } as Verdict],
    ],
    ['returns nothing at all', () => undefined as unknown as Verdict[]],
  ])('goes on where a check %s', (_, judge) => {
    const onFault = vi.fn<FaultListener>();
    const healthy = checkThat(() => [PROBLEM], { id: 'healthy' });
    const { findings, skipped, judgedBy } = judgeCollection(
      [checkThat(judge), healthy],
      orders,
      { storage },
      resolvedSettings({}),
      onFault,
    );
    expect(findings.map(({ check }) => check)).toEqual(['healthy']);
    expect(judgedBy).toEqual(['healthy']);
    expect(skipped).toMatchObject([{ check: 'too-long', namespace: 'shop.orders', reason: 'fault' }]);
    expect(JSON.stringify(skipped)).not.toContain('secret');
    expect(onFault).toHaveBeenCalledOnce();
  });

  it('passes over checks that do not apply to the kind of collection', () => {
    const judge = vi.fn<AnyCollectionCheck['judge']>(() => []);
    const view: Collection = { ...orders, kind: 'view' };
    const judgement = judgeCollection([checkThat(judge)], view, {}, resolvedSettings({}), vi.fn());
    expect(judgement).toEqual({ findings: [], skipped: [], judgedBy: [] });
  });
});

describe('fingerprint', () => {
  it('differs by check, namespace and path, and however their parts are cut', () => {
    const all = [
      fingerprint('a', 'b.c', 'd'),
      fingerprint('a', 'b.c', null),
      fingerprint('a', 'b.c', 'null'),
      fingerprint('a', 'b', 'c.d'),
      fingerprint('ab', '.c', 'd'),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(fingerprint('a', 'b.c', 'd')).toMatch(/^[0-9a-f]{16}$/);
    expect(fingerprint('a', 'b.c', 'd')).toBe(fingerprint('a', 'b.c', 'd'));
  });
});
