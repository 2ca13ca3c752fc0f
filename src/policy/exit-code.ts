import type { Drift, NotCompared } from '../drift/drift.js';
import type { Finding, Skipped } from '../finding.js';
import { failingSeverities, type FailOn } from '../finding/severity.js';
import { isFault } from '../presence.js';
import type { RunFailure } from '../report/run-failure.js';

/** What the process tells its caller. */
export const EXIT_CODES = {
  /** Linted; nothing at or above the threshold. */
  clean: 0,
  /** Linted; findings at or above the threshold, or more warnings than allowed. */
  findings: 1,
  /** Could not lint, or not to the end: usage, config, connection, authentication, fault, `--max-time`, or nothing could be judged. */
  fault: 2,
  /** With `--strict`: linted, but something enabled could not be judged. */
  notJudged: 3,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

export interface ExitPolicy {
  /** `drift`: schema differences fail, and findings do not. */
  readonly failOn: FailOn;
  /** More fail. Null for no limit. */
  readonly maxWarnings: number | null;
  /** Fail too if something enabled could not be judged, other than by a collection being too small to tell. */
  readonly strict: boolean;
  /** True if the findings were just written to the baseline: none fails. */
  readonly acceptFindings?: boolean;
}

export interface RunOutcome {
  readonly findings: readonly Pick<Finding, 'severity' | 'suppressed' | 'baseline'>[];
  readonly skipped: readonly Skipped[];
  /** Why a run is no pass, whatever it found. */
  readonly failures?: readonly RunFailure[] | undefined;
  /** What went wrong around the linting: a target that could not be linted, a report that could not be written. */
  readonly faults?: readonly string[];
  /** What differs between two runs that were compared. */
  readonly drift?: Drift | undefined;
}

/**
 * Decides the exit code, here and nowhere else. A fault comes first: a run that is incomplete must not look like a pass.
 * Findings that are suppressed, or known to the baseline, never fail.
 */
export function exitCode(
  { findings, skipped, failures = [], faults = [], drift }: RunOutcome,
  policy: ExitPolicy,
): ExitCode {
  if (faults.length > 0 || failures.length > 0) return EXIT_CODES.fault;
  if (skipped.some(isFault)) return EXIT_CODES.fault;
  const counting = policy.acceptFindings === true ? [] : findings.filter(counts);
  const warnings = counting.filter(({ severity }) => severity === 'warning').length;
  const failing = failingSeverities(policy.failOn, policy.maxWarnings, warnings);
  if (counting.some(({ severity }) => failing.has(severity))) return EXIT_CODES.findings;
  if (policy.failOn === 'drift' && drift?.differences.some(({ declared }) => declared)) return EXIT_CODES.findings;
  if (policy.strict && (skipped.some(isGap) || drift?.notCompared.some(isUnread))) return EXIT_CODES.notJudged;
  return EXIT_CODES.clean;
}

/** What several runs exit with as one: what is incomplete comes before what was found, and that before gaps. */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  const { fault, findings, notJudged, clean } = EXIT_CODES;
  return [fault, findings, notJudged].find((code) => codes.includes(code)) ?? clean;
}

/** What is too small was looked at; only another size would tell more. */
function isGap({ reason }: Skipped): boolean {
  return reason !== 'too-small';
}

/** What files do not hold, or nobody asked for, would be missing from any other run too. */
function isUnread({ reason }: NotCompared): boolean {
  return reason !== 'not-kept' && reason !== 'not-asked';
}

function counts({ suppressed, baseline }: RunOutcome['findings'][number]): boolean {
  return suppressed === undefined && baseline?.status !== 'known';
}
