import type { Policy } from '../policy/apply-policy.js';
import type { BegunRun, JudgedPart } from '../report/unfinished-report.js';
import type { Report } from '../report/report.js';
import type { Drawing, ReportOutput } from './report-outputs.js';
import type { OutputName, OutputShape } from './thread-output.js';

/** What the thread of a run is given. */
export interface RunStart {
  readonly argv: readonly string[];
  readonly outputs: Readonly<Record<OutputName, OutputShape>>;
}

export const NO_ALIAS = 'target';

export interface HandedSettings {
  readonly outputs: readonly ReportOutput[];
  readonly aliases: readonly string[];
  readonly drawing: Drawing;
  readonly policy: Policy;
}

export interface HandedTarget {
  readonly alias?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly isNarrowed: boolean;
  readonly maxTime: number;
}

/**
 * What a run tells its supervisor, in this order for each target, so that it can report what was found if the run can't. `of`
 * is the target's place among those of the run.
 */
export type Handover =
  | { readonly kind: 'settings'; readonly settings: HandedSettings }
  | { readonly kind: 'target'; readonly of: number; readonly target: HandedTarget }
  | { readonly kind: 'begun'; readonly of: number; readonly run: BegunRun }
  | { readonly kind: 'judged'; readonly of: number; readonly part: JudgedPart }
  | { readonly kind: 'finished'; readonly of: number; readonly report: Report | null }
  /** From here on, the run writes its reports itself. */
  | { readonly kind: 'writing' }
  /** Text for an output of the process. */
  | { readonly kind: 'written'; readonly to: OutputName; readonly text: string }
  | { readonly kind: 'ended'; readonly exitCode: number };

export type Order =
  | { readonly kind: 'interrupt' }
  /** The terminal has another width. */
  | { readonly kind: 'resize'; readonly columns: Readonly<Record<OutputName, number | undefined>> };
