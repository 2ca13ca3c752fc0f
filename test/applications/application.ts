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

/** What the sources or the issues of an application say of its schema, written down before the first run. */
interface Label {
  readonly what: string;
  /** The file and function, or the issue, that says so. */
  readonly source: string;
  /** The checks that a report about it may come from. */
  readonly checks: readonly string[];
  readonly collection: string;
  /** What the path of a finding about it contains. Every path if left out. */
  readonly path?: string;
}

/** A fault, with the severity that an expert gives it at this size. */
export interface KnownFault extends Label {
  readonly severity: Severity;
}

/** A design that is right as it is: none of the checks may report it. */
export type SoundDesign = Label;

/** An application that people run, driven as its documentation shows. */
export interface Application {
  /** Also the name of its program in `programs/`, and of its database. */
  readonly name: string;
  readonly kind: string;
  /** Exact versions, by package. */
  readonly packages: Readonly<Record<string, string>>;
  /** What an expert who knows its schema expects of a linter at this size, written before the first run. */
  readonly expectedBefore: {
    readonly useful: readonly (string | KnownFault)[];
    readonly noise: readonly (string | SoundDesign)[];
  };
  /** Every finding of a run with default settings, read and judged. */
  readonly findings: readonly LabelledFinding[];
  /** What was expected and is not found, with the reason. */
  readonly missed: readonly string[];
}
