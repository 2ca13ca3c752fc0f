import { describe, expect, it } from 'vitest';
import { notificationText } from '../../src/cli/notification-text.js';
import { applyPolicy } from '../../src/policy/apply-policy.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const run = policyRun(['shop.orders', 'crm.people', 'ops.logs'], {
  findings: ['shop.orders', 'crm.people', 'ops.logs'].map((namespace) => policyFinding({ namespace })),
});
const owners = [
  { glob: 'shop.*', owner: 'team-shop' },
  { glob: 'crm.*', owner: 'team-crm' },
];

function textFor(...wanted: string[]): string {
  const policy = { checks: ['unbounded-array'], settings: {}, suppressions: [], baseline: null, today: '2026-06-15' };
  const ownerFilter = wanted.length === 0 ? {} : { ownerFilter: { owners: wanted } };
  const reports = applyPolicy([run], { ...policy, owners, ...ownerFilter });
  return notificationText({ reports, faults: [], reportUrl: null }) ?? '';
}

describe('a webhook', () => {
  it('hears whose each finding is', () => {
    expect(textFor()).toContain('unbounded-array in shop.orders items (owner team-shop)');
    expect(textFor()).toContain('unbounded-array in ops.logs items (no owner)');
  });

  it('hears only of one owner, and of what nobody answers for', () => {
    const text = textFor('team-shop');
    expect(text).toContain('2 new findings');
    expect(text).toContain('shop.orders');
    expect(text).toContain('ops.logs');
    expect(text).not.toContain('crm.people');
  });
});
