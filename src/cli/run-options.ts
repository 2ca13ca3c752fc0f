import type { OptionValues } from '../lint/lint-options.js';
import type { ReportOutput } from './report-outputs.js';

/** The options of `mongolint [uri]`, as they are read. */
export type RunOptions = Omit<OptionValues, 'format'> & { readonly format: readonly ReportOutput[] };
