import type { SeveritySetting } from '../findings/selected-checks.js';
import type { OptionValues } from '../lint/lint-options.js';
import type { RunPart } from '../report/run-part.js';
import type { ReportOutput } from './report-outputs.js';

/** The options of a run, with their formats, severities and part parsed. */
export type RunOptions = Omit<OptionValues, 'format' | 'severity' | 'shard'> & {
  readonly format: readonly ReportOutput[];
  readonly severity: readonly SeveritySetting[];
  readonly shard?: RunPart;
};
