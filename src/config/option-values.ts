import { SEVERITIES } from '../severity.js';

/** Read preference modes, as the driver knows them. */
export const READ_PREFERENCES = ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'] as const;

/** What `failOn` takes. */
export const FAIL_ON = [...SEVERITIES, 'never'] as const;

/** The keys of the configuration that are set like the flags of their name, `maxTime` and `--max-time`, and may differ by target. */
export const LINT_OPTION_KEYS = [
  'include',
  'exclude',
  'sampleSize',
  'sampleBytes',
  'concurrency',
  'maxTime',
  'timeout',
  'readPreference',
  'deep',
  'showValues',
  'history',
  'log',
] as const;

/** The keys that are set like the flags of their name, and hold for the whole run. */
export const POLICY_OPTION_KEYS = ['failOn', 'maxWarnings', 'strict'] as const;
