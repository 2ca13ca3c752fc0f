import { describe, expect, it } from 'vitest';
import type { Collection } from '../../src/check.js';
import { knownFromProduction } from '../../src/lint/known-from-production.js';
import { absent, present } from '../../src/presence.js';
import { storage } from '../support/checks/sharded-evidence.js';
import { policyFinding } from '../support/policy-finding.js';

const there = present({ namespace: 'live.orders', documentsHere: 60, indexes: present([]), fields: null });
const on = (production: Collection['production'] | null, count: number | null = 20_000) => ({
  collection: {
    namespace: 'shop.orders',
    database: 'shop',
    name: 'orders',
    kind: 'collection',
    clustered: false,
    ...(production !== null && production !== undefined && { production }),
  } as Collection,
  evidence: { storage: present({ ...storage(), count }) },
});
const finding = policyFinding();

describe('a finding at the size of production', () => {
  it('says where its figures are from, in its message and beside them', () => {
    expect(knownFromProduction(finding, on(there))).toMatchObject({
      message: 'It grows. 60 documents here, 20,000 in production.',
      judgedAt: { documents: 20_000, from: 'production' },
      evidence: { source: 'sample', window: '10 of 10 documents, in production', figuresFrom: 'production' },
    });
  });

  it('says nothing twice', () => {
    const once = knownFromProduction(finding, on(there));
    expect(knownFromProduction(once, on(there))).toEqual(once);
  });

  it('leaves figures of the linted database as they are', () => {
    const evidence = { source: 'profiler', window: '3 executions in 2 s, here', figuresFrom: 'here' } as const;
    expect(knownFromProduction({ ...finding, evidence }, on(there)).evidence).toEqual(evidence);
  });

  it('leaves the size out if it is unknown', () => {
    const known = knownFromProduction(finding, on(there, null));
    expect([known.message, known.judgedAt]).toEqual([finding.message, undefined]);
  });

  it.each([null, present(null), absent('insufficient', 'left out')])('stays as it is with %j', (production) => {
    expect(knownFromProduction(finding, on(production))).toBe(finding);
  });
});
