import { describe, expect, it } from 'vitest';
import { comparedValues, reportDifferences } from '../../bench/report-differences.js';

const finding = (fingerprint: string, parts: object = {}) => ({
  fingerprint,
  check: 'unbounded-array',
  severity: 'warning',
  message: 'It has no visible bound.',
  evidence: { max: 992, window: 'all 400 documents' },
  remedy: { text: 'Cap it.', commands: [{ db: 'shop', command: { collMod: 'posts' } }] },
  ...parts,
});
const report = (...findings: object[]) => ({
  startedAt: '2026-11-22T09:00:00Z',
  findings,
  skipped: [{ check: 'x', namespace: 'a.b', reason: 'timeout', detail: 'It took too long.' }],
});

function differences(before: object, after: object): string[] {
  return [...reportDifferences(comparedValues(before), comparedValues(after))].map((each) => each.join(': '));
}

describe('two reports', () => {
  it.each<[string, object]>([
    [
      'in their wording',
      report(
        finding('f1', { message: 'No visible bound.', remedy: { ...finding('').remedy, text: 'Cap the array.' } }),
      ),
    ],
    ['in their times', { ...report(finding('f1')), startedAt: '2026-11-23T09:00:00Z' }],
  ])('that differ only %s are equal', (_, after) => {
    expect(differences(report(finding('f1')), after)).toEqual([]);
  });

  it('are equal if their findings come in another order', () => {
    expect(differences(report(finding('f1'), finding('f2')), report(finding('f2'), finding('f1')))).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a severity', { severity: 'info' }, 'findings/f1/severity: "warning" became "info"'],
    ['a figure', { evidence: { max: 993, window: '' } }, 'findings/f1/evidence/max: 992 became 993'],
    [
      'a command',
      { remedy: { text: '', commands: [{ db: 'shop', command: { collMod: 'books' } }] } },
      'findings/f1/remedy/commands/0/command/collMod: "posts" became "books"',
    ],
  ])('differ in %s', (_, parts, difference) => {
    expect(differences(report(finding('f1')), report(finding('f1', parts)))).toEqual([difference]);
  });

  it('differ if one lacks a finding, or a reason for what was skipped', () => {
    expect(differences(report(finding('f1')), report()).every((line) => line.endsWith(' became nothing'))).toBe(true);
    const after = { ...report(), skipped: [{ check: 'x', namespace: 'a.b', reason: 'fault', detail: '' }] };
    expect(differences(report(), after)).toContain('skipped/x a.b timeout/reason: "timeout" became nothing');
  });
});
