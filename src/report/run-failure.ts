import type { Skipped } from '../finding.js';
import { plural } from '../format.js';
import type { SkipReason } from '../presence.js';
import type { Report } from './report.js';
import { countOf, namespacesOf } from './skipped.js';

/** Why a run is no pass whatever it found. */
export type RunFailure = NonNullable<Report['failures']>[number];

export type FailureReason = RunFailure['reason'];

const FAULT_TEXTS: readonly (readonly [SkipReason, FailureReason, string])[] = [
  [
    'authentication',
    'rights-lost',
    'the server no longer accepts the user; check that it exists and its password, and run again.',
  ],
  ['connection', 'connection', 'the connection to the server was lost; run again when it is back.'],
  ['interrupted', 'interrupted', 'the run was interrupted; run again.'],
  [
    'server-load',
    'server-load',
    'the server answered several times slower than at the start, and the run stopped to spare it; run again at a quieter time.',
  ],
  [
    'max-time',
    'max-time',
    "the run's time (--max-time) is used up; give the run more time, or narrow it with --include.",
  ],
];

export function faultFailures(skipped: readonly Skipped[]): RunFailure[] {
  const reasons = new Set(skipped.map(({ reason }) => reason));
  const known = FAULT_TEXTS.filter(([fault]) => reasons.has(fault));
  return [...known.map(([, reason, detail]) => ({ reason, detail })), ...unforeseen(skipped)];
}

function unforeseen(skipped: readonly Skipped[]): RunFailure[] {
  const faults = skipped.filter(({ reason }) => reason === 'fault');
  const [first] = faults;
  if (first === undefined) return [];
  const { check, detail } = first;
  const [namespace] = namespacesOf(first);
  const count = faults.reduce((sum, entry) => sum + countOf(entry), 0);
  const where = namespace === undefined || detail.includes(namespace) ? '' : ` on ${namespace}`;
  const which = check === '*' ? '' : `${check}${where}: `;
  const several = count === 1 ? '' : `${plural(count, 'failure')}, such as `;
  return [{ reason: 'fault', detail: `${several}${which}${detail}` }];
}

/** Why the run is no pass; empty if it came to its end. Reports of earlier versions say so by their skipped entries alone. */
export function failuresOf({ failures, skipped }: Report): readonly RunFailure[] {
  return failures ?? faultFailures(skipped);
}

export function failureSentences(report: Report): string[] {
  const failures = failuresOf(report);
  const isNothing = failures.some(({ reason }) => reason === 'nothing-judged');
  return failures.map(({ detail }) => `${isNothing ? 'Not linted' : 'Not linted to the end'}: ${detail}`);
}
