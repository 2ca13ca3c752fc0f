/**
 * Why something could not be judged.
 *
 * - `privilege`: the user lacks a privilege; the detail names it.
 * - `unsupported`: the server's version or tier lacks the feature.
 * - `timeout`: the time limit of a command, or of a phase, ended the work.
 * - `max-time`: the run's own time, `--max-time`, was used up; a fault.
 * - `server-load`: the server answered several times slower than at the start, and the run stopped to spare it; a fault.
 * - `authentication`: the server no longer accepts the user, as after dropUser or a change of its password; a fault.
 * - `bound`: a bound on documents, bytes or paths left a part out.
 * - `vanished`: the collection was dropped or renamed during the run.
 * - `malformed`: the data could not be read as BSON.
 * - `insufficient`: there is too little data, or it is too young, to judge by.
 * - `too-small`: at this size a fault that grows with the data can't be judged; expected sizes would help.
 * - `connection`: the server could no longer be reached; a fault.
 * - `fault`: the server or a check failed in a way that was not foreseen.
 */
export const SKIP_REASONS = [
  'privilege',
  'unsupported',
  'timeout',
  'max-time',
  'server-load',
  'authentication',
  'bound',
  'vanished',
  'malformed',
  'insufficient',
  'connection',
  'interrupted',
  'fault',
  'too-small',
] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

/** Evidence that could not be had, and why. `detail` is a sentence for people. */
export interface Absent {
  readonly present: false;
  readonly reason: SkipReason;
  readonly detail: string;
  /** The code of the server's error, if that is why. */
  readonly code?: number;
  /** What was thrown; for `--verbose` only, since it may quote document values. */
  readonly error?: unknown;
}

/** Evidence is present, or absent with a reason; there is no third state. */
export type Evidence<T> = { readonly present: true; readonly value: T } | Absent;

/** Wraps evidence that was collected. */
export function present<T>(value: T): Evidence<T> {
  return { present: true, value };
}

/** What follows from evidence; absent as that is. */
export function derived<T, Of>(evidence: Evidence<T>, from: (value: T) => Of): Evidence<Of> {
  return evidence.present ? present(from(evidence.value)) : evidence;
}

/** States why evidence is missing. `detail` is a sentence for people, without document values. */
export function absent(reason: SkipReason, detail: string, error?: unknown): Absent {
  return { present: false, reason, detail, ...(error !== undefined && { error }) };
}

const FAULTS: ReadonlySet<SkipReason> = new Set([
  'fault',
  'connection',
  'interrupted',
  'max-time',
  'server-load',
  'authentication',
]);

/** True of what was skipped because the run did not come to its end, or failed. */
export function isFault({ reason }: { readonly reason: SkipReason }): boolean {
  return FAULTS.has(reason);
}
