import type { Policy } from '../policy/apply-policy.js';
import type { Report } from '../report/report.js';
import type { BegunRun, JudgedPart } from '../report/unfinished-report.js';
import type { Drawing, ReportOutput } from './report-outputs.js';

/** Holds the id of the process that watches. */
export const SUPERVISED_BY = 'MONGOLINT_SUPERVISED_BY';

/** The number of the pipe through which a command tells the process that watches it what it does. */
export const NEWS_PIPE = 3;

/** Begins a line that is for the process that watches; others it only keeps. */
export const FOR_SUPERVISOR = '!';

export interface NotedSettings {
  readonly outputs: readonly ReportOutput[];
  readonly aliases: readonly string[];
  readonly drawing: Drawing;
  readonly policy: Policy;
}

interface NotedTarget {
  readonly alias?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly isNarrowed: boolean;
  readonly maxTime: number;
}

/**
 * What a run has done, in this order for each target, so that what it found is reported even if it can't do so. `of` is the
 * target's place among those of the run; of `writing`, the output's.
 */
export type RunNote =
  | { readonly kind: 'settings'; readonly settings: NotedSettings }
  | { readonly kind: 'target'; readonly of: number; readonly target: NotedTarget }
  | { readonly kind: 'begun'; readonly of: number; readonly run: BegunRun }
  | { readonly kind: 'judged'; readonly of: number; readonly part: JudgedPart }
  | { readonly kind: 'finished'; readonly of: number; readonly report: Report | null }
  | { readonly kind: 'writing'; readonly of: number }
  | { readonly kind: 'reported' };

/** When something must be done, in ms from now; null once it is. `why` it was not, in half a sentence about the command. */
export interface TimeLimit {
  readonly kind: 'limit';
  readonly of: string;
  readonly milliseconds: number | null;
  readonly why: string;
}

/** What the process that watches acts on. */
export type SupervisorNews =
  | TimeLimit
  /** Why it ends without a report, in half a sentence. */
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'ended'; readonly exitCode: number };

/** How a command ended: by itself, at once because somebody asked for that, or why not. */
export type Outcome =
  | { readonly kind: 'ended' | 'stopped'; readonly exitCode: number }
  | { readonly kind: 'broken'; readonly why: string };

export const PRINTING: ReadonlySet<string> = new Set([
  '--version',
  '-V',
  '--help',
  '-h',
  'help',
  'checks',
  'explain',
  'role',
  'init',
]);

/** True for command lines that print what mongolint knows by itself: watching them would take longer than they do. */
export function printsOnly(argv: readonly string[]): boolean {
  return PRINTING.has(argv[0] ?? '') || ['--help', '-h'].includes(argv.at(-1) ?? '');
}
