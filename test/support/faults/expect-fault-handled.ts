import { expect } from 'vitest';
import { EXIT_CODES } from '../../../src/policy/exit-code.js';
import { judgedIn } from '../../../src/policy/judged.js';
import { isFault } from '../../../src/presence.js';
import type { Report } from '../../../src/report/report.js';
import type { ProcessResult } from './linter-process.js';
import { SENTINEL } from './shop.js';

/** What a case expects beyond what holds for each. */
export interface ExpectedOutcome {
  readonly exit: readonly number[];
  /** Collections whose findings must be kept: the fault came after they were read, or elsewhere. */
  readonly keeps?: readonly string[];
  /** The collections that the run was asked for; all by default. */
  readonly within?: readonly string[];
  /** True if there must be a report on stdout. */
  readonly report?: boolean;
}

const STACK_FRAME = /^\s+at .+[:)]/m;
const BUG = /a bug in mongolint|\[object Object\]|undefined|NaN/;
/** One for what went wrong; and beside it, that a signal was received, or a second report could not be written either. */
const MOST_ERROR_LINES = 3;
const LONGEST_ERROR_LINE = 400;

/**
 * What holds of every run in which something went wrong:
 *
 * - it ended by itself, in time, with the exit code that the design says;
 * - stderr says in clear lines what went wrong, unless the report does, without a stack trace or a secret;
 * - each finding that the healthy run made is there, or an entry of `skipped` says that this was not judged;
 * - the findings that the fault could not touch are kept.
 *
 * Returns the report, if there is one.
 */
export function expectFaultHandled(result: ProcessResult, healthy: Report, expected: ExpectedOutcome): Report | null {
  const report = result.stdout === '' || result.wasKilled ? null : (JSON.parse(result.stdout) as Report);
  const problems = [
    ...problemsOfEnd(result, expected),
    ...problemsOfText(result),
    ...(report === null
      ? problemsWithoutReport(result, expected)
      : problemsOfReport(report, healthy, expected, result)),
  ];
  // With the run, so that a failure shows what happened.
  const { code, signal, elapsed, stderr } = result;
  const end = `exit ${code ?? signal} after ${Math.round(elapsed)} ms. ${stderr}`;
  expect(problems.map((problem) => `${problem} (${end})`)).toEqual([]);
  return report;
}

function problemsOfEnd({ code, wasKilled }: ProcessResult, { exit }: ExpectedOutcome): string[] {
  if (wasKilled) return ['It did not end in time.'];
  return exit.some((expected) => expected === code) ? [] : [`The exit code is not ${exit.join(' or ')}.`];
}

function problemsOfText({ stdout, stderr }: ProcessResult): string[] {
  const lines = stderr.split('\n').filter((line) => line !== '');
  return [
    ...((stdout + stderr).includes(SENTINEL) ? ['A secret or a document value is told.'] : []),
    ...(lines.length > MOST_ERROR_LINES ? [`Stderr has ${lines.length} lines.`] : []),
    ...(lines.some(({ length }) => length > LONGEST_ERROR_LINE) ? ['A line of stderr is too long.'] : []),
    ...(STACK_FRAME.test(stderr) ? ['Stderr has a stack trace.'] : []),
    ...(BUG.test(stderr) ? ['Stderr tells of a bug.'] : []),
  ];
}

function problemsWithoutReport({ code, stderr, wasKilled }: ProcessResult, { report }: ExpectedOutcome): string[] {
  if (wasKilled) return [];
  return [
    ...(report === true ? ['There is no report.'] : []),
    ...(code === EXIT_CODES.fault && stderr === '' ? ['Nothing says what went wrong.'] : []),
  ];
}

function problemsOfReport(
  report: Report,
  healthy: Report,
  { keeps = [], within }: ExpectedOutcome,
  { code, stderr }: ProcessResult,
): string[] {
  const fault = report.skipped.find(isFault);
  const missing = findingsMissing(healthy, report);
  const run = { report, include: [], exclude: [], isNarrowed: false };
  const wasJudged = judgedIn(run, { checks: (healthy.checks ?? []).map(({ check }) => check), settings: {} });
  return [
    ...(fault !== undefined && code !== EXIT_CODES.fault ? [`A fault was no fault: ${JSON.stringify(fault)}.`] : []),
    ...(code === EXIT_CODES.fault && report.skipped.length + stderr.length === 0 ? ['Nothing says why.'] : []),
    ...missing
      .filter(({ namespace }) => within === undefined || within.includes(namespace))
      .filter(({ check, namespace }) => wasJudged(check, namespace))
      .map((finding) => `Not judged, but looks clean: ${described(finding)}; skipped: ${reasonsOf(finding, report)}.`),
    ...missing
      .filter(({ check, namespace }) => keeps.includes(namespace) && !isWorkloadLost(check, report))
      .map((finding) => `Found, but not kept: ${described(finding)}; skipped: ${reasonsOf(finding, report)}.`),
  ];
}

/** Findings of the healthy run that this one has not. */
function findingsMissing(healthy: Report, report: Report): Report['findings'] {
  const found = new Set(report.findings.map(({ fingerprint }) => fingerprint));
  return healthy.findings.filter(({ fingerprint }) => !found.has(fingerprint));
}

/**
 * True if the report says that the workload could not be read for this check: it is read on the connections that the fault
 * breaks, and a reply that never comes, or a cleared pool, ends it.
 */
function isWorkloadLost(check: string, { skipped }: Report): boolean {
  return skipped.some(
    (entry) =>
      entry.check === check &&
      entry.namespace === undefined &&
      ['connection', 'timeout'].includes(entry.reason) &&
      entry.detail.includes('the profiler of'),
  );
}

/** Why it may be missing, for a failed test. */
function reasonsOf({ check }: Report['findings'][number], { skipped }: Report): string {
  const entries = skipped.filter((entry) => entry.check === check || entry.check === '*');
  return entries.map(({ reason, detail, namespace = '' }) => `${namespace} ${reason} ${detail}`).join('; ');
}

function described({ check, namespace, path }: Report['findings'][number]): string {
  return `${check} on ${namespace}${path === null ? '' : `, ${path}`}`;
}
