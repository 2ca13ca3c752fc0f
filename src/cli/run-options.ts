import type { ReadPreferenceMode } from 'mongodb';
import type { ExitPolicy } from '../policy/exit-code.js';
import type { ReportOutput } from './report-outputs.js';

/** The options of `mongolint [uri]`, by the names that commander gives them. */
export interface RunOptions extends ExitPolicy {
  readonly config?: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly format: readonly ReportOutput[];
  readonly sampleSize: number;
  readonly sampleBytes: number;
  readonly concurrency: number;
  readonly maxTime: number;
  readonly timeout: number;
  readonly readPreference?: ReadPreferenceMode;
  readonly deep: boolean;
  readonly showValues: boolean;
  /** Logs of mongod. */
  readonly log: readonly string[];
  readonly history?: string;
  readonly baseline?: string;
  readonly updateBaseline: boolean;
  readonly plugin: readonly string[];
  readonly notify?: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
}

/** The options as they were given on the command line, apart from the defaults of the others. */
export interface GivenOptions {
  readonly flags: Partial<RunOptions>;
  readonly defaults: Partial<RunOptions>;
}
