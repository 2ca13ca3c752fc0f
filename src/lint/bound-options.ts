import { type OptionSpec, COLLECTS, JUDGES, READS_CLUSTER } from './option.js';

/** How much is read, by how many at once, and for how long. */
export const BOUND_OPTIONS = {
  sampleSize: {
    type: 'number',
    unit: 'documents',
    minimum: 1,
    meaning: 'documents sampled per collection',
    default: 1_000,
    inConfig: 'target',
    commands: READS_CLUSTER,
  },
  sampleBytes: {
    type: 'number',
    unit: 'bytes',
    minimum: 1,
    meaning: 'bytes sampled per collection',
    // Four documents near the 16 MB limit, or 1,000 of 64 KB.
    default: 64 * 1024 * 1024,
    inConfig: 'target',
    commands: READS_CLUSTER,
  },
  concurrency: {
    type: 'number',
    unit: 'collections',
    minimum: 1,
    meaning: 'collections read at once',
    default: 4,
    inConfig: 'target',
    commands: READS_CLUSTER,
  },
  targetConcurrency: {
    type: 'number',
    unit: 'targets',
    minimum: 1,
    meaning: 'targets of the configuration that are linted at once',
    default: 4,
    inConfig: 'run',
    commands: COLLECTS,
  },
  shard: {
    type: 'part',
    meaning: 'lint part I of N, such as "2/8": of the targets, or of the collections if there is one target',
    commands: COLLECTS,
  },
  maxTime: {
    type: 'number',
    unit: 'ms',
    minimum: 1,
    meaning: 'longest time for each cluster',
    default: 10 * 60 * 1_000,
    inConfig: 'target',
    commands: [...READS_CLUSTER, ...JUDGES],
  },
  timeout: {
    type: 'number',
    unit: 'ms',
    minimum: 1,
    meaning: 'longest wait for a connection and for any one command',
    default: 15_000,
    inConfig: 'target',
    commands: READS_CLUSTER,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
