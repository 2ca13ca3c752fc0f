import { describe, expect, it } from 'vitest';
import { withMappedDatabases } from '../../src/cli/compare-command.js';
import { type Finding, findingSchema } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import { rankedFindings } from '../../src/findings/ranked-findings.js';
import { ofOwners } from '../../src/policy/apply-policy.js';
import { comparedWithBaseline, updatedBaseline } from '../../src/policy/baseline.js';
import { suppressed } from '../../src/policy/suppression.js';
import { findingView } from '../../src/report/finding-view.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const ADVICE = [{ text: 'Decide once.' }];
const at = (namespace: string, changes: Partial<Finding> = {}, adviceForAll = ADVICE) => ({
  ...policyFinding({ check: 'missing-validator', severity: 'info', path: null, namespace, ...changes }),
  adviceForAll,
});
const { adviceForAll: _none, ...worthItself } = at('shop.carts');
const reported = (findings: Parameters<typeof rankedFindings>[0]) =>
  rankedFindings(findings, null, () => null).findings;
const placesOf = (findings: readonly Finding[]) =>
  findings.map((finding) => separated(finding).map(({ namespace, path }) => [namespace, path].join(' ').trim()));
const [one] = reported([at('shop.orders'), at('shop.carts'), at('shop.people')]) as [Finding];
const suppressing = (namespace: string) => ({ check: '*', namespace, reason: 'accepted', by: 'a:1' });
const { report } = policyRun(['shop.carts', 'shop.orders', 'shop.people'], { findings: [one] });
const everythingJudged = { wasJudged: () => true, hasSetSeverity: () => false };

describe('what a check finds at places that are not worth a finding each', () => {
  it.each<[string, Parameters<typeof reported>[0], string[][]]>([
    ['is one finding for a database', [at('shop.orders'), at('shop.carts')], [['shop.carts', 'shop.orders']]],
    ['is one finding for each database', [at('shop.orders'), at('crm.people')], [['crm.people'], ['shop.orders']]],
    [
      'is one finding for each check',
      [at('shop.orders'), at('shop.orders', { check: 'unindexed-reference', path: 'customer' })],
      [['shop.orders'], ['shop.orders customer']],
    ],
    [
      'is one finding with several fields of a collection',
      [at('shop.orders', { path: 'b' }), at('shop.orders', { path: 'a' })],
      [['shop.orders a', 'shop.orders b']],
    ],
    [
      'leaves what is worth a finding of its own',
      [at('shop.orders'), worthItself, at('shop.people')],
      [['shop.carts'], ['shop.orders', 'shop.people']],
    ],
  ])('%s', (_, findings, expected) => {
    expect(placesOf(reported(findings))).toEqual(expected);
  });

  it('leaves what another check reports by its cause to that, and reports no cause', () => {
    const useless = { ...at('shop.orders', { check: 'useless-index', path: 'a_1' }), causedBy: 'index a_1' };
    const others = ['shop.carts', 'shop.people'].map((namespace) => ({
      ...at(namespace, { check: 'useless-index', path: 'a_1' }),
      causedBy: 'index a_1',
    }));
    const { adviceForAll: _advice, ...redundant } = { ...useless, check: 'redundant-index', fingerprint: 'redundant' };
    const findings = reported([useless, redundant, ...others]);
    expect(
      findings.map((finding) => separated(finding).map(({ check, namespace }) => `${check} ${namespace}`)),
    ).toEqual([
      ['useless-index shop.carts', 'useless-index shop.people'],
      ['redundant-index shop.orders', 'useless-index shop.orders'],
    ]);
    for (const finding of findings) expect(findingSchema.parse(finding)).toEqual(finding);
  });

  it('has the advice for all, and lists the other places in one line', () => {
    expect(one.remedy).toEqual({ steps: ADVICE, text: 'Decide once.' });
    expect(findingView(one).notes).toEqual([{ label: 'The same at 2 other places', text: 'shop.orders, shop.people' }]);
    expect(findingSchema.parse(one)).toEqual(one);
  });

  it('keeps its own remedy if there is one place', () => {
    expect(reported([at('shop.orders')])[0]?.remedy.text).toBe('Cap it.');
  });

  it.each([
    ['shop.orders', [['shop.carts', 'shop.people']]],
    ['shop.carts', [['shop.orders', 'shop.people']]],
    ['shop.*', []],
  ])('is left with the others if %s is suppressed', (namespace, expected) => {
    const left = suppressed([one], [suppressing(namespace)], '2026-11-22');
    expect(placesOf(left.filter((finding) => finding.suppressed === undefined))).toEqual(expected);
  });

  it('is known by each place, so that only a further one is new', () => {
    const known = updatedBaseline([], [comparedWithBaseline(report, [], everythingJudged)]);
    expect(known.map(({ namespace }) => namespace)).toEqual(['shop.carts', 'shop.orders', 'shop.people']);
    const [more] = reported([...separated(one).map((each) => ({ ...each, adviceForAll: ADVICE })), at('shop.bids')]);
    const { findings } = comparedWithBaseline({ ...report, findings: [more as Finding] }, known, everythingJudged);
    expect(findings.map(({ baseline }) => baseline?.status).toSorted()).toEqual(['known', 'new']);
    expect(placesOf(findings).toSorted()).toEqual([['shop.bids'], ['shop.carts', 'shop.orders', 'shop.people']]);
  });

  it('is one finding for each owner', () => {
    const owners = [
      { glob: 'shop', owner: 'team-shop' },
      { glob: 'shop.people', owner: 'team-crm' },
    ];
    const { findings, summary } = ofOwners(report, { owners });
    expect(findings.map(({ owner }) => owner)).toEqual(['team-shop', 'team-crm']);
    expect(placesOf(findings)).toEqual([['shop.carts', 'shop.orders'], ['shop.people']]);
    expect(summary.findings.info).toBe(2);
  });

  it('has the names of another database at each place', () => {
    const [mapped] = withMappedDatabases(report, [{ from: 'shop', to: 'shop_test' }]).findings as [Finding];
    expect(placesOf([mapped])).toEqual([['shop_test.carts', 'shop_test.orders', 'shop_test.people']]);
    expect(separated(mapped).map(({ fingerprint }) => fingerprint)).toEqual(
      ['shop_test.carts', 'shop_test.orders', 'shop_test.people'].map((namespace) => at(namespace).fingerprint),
    );
  });
});
