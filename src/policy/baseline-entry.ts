import type { z } from 'zod';
import type { acceptanceSchema, FixedFinding } from '../finding.js';
import type { LookFor } from '../look-for.js';
import type { Severity } from '../severity.js';

/** The sample in which a finding was seen. */
export interface SampleOfFinding {
  readonly documents: number;
  /** Documents of the collection; null if that was not known. */
  readonly of: number | null;
  /** How they were chosen, as in the report. */
  readonly method: string;
  /** How many of the sampled documents showed it, if each of them does so by itself. */
  readonly showing?: number | undefined;
}

/** The record of operations in which a finding was seen. */
export interface RecordOfFinding {
  /** As in the evidence: "profiler". */
  readonly source: string;
  /** Time between its first and last operation, in ms. */
  readonly duration: number;
}

export type Acceptance = z.infer<typeof acceptanceSchema>;

/** A finding that is known and accepted. */
export interface BaselineEntry extends FixedFinding {
  /** Alias of the target that it was found in; absent if the run had no named targets. */
  readonly target?: string | undefined;
  /** Absent if it rests on no sample. */
  readonly sample?: SampleOfFinding | undefined;
  /** Absent if it rests on no recorded operations. */
  readonly record?: RecordOfFinding | undefined;
  /** See the finding: how severe it may be within the error of its sample. */
  readonly severityIfSure?: Severity | undefined;
  /** What shows it by itself. Absent if it can't be searched for. */
  readonly lookFor?: LookFor | undefined;
  /** Who accepted it, why, and until when; absent if `--update-baseline` did. */
  readonly accepted?: Acceptance | undefined;
}
