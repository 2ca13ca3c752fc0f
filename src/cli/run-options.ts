import type { SeveritySetting } from '../findings/selected-checks.js';
import type { OptionValues } from '../lint/lint-options.js';
import type { ReportOutput } from './report-outputs.js';

/** The options of a run, with their formats and severities parsed. */
export type RunOptions = Omit<OptionValues, 'format' | 'severity'> & {
  readonly format: readonly ReportOutput[];
  readonly severity: readonly SeveritySetting[];
};
