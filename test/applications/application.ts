import type { Severity } from '../../src/finding.js';

/** What somebody who runs the application at this size makes of a finding. */
export type Verdict =
  /** Would act on it, or wants to know it. */
  | 'useful'
  /** Is true, but not worth reading here. */
  | 'noise'
  /** Is not true, or its advice would do harm. */
  | 'wrong';

/** A finding that was read and judged. */
export interface LabelledFinding {
  readonly check: string;
  /** Null if the finding is about the database. */
  readonly collection: string | null;
  readonly path: string | null;
  readonly severity: Severity;
  readonly verdict: Verdict;
  readonly why: string;
}

/** An application that people run, driven as its documentation shows. */
export interface Application {
  /** Also the name of its program in `programs/`, and of its database. */
  readonly name: string;
  readonly kind: string;
  /** Exact versions, by package. */
  readonly packages: Readonly<Record<string, string>>;
  /** What an expert who knows its schema expects of a linter at this size, written before the first run. */
  readonly expectedBefore: {
    readonly useful: readonly string[];
    readonly noise: readonly string[];
  };
  /** Every finding of a run with default settings, read and judged. */
  readonly findings: readonly LabelledFinding[];
  /** What was expected and is not found, with the reason. */
  readonly missed: readonly string[];
}
