import { describe, expect, it } from 'vitest';
import { applyPolicy, type Policy } from '../../src/policy/apply-policy.js';
import { updatedBaseline } from '../../src/policy/baseline.js';
import { ownerOf, type OwnerRule } from '../../src/policy/ownership.js';
import { REPORT_FORMATS, renderReport } from '../../src/report/formats.js';
import { renderJson } from '../../src/report/json.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const RULES: readonly OwnerRule[] = [
  { glob: 'shop', owner: 'team-shop' },
  { glob: 'shop.pay*', owner: 'team-pay' },
  { glob: 'shop.payouts_old', owner: null },
  { glob: '*.logs', owner: 'team-ops' },
];

describe('the owner of a namespace', () => {
  it.each([
    ['shop.orders', 'team-shop'],
    ['shop.payments', 'team-pay'],
    ['shop.payments.eu', 'team-pay'],
    ['shop.payouts_old', null],
    ['shop.logs', 'team-ops'],
    ['crm.logs', 'team-ops'],
    ['crm.people', null],
    // A finding may be about a whole database, a family of collections, or the cluster.
    ['shop', 'team-shop'],
    ['shop.pay_*', 'team-pay'],
    ['*', null],
  ])('of %s is %s: the last rule that matches wins', (namespace, owner) => {
    expect(ownerOf(RULES)(namespace)).toBe(owner);
  });

  it('of everything may be a last resort', () => {
    const of = ownerOf([{ glob: '*', owner: 'dba' }, ...RULES]);
    expect(['crm.people', '*', 'shop.payouts_old'].map((name) => of(name))).toEqual(['dba', 'dba', null]);
  });

  it.each([
    ['shop.orders', 'checkout-eu', 'team-checkout'],
    ['shop.orders', 'reports', 'team-shop'],
    ['shop.orders', null, 'team-shop'],
    ['crm.people', 'checkout', 'team-checkout'],
    ['shop.payments', 'reports', 'team-bi'],
    ['crm.people', 'reports', null],
  ])('of %s, of which %s runs most, is %s', (namespace, appName, owner) => {
    const rules: readonly OwnerRule[] = [
      { glob: 'shop', owner: 'team-shop' },
      { appName: 'checkout*', owner: 'team-checkout' },
      { glob: 'shop.pay*', appName: 'reports', owner: 'team-bi' },
    ];
    expect(ownerOf(rules)(namespace, appName)).toBe(owner);
  });
});

const NAMESPACES = ['shop.orders', 'shop.payments', 'crm.people'];
const run = policyRun(NAMESPACES, {
  findings: [
    policyFinding({ namespace: 'shop.orders', severity: 'warning' }),
    policyFinding({
      namespace: 'shop.payments',
      check: 'deep-nesting',
      furtherReasons: [reasonOf('outlier-document')],
    }),
    policyFinding({ namespace: 'crm.people', severity: 'info', path: 'tags' }),
  ],
});

function reasonOf(check: string) {
  const { namespace: _namespace, ...reason } = policyFinding({ check });
  return reason;
}

function reportWith(policy: Partial<Policy>): Report {
  const whole = { checks: ['unbounded-array', 'deep-nesting', 'outlier-document'], settings: {}, suppressions: [] };
  const [report] = applyPolicy([run], { ...whole, baseline: null, today: '2026-06-15', ...policy });
  return report as Report;
}

describe('findings with owners', () => {
  it('are as before without rules', () => {
    expect(reportWith({}).findings.every((finding) => !('owner' in finding))).toBe(true);
  });

  it('name theirs, and say if nobody answers for them', () => {
    const { findings } = reportWith({ owners: RULES });
    expect(findings.map(({ namespace, owner }) => [namespace, owner])).toEqual([
      ['shop.payments', 'team-pay'],
      ['shop.orders', 'team-shop'],
      ['crm.people', null],
    ]);
    expect(reportSchema.safeParse(JSON.parse(renderJson(reportWith({ owners: RULES })))).success).toBe(true);
  });

  it('keep theirs beside a baseline, which does not', () => {
    const known = updatedBaseline([], [reportWith({ owners: RULES })]);
    expect(known.every((entry) => !('owner' in entry))).toBe(true);
    const { findings, fixed } = reportWith({
      owners: RULES,
      baseline: [...known, { ...known[0], path: 'other', fingerprint: '0'.repeat(16) } as (typeof known)[number]],
    });
    expect(findings.map(({ owner }) => owner)).toEqual(['team-pay', 'team-shop', null]);
    expect(fixed?.map(({ owner }) => owner)).toEqual([ownerOf(RULES)(known[0]?.namespace ?? '')]);
  });
});

const ALL_FORMATS = REPORT_FORMATS.map(({ name }) => name);
const textOf = (report: Report, format: string) => renderReport(report, format);

describe('every format', () => {
  it.each(ALL_FORMATS)('names the owner: %s', async (format) => {
    const [owned, plain] = [reportWith({ owners: RULES }), reportWith({})];
    expect(await textOf(owned, format)).toContain('team-pay');
    expect(await textOf(plain, format)).not.toMatch(/team-pay|no owner|"owner"/);
  });

  it.each(['table', 'compact', 'html'])('says that nobody answers for a finding: %s', async (format) => {
    expect(await textOf(reportWith({ owners: RULES }), format)).toContain('no owner');
  });
});

describe('the filter by owner', () => {
  const filtered = reportWith({ owners: RULES, ownerFilter: { owners: ['team-shop'] } });

  it('leaves what is theirs and what is nobodys, counted again', () => {
    expect(filtered.findings.map(({ namespace }) => namespace)).toEqual(['shop.orders', 'crm.people']);
    expect(filtered.summary).toMatchObject({
      findings: { error: 0, warning: 1, info: 1 },
      collections: 2,
      databases: 2,
    });
    expect(filtered.collections.map(({ namespace }) => namespace)).toEqual(['shop.orders', 'crm.people']);
  });

  it('says what it leaves out', () => {
    expect(filtered.leftOut).toEqual({
      owners: ['team-shop'],
      findings: 1,
      checks: ['deep-nesting', 'outlier-document'],
      collections: 1,
    });
  });

  it.each(['table', 'compact', 'markdown', 'html', 'sarif', 'junit', 'github'])('says so in %s', async (format) => {
    const text = (await textOf(filtered, format)).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Left out by --owner team-shop: 1 finding and 1 collection of other owners.');
  });

  it('does not call a check fine that found something of others', async () => {
    const fine =
      /found nothing: ([^.]*?)(?=\n\n|\n {2}\w)/.exec(await renderReport(filtered, 'table', { verbose: true }))?.[1] ??
      '';
    expect(fine).toContain('bloated-document');
    expect(fine).not.toContain('deep-nesting');
  });

  it('of several owners keeps each', () => {
    const both = reportWith({ owners: RULES, ownerFilter: { owners: ['team-shop', 'team-pay'] } });
    expect(both.findings).toHaveLength(3);
    expect(both.leftOut).toMatchObject({ findings: 0, collections: 0 });
  });

  it('keeps what was fixed of theirs', () => {
    const entries = updatedBaseline([], [reportWith({})]).map((entry, index) => ({
      ...entry,
      path: 'gone',
      fingerprint: String(index).repeat(16),
    }));
    const {
      fixed = [],
      notSeen = [],
      summary,
    } = reportWith({
      owners: RULES,
      ownerFilter: { owners: ['team-shop'] },
      baseline: entries,
    });
    const missing = [...fixed, ...notSeen].map(({ namespace }) => namespace);
    expect(missing.sort()).toEqual(['crm.people', 'shop.orders']);
    expect(summary.baseline).toMatchObject({ fixed: fixed.length, notSeen: notSeen.length });
  });

  it('counts those of theirs that somebody accepted', () => {
    const accepted = { since: '2026-06-01', until: '2026-07-01', reason: 'known', owner: 'team-shop' };
    const baseline = updatedBaseline([], [reportWith({})]).map((entry) => ({ ...entry, accepted }));
    const countsOf = (owner: string) =>
      reportWith({ owners: RULES, ownerFilter: { owners: [owner], withUnowned: false }, baseline }).summary.baseline;
    const { known, accepted: count } = countsOf('team-shop') ?? {};
    expect(known).toBeGreaterThan(0);
    expect(count).toBe(known);
    expect(known).toBeLessThan(baseline.length);
    expect(countsOf('nobody')).not.toHaveProperty('accepted');
  });
});
