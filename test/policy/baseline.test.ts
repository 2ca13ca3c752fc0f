import { describe, expect, it } from 'vitest';
import type { Finding, Severity } from '../../src/finding.js';
import type { BaselineEntry } from '../../src/policy/baseline-file.js';
import { comparedWithBaseline, updatedBaseline, type JudgedScope } from '../../src/policy/baseline.js';
import type { SampleMethod } from '../../src/profile/sampling/sample-plan.js';
import * as fc from '../support/fast-check.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';
import { sampledCollection } from '../support/report/sample-report.js';

const entryOf = (finding: Finding, target?: string): BaselineEntry => {
  const { check, severity, namespace, path, fingerprint } = finding;
  return { check, severity, namespace, path, fingerprint, ...(target !== undefined && { target }) };
};
const reportOf = (findings: readonly Finding[]) => policyRun(['shop.orders'], { findings }).report;
const scopeOf = (wasJudged: JudgedScope['wasJudged']): JudgedScope => ({ wasJudged, hasSetSeverity: () => false });
const everythingJudged = scopeOf(() => true);
const statusOf = (findings: readonly Finding[], baseline: readonly BaselineEntry[]) =>
  comparedWithBaseline(reportOf(findings), baseline, everythingJudged).findings.map(
    (finding) => finding.baseline?.status,
  );
const pathsAfter = (found: readonly Finding[], before: readonly BaselineEntry[], judged = everythingJudged) =>
  updatedBaseline(before, [comparedWithBaseline(reportOf(found), before, judged)])
    .map(({ path }) => path)
    .sort();

describe('comparedWithBaseline', () => {
  it.each<[Severity, Severity, 'new' | 'known', boolean?]>([
    ['error', 'error', 'known'],
    ['warning', 'error', 'known', true],
    ['info', 'error', 'known', true],
    ['error', 'warning', 'new'],
    ['warning', 'info', 'new'],
    ['info', 'info', 'known'],
  ])('an %s that was accepted as %s is %s', (now, before, expected, better = false) => {
    const { findings } = comparedWithBaseline(
      reportOf([policyFinding({ severity: now })]),
      [entryOf(policyFinding({ severity: before }))],
      everythingJudged,
    );
    expect(findings[0]?.baseline).toEqual({ status: expected, severityBefore: before, ...(better && { better }) });
  });

  it('knows a finding by its identity, whatever is measured', () => {
    const later = policyFinding({
      message: 'It has grown.',
      confidence: 'low',
      evidence: { source: 'oplog', window: 'a day', p99: 7 },
    });
    expect(statusOf([later], [entryOf(policyFinding())])).toEqual(['known']);
  });

  it.each<[string, Partial<Finding>]>([
    ['check', { check: 'deep-nesting' }],
    ['namespace', { namespace: 'shop.carts' }],
    ['path', { path: 'items[].tags' }],
    ['path, which is none', { path: null }],
  ])('takes a finding that differs by %s for a new one', (_, changes) => {
    expect(statusOf([policyFinding(changes)], [entryOf(policyFinding())])).toEqual(['new']);
  });

  it.each<[string, string[], SampleMethod, Severity, 'new' | 'known']>([
    ['an info that rests on a random sample in part', ['sample'], 'random-cursor', 'info', 'known'],
    ['a warning that does', ['sample'], 'random-cursor', 'warning', 'new'],
    ['an info that rests on a scan', ['sample'], 'id-hash', 'info', 'new'],
    ['an info that rests on no sample', [], 'random-cursor', 'info', 'new'],
  ])('takes for news or not: %s', (_, restsOn, method, severity, expected) => {
    const finding = policyFinding({ severity, namespace: 'shop.orders', restsOn });
    const [collection] = reportOf([finding]).collections;
    const sampled = { documents: 1_000, bytes: 1_000, method, complete: false, boundedBy: null };
    const report = {
      ...reportOf([finding]),
      collections: [{ ...sampledCollection('shop.orders'), ...collection, sampled }],
    };
    const { findings } = comparedWithBaseline(report, [entryOf(policyFinding({ path: 'other' }))], everythingJudged);
    expect(findings[0]?.baseline?.status).toBe(expected);
  });

  it('never counts: one that is gone does not make room for another', () => {
    const report = comparedWithBaseline(
      reportOf([policyFinding({ path: 'b' })]),
      [entryOf(policyFinding({ path: 'a' }))],
      everythingJudged,
    );
    expect(report.summary.baseline).toEqual({ new: 1, known: 0, fixed: 1, gone: 0, notSeen: 0, notJudged: 0 });
    expect(report.fixed).toMatchObject([{ path: 'a', severity: 'error' }]);
  });

  it('does not call fixed what was not judged', () => {
    const baseline = [entryOf(policyFinding({ path: 'a' })), entryOf(policyFinding({ namespace: 'crm.leads' }))];
    const report = comparedWithBaseline(
      reportOf([]),
      baseline,
      scopeOf((_, namespace) => namespace === 'shop.orders'),
    );
    expect(report.fixed?.map(({ namespace }) => namespace)).toEqual(['shop.orders']);
    expect(report.summary.baseline).toEqual({ new: 0, known: 0, fixed: 1, gone: 0, notSeen: 0, notJudged: 1 });
  });

  it('says nothing of suppressed findings, and does not call them fixed', () => {
    const suppressed = { by: 'a:1', reason: 'known', expires: null };
    const report = comparedWithBaseline(
      reportOf([policyFinding({ suppressed })]),
      [entryOf(policyFinding())],
      everythingJudged,
    );
    expect(report.findings[0]?.baseline).toBeUndefined();
    expect(report.summary.baseline).toEqual({ new: 0, known: 0, fixed: 0, gone: 0, notSeen: 0, notJudged: 0 });
  });

  it('compares each target with its own findings', () => {
    const report = { ...reportOf([policyFinding()]), target: 'staging' };
    const statusWith = (target?: string) =>
      comparedWithBaseline(report, [entryOf(policyFinding(), target)], everythingJudged).findings[0]?.baseline?.status;
    expect([statusWith('staging'), statusWith('production'), statusWith()]).toEqual(['known', 'new', 'new']);
  });

  it('takes the worse severity where a merge left a finding twice', () => {
    const twice = [entryOf(policyFinding({ severity: 'info' })), entryOf(policyFinding({ severity: 'error' }))];
    expect(statusOf([policyFinding()], twice)).toEqual(['known']);
    expect(statusOf([policyFinding()], twice.toReversed())).toEqual(['known']);
  });

  it('does not depend on any order', () => {
    const findings = ['a', 'b', 'c', 'd', 'e'].map((path) => policyFinding({ path }));
    const baseline = ['b', 'd', 'f', 'g'].map((path) => entryOf(policyFinding({ path })));
    fc.assert(
      fc.property(
        fc.shuffledSubarray(findings, { minLength: 5 }),
        fc.shuffledSubarray(baseline, { minLength: 4 }),
        (some, entries) => {
          const { summary } = comparedWithBaseline(reportOf(some), entries, everythingJudged);
          expect(summary.baseline).toEqual({ new: 3, known: 2, fixed: 2, gone: 0, notSeen: 0, notJudged: 0 });
        },
      ),
    );
  });
});

describe('updatedBaseline', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((path) => policyFinding({ path })) as [Finding, Finding, Finding];

  it('accepts what was found, and forgets what is fixed', () => {
    expect(pathsAfter([a, b], [entryOf(b), entryOf(c)])).toEqual(['a', 'b']);
  });

  it('keeps what could not be judged', () => {
    expect(
      pathsAfter(
        [a],
        [entryOf(c)],
        scopeOf(() => false),
      ),
    ).toEqual(['a', 'c']);
  });

  it('does not accept suppressed findings, which count again when the suppression ends', () => {
    const suppressed = { by: 'a:1', reason: 'known', expires: '2026-12-31' };
    expect(pathsAfter([a, { ...b, suppressed }], [])).toEqual(['a']);
  });

  it('takes over the severity of now', () => {
    const before = [entryOf({ ...a, severity: 'info' })];
    const after = updatedBaseline(before, [comparedWithBaseline(reportOf([a]), before, everythingJudged)]);
    expect(after).toMatchObject([entryOf(a)]);
  });

  it('keeps the findings of targets that were not linted', () => {
    const before = [entryOf(a, 'staging'), entryOf(b, 'production'), entryOf(c)];
    const staging = { ...reportOf([c]), target: 'staging' };
    const after = updatedBaseline(before, [comparedWithBaseline(staging, before, everythingJudged)]);
    expect(after).toMatchObject([entryOf(b, 'production'), entryOf(c), entryOf(c, 'staging')]);
  });

  it('makes every finding known', () => {
    const findings = [a, b, c];
    const after = updatedBaseline([], [comparedWithBaseline(reportOf(findings), [], everythingJudged)]);
    expect(statusOf(findings, after)).toEqual(['known', 'known', 'known']);
  });
});
