import { createHash } from 'node:crypto';
import type { Skipped } from '../finding.js';
import { plural } from '../format.js';
import type { SkipReason } from '../presence.js';
import type { Report } from './report.js';
import { countOf, namespacesOf } from './skipped.js';

/** One of several runs that share the work: part 2 of 8. */
export interface RunPart {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

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

/** More jobs than anybody starts at once; the cost of sharing out grows with it. */
const MOST_PARTS = 1_000;

const DIGITS = 12;

/** Reads "2/8". Null if it is nothing of the kind. */
export function runPart(text: string): RunPart | null {
  const [, number = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  return number >= 1 && number <= of && of <= MOST_PARTS ? { number, of } : null;
}

export function partText({ number, of }: RunPart): string {
  return `part ${number} of ${of}`;
}

/**
 * The names that a part is for. Parts differ by one name at most. Every run that knows the same names shares them out alike,
 * in whatever order it has them, and one name more or less moves few others.
 */
export function namesOfPart(names: readonly string[], part: RunPart): ReadonlySet<string> {
  const parts = Array.from({ length: part.of }, (_, index) => ({
    number: index + 1,
    room: Math.floor(names.length / part.of) + (index < names.length % part.of ? 1 : 0),
  }));
  const own = new Set<string>();
  for (const name of inOrderOf(names, (each) => hashOf(each))) {
    // Rendezvous hashing: each name has an order of the parts of its own, and takes the first that has room.
    const taken = inOrderOf(
      parts.filter(({ room }) => room > 0),
      ({ number }) => hashOf(`${number}/${name}`),
    )[0];
    if (taken === undefined) throw new Error('The parts have no room left.');
    taken.room -= 1;
    if (taken.number === part.number) own.add(name);
  }
  return own;
}

/**
 * True if a name belongs to the part whatever other names there are: runs that list a little earlier or later leave none out
 * and take none twice. Parts are as even as chance makes them.
 */
export function isInPart(name: string, { number, of }: RunPart): boolean {
  return hashOf(name) % of === number - 1;
}

function hashOf(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, DIGITS), 16);
}

function inOrderOf<Item>(items: readonly Item[], rank: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
