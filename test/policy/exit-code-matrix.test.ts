import { describe, expect, it } from 'vitest';
import type { Severity, Skipped } from '../../src/finding.js';
import { applyPolicy } from '../../src/policy/apply-policy.js';
import { EXIT_CODES, exitCode, type ExitPolicy } from '../../src/policy/exit-code.js';
import type { TargetRun } from '../../src/policy/judged.js';
import type { RunFailure } from '../../src/report/run-failure.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

/** One run in words: what is found, how it is judged, and what goes wrong around it. */
interface Case {
  readonly failOn: Exclude<ExitPolicy['failOn'], 'drift'>;
  readonly found: Severity | 'nothing';
  readonly baseline: 'none' | 'empty' | 'holds it' | 'holds it as info';
  readonly suppression: 'none' | 'holds' | 'expired';
  readonly skipped: boolean;
  readonly strict: boolean;
  readonly maxWarnings: number | null;
  readonly targets: 1 | 2;
  readonly fault: 'none' | 'a report fails' | 'a target is unreachable';
  /** Why a run of a target is no pass, though it has a report. */
  readonly failure: 'none' | RunFailure['reason'];
}

const VALUES: { readonly [Name in keyof Case]: readonly Case[Name][] } = {
  failOn: ['error', 'warning', 'info', 'never'],
  found: ['nothing', 'error', 'warning', 'info'],
  baseline: ['none', 'empty', 'holds it', 'holds it as info'],
  suppression: ['none', 'holds', 'expired'],
  skipped: [false, true],
  strict: [false, true],
  maxWarnings: [null, 0, 1],
  targets: [1, 2],
  fault: ['none', 'a report fails', 'a target is unreachable'],
  failure: ['none', 'nothing-judged', 'documents-missing', 'rights-lost', 'max-time'],
};

function everyCase(): Case[] {
  let cases: Partial<Case>[] = [{}];
  for (const [name, values] of Object.entries(VALUES)) {
    cases = cases.flatMap((one) =>
      (values as readonly unknown[]).map((value) => Object.assign({ [name]: value }, one)),
    );
  }
  return cases as Case[];
}

function exitCodeOf({
  failOn,
  found,
  baseline,
  suppression,
  skipped,
  strict,
  maxWarnings,
  targets,
  fault,
  failure,
}: Case): number {
  const entry: Skipped = { check: 'deep-nesting', namespace: 'shop.orders', reason: 'privilege', detail: 'no.' };
  const runOf = (target: string): TargetRun => {
    const findings = found === 'nothing' ? [] : [policyFinding({ severity: found })];
    const run = policyRun(['shop.orders'], { findings, skipped: skipped ? [entry] : [] });
    const failures = failure === 'none' ? [] : [{ reason: failure, detail: 'why.' }];
    return { ...run, report: { ...run.report, target, failures } };
  };
  const runs = ['one', 'two'].slice(0, targets).map(runOf);
  const known = ['one', 'two'].map((target) => {
    const { check, severity, namespace, path, fingerprint } = policyFinding(
      baseline === 'holds it as info' || found === 'nothing' ? { severity: 'info' } : { severity: found },
    );
    return { target, check, severity, namespace, path, fingerprint };
  });
  const reports = applyPolicy(runs, {
    checks: ['unbounded-array', 'deep-nesting'],
    settings: {},
    suppressions:
      suppression === 'none'
        ? []
        : [
            {
              check: 'unbounded-array',
              reason: 'known',
              by: 'a:1',
              expires: suppression === 'holds' ? '2026-06-15' : '2026-06-14',
            },
          ],
    baseline: baseline === 'none' ? null : baseline === 'empty' ? [] : known,
    today: '2026-06-15',
  });
  return exitCode(
    {
      findings: reports.flatMap(({ findings }) => findings),
      skipped: reports.flatMap((report) => report.skipped),
      failures: reports.flatMap(({ failures }) => failures ?? []),
      faults: fault === 'none' ? [] : [fault],
    },
    { failOn, maxWarnings, strict },
  );
}

/** What the documentation says, as a list of who fails, apart from the code that decides. */
function documented({
  failOn,
  found,
  baseline,
  suppression,
  skipped,
  strict,
  maxWarnings,
  targets,
  fault,
  failure,
}: Case): number {
  if (fault !== 'none' || failure !== 'none') return EXIT_CODES.fault;
  const accepted =
    suppression === 'holds' || baseline === 'holds it' || (baseline === 'holds it as info' && found === 'info');
  const failing: Record<Case['failOn'], readonly string[]> = {
    error: ['error'],
    warning: ['error', 'warning'],
    info: ['error', 'warning', 'info'],
    never: [],
  };
  if (!accepted && failing[failOn].includes(found)) return EXIT_CODES.findings;
  if (!accepted && found === 'warning' && maxWarnings !== null && targets > maxWarnings) return EXIT_CODES.findings;
  return strict && skipped ? EXIT_CODES.notJudged : EXIT_CODES.clean;
}

describe('the exit code on every path', () => {
  // Of those that a fault or failure decides, one in 13: no field has as many values, so that each meets each.
  const cases = everyCase().filter(
    ({ fault, failure }, index) => (fault === 'none' && failure === 'none') || index % 13 === 0,
  );

  it('is the documented one in each combination', () => {
    expect(cases.filter(({ fault, failure }) => fault === 'none' && failure === 'none')).toHaveLength(4_608);
    expect(cases.length).toBeGreaterThan(8_000);
    const wrong = cases.filter((one) => exitCodeOf(one) !== documented(one));
    expect(wrong).toEqual([]);
  });

  const usual: Case = {
    failOn: 'error',
    found: 'error',
    baseline: 'none',
    suppression: 'none',
    skipped: false,
    strict: false,
    maxWarnings: null,
    targets: 1,
    fault: 'none',
    failure: 'none',
  };

  it.each<[string, Partial<Case>, number]>([
    ['an error', {}, 1],
    ['nothing', { found: 'nothing' }, 0],
    ['a known error', { baseline: 'holds it' }, 0],
    ['an error that was an info', { baseline: 'holds it as info' }, 1],
    ['a new error beside a baseline', { baseline: 'empty' }, 1],
    ['a suppressed error', { suppression: 'holds' }, 0],
    ['an error whose suppression has expired', { suppression: 'expired' }, 1],
    ['a known error whose suppression has expired', { suppression: 'expired', baseline: 'holds it' }, 0],
    [
      'a suppressed error, and something not judged, strictly',
      { suppression: 'holds', skipped: true, strict: true },
      3,
    ],
    ['an error, and something not judged, strictly', { skipped: true, strict: true }, 1],
    ['a warning in each of two targets, where one is allowed', { found: 'warning', maxWarnings: 1, targets: 2 }, 1],
    ['a warning in one target, where one is allowed', { found: 'warning', maxWarnings: 1 }, 0],
    ['known warnings, where none is allowed', { found: 'warning', maxWarnings: 0, baseline: 'holds it' }, 0],
    ['nothing, but a report that fails', { found: 'nothing', fault: 'a report fails' }, 2],
    [
      'nothing, but a target that is unreachable',
      { found: 'nothing', targets: 2, fault: 'a target is unreachable' },
      2,
    ],
    ['nothing, but nothing could be judged', { found: 'nothing', failure: 'nothing-judged' }, 2],
    ['an error that is accepted, but rights were lost', { baseline: 'holds it', failure: 'rights-lost' }, 2],
    ['an error, but the time was over', { failure: 'max-time' }, 2],
    ['never fails, but the time was over', { failOn: 'never', failure: 'max-time' }, 2],
    ['never fails, but for a fault', { failOn: 'never', fault: 'a report fails' }, 2],
  ])('%s', (_, changes, expected) => {
    expect(exitCodeOf({ ...usual, ...changes })).toBe(expected);
    expect(documented({ ...usual, ...changes })).toBe(expected);
  });

  it('lets no finding fail that was just accepted into the baseline, but faults do', () => {
    const findings = [policyFinding()];
    const policy: ExitPolicy = { failOn: 'info', maxWarnings: 0, strict: true, acceptFindings: true };
    expect(exitCode({ findings, skipped: [] }, policy)).toBe(0);
    expect(exitCode({ findings, skipped: [], faults: ['the baseline can not be written'] }, policy)).toBe(2);
    expect(exitCode({ findings, skipped: [{ check: '*', reason: 'connection', detail: 'lost.' }] }, policy)).toBe(2);
    expect(exitCode({ findings, skipped: [{ check: '*', reason: 'timeout', detail: 'late.' }] }, policy)).toBe(3);
  });
});
