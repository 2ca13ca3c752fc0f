import { describe, expect, it } from 'vitest';
import type { Difference, NotCompared } from '../../src/drift/drift.js';
import type { Finding, Severity, Skipped } from '../../src/finding.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { exitCode, type ExitPolicy } from '../../src/policy/exit-code.js';

const finding = (severity: Severity, suppressed = false): Finding => ({
  check: 'unbounded-array',
  severity,
  confidence: 'high',
  namespace: 'shop.orders',
  path: 'items',
  title: 'Unbounded array',
  message: 'It grows.',
  evidence: { source: 'sample', window: '10 of 10 documents' },
  remedy: reportedRemedy({ steps: [{ text: 'Cap it.' }] }),
  docs: 'checks/unbounded-array.md',
  fingerprint: '0000000000000000',
  ...(suppressed && { suppressed: { by: 'config', reason: 'known', expires: null } }),
});
const skipped = (reason: Skipped['reason']): Skipped => ({ check: '*', reason, detail: 'a detail' });
const policy: ExitPolicy = { failOn: 'error', maxWarnings: null, strict: false };

describe('exitCode', () => {
  it.each<[string, Finding[], Skipped[], Partial<ExitPolicy>, number]>([
    ['nothing found', [], [], {}, 0],
    ['an error', [finding('error')], [], {}, 1],
    ['a warning below the threshold', [finding('warning')], [], {}, 0],
    ['a warning at the threshold', [finding('warning')], [], { failOn: 'warning' }, 1],
    ['an error above the threshold', [finding('error')], [], { failOn: 'info' }, 1],
    ['an info at the threshold', [finding('info')], [], { failOn: 'info' }, 1],
    ['an error that never fails', [finding('error')], [], { failOn: 'never' }, 0],
    ['a suppressed error', [finding('error', true)], [], { failOn: 'info' }, 0],
    ['as many warnings as allowed', [finding('warning')], [], { maxWarnings: 1 }, 0],
    ['more warnings than allowed', [finding('warning'), finding('warning')], [], { maxWarnings: 1 }, 1],
    [
      'more warnings than allowed, failing on nothing else',
      [finding('warning')],
      [],
      { maxWarnings: 0, failOn: 'never' },
      1,
    ],
    ['suppressed warnings do not count', [finding('warning', true)], [], { maxWarnings: 0 }, 0],
    ['something skipped', [], [skipped('privilege')], {}, 0],
    ['something skipped, strict', [], [skipped('privilege')], { strict: true }, 3],
    ['something too small, strict', [], [skipped('too-small')], { strict: true }, 0],
    ['findings come before what was skipped', [finding('error')], [skipped('privilege')], { strict: true }, 1],
    ['a lost connection is never a pass', [], [skipped('connection')], { failOn: 'never' }, 2],
    ['a fault comes before findings', [finding('error')], [skipped('fault')], {}, 2],
    ['strict and nothing skipped', [finding('warning')], [], { strict: true }, 0],
  ])('%s', (_, findings, skippedEntries, changes, expected) => {
    expect(exitCode({ findings, skipped: skippedEntries }, { ...policy, ...changes })).toBe(expected);
  });

  const declared = { subject: 'index', declared: true } as Difference;
  const ofData = { subject: 'size', declared: false } as Difference;
  const unread = { subject: 'index', reason: 'privilege' } as NotCompared;
  const notKept = { subject: 'index', reason: 'not-kept' } as NotCompared;

  it.each<[string, readonly Difference[], readonly NotCompared[], Partial<ExitPolicy>, number]>([
    ['drift that is not asked for', [declared], [], {}, 0],
    ['drift of what is declared', [declared, ofData], [], { failOn: 'drift' }, 1],
    ['drift of data', [ofData], [], { failOn: 'drift' }, 0],
    ['an unread side', [], [unread], { failOn: 'drift' }, 0],
    ['an unread side, strict', [], [unread], { failOn: 'drift', strict: true }, 3],
    ['values that files do not hold, strict', [], [notKept], { failOn: 'drift', strict: true }, 0],
  ])('%s', (_, differences, notCompared, changes, expected) => {
    const drift = { old: 'a', new: 'b', compared: 1, differences: [...differences], notCompared: [...notCompared] };
    expect(exitCode({ findings: [], skipped: [], drift }, { ...policy, ...changes })).toBe(expected);
  });

  it('does not fail on findings where drift is asked for', () => {
    expect(exitCode({ findings: [finding('error')], skipped: [] }, { ...policy, failOn: 'drift' })).toBe(0);
  });
});
