import { describe, expect, it } from 'vitest';
import type { Collection } from '../../src/check.js';
import { toldInProduction } from '../../src/findings/told-in-production.js';
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
    expect(toldInProduction(finding, on(there))).toMatchObject({
      message: 'It grows. 60 documents here, 20,000 in production.',
      judgedAt: { documents: 20_000, from: 'production' },
      evidence: { source: 'sample', window: '10 of 10 documents, in production' },
    });
  });

  it('says nothing twice', () => {
    const once = toldInProduction(finding, on(there));
    expect(toldInProduction(once, on(there))).toEqual(once);
    const here = { ...finding, evidence: { source: 'profiler', window: '3 executions in 2 s, here' } };
    expect(toldInProduction(here, on(there)).evidence).toEqual(here.evidence);
  });

  it('does not say of what is declared here that it is from production', () => {
    const declared = { ...finding, evidence: { source: 'listIndexes', window: 'all 7 indexes' } };
    expect(toldInProduction(declared, on(there)).evidence).toEqual(declared.evidence);
  });

  it('leaves the size out if it is unknown', () => {
    const told = toldInProduction(finding, on(there, null));
    expect([told.message, told.judgedAt]).toEqual([finding.message, undefined]);
  });

  it.each([null, present(null), absent('insufficient', 'left out')])('stays as it is with %j', (production) => {
    expect(toldInProduction(finding, on(production))).toBe(finding);
  });
});
