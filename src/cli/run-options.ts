import type { OptionValues } from '../lint/lint-options.js';
import type { ReportOutput } from './report-outputs.js';

/** The options of a run, with their formats parsed. */
export type RunOptions = Omit<OptionValues, 'format'> & { readonly format: readonly ReportOutput[] };
