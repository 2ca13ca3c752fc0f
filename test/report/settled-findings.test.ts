import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import type { Report } from '../../src/report/report.js';
import { renderTable } from '../../src/report/table.js';
import { policyFinding } from '../support/policy-finding.js';
import { reportOf, sampledCollection } from '../support/report/sample-report.js';

const fixed = {
  check: 'deep-nesting',
  severity: 'info',
  namespace: 'shop.forms',
  path: 'a.b',
  fingerprint: 'f'.repeat(16),
} as const;

function tableOf(findings: readonly Finding[], changes: Partial<Report> = {}, verbose = false): string {
  const report = reportOf({ findings, collections: [sampledCollection('shop.orders')] });
  return renderTable({ ...report, ...changes }, { width: 100, color: false, verbose });
}

describe('the table with a baseline', () => {
  const known = policyFinding({ path: 'old', baseline: { status: 'known', severityBefore: 'error' } });
  const added = policyFinding({ path: 'young', baseline: { status: 'new', severityBefore: null } });
  const worse = policyFinding({ path: 'grown', baseline: { status: 'new', severityBefore: 'info' } });
  const { summary } = reportOf({ findings: [known, added, worse] });
  const compared = { ...summary, baseline: { new: 2, known: 1, fixed: 1, gone: 1, notSeen: 1, notJudged: 3 } };
  const missing = { fixed: [fixed], gone: [{ ...fixed, path: 'c' }], notSeen: [{ ...fixed, path: 'd' }] };
  const given = { ...missing, summary: compared };
  const text = tableOf([known, added, worse], given);

  it('lists what is new, and counts what is known', () => {
    expect(text).toMatch(/^ {2}2\. Unbounded array: shop\.orders young$/m);
    expect(text).not.toContain('old');
    expect(text).toContain('1 known');
  });

  it('shows what is new in full with --verbose, and what is known in a line', () => {
    const full = tableOf([known, added, worse], given, true);
    expect(full).toMatch(/ERROR {2}unbounded-array · young · high confidence\n/);
    expect(full).not.toMatch(/ERROR {2}unbounded-array · old/);
    expect(full).toMatch(/^ {2}Known\.\n {4}error · unbounded-array · shop\.orders old$/m);
  });

  it('says how severe a finding was that got worse', () => {
    expect(text).toMatch(/^ {2}1\. Unbounded array: shop\.orders grown\n.* · was info/m);
  });

  it('shows what is fixed', () => {
    expect(text).toMatch(/^Fixed\n {2}info · deep-nesting · shop\.forms a\.b$/m);
  });

  it('tells what is gone from what is fixed, and only counts what was not seen, unless all is shown', () => {
    expect(text).toMatch(/^Gone with their collections\n {2}info · deep-nesting · shop\.forms c$/m);
    expect(text).not.toMatch(/^Not seen/m);
    expect(tableOf([known, added, worse], given, true)).toMatch(
      /^Not seen this time\n {2}info · deep-nesting · shop\.forms d$/m,
    );
  });

  it('ends with the comparison', () => {
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /Compared with before: 1 new, 1 worse, 1 known, 1 fixed, 1 gone, 1 not seen this time\. 3 known findings could not be checked again\. $/,
    );
  });
});

describe('the table of a target', () => {
  it('names the target, and what to put right in the configuration', () => {
    const notice = {
      kind: 'suppression-unused',
      text: 'The suppression of deep-nesting (file:3) matches no finding.',
    } as const;
    const text = tableOf([], { target: 'staging', notices: [notice] });
    expect(text).toMatch(/^mongolint 0\.1\.0 · staging · replica set/);
    expect(text).toMatch(/^Configuration to fix\n {2}The suppression of deep-nesting/m);
  });

  it('shows who answers for a suppression', () => {
    const suppressed = { by: 'file:3', reason: 'known', expires: '2030-01-31', owner: 'team-shop' };
    expect(tableOf([policyFinding({ suppressed })], {}, true)).toContain(
      'Suppressed until 2030-01-31 in file:3 by team-shop: known',
    );
  });
});
