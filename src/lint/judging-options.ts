import { RELEASES } from '../connect/server-version.js';
import { COLLECTS, JUDGES, type OptionSpec, READS_CLUSTER } from './option.js';

/** The part of the table of options that says where a run keeps what the next one needs, and whom it sends its news to. */
export const KEEPING_OPTIONS = {
  state: {
    type: 'url',
    meaning:
      'connection string with a database: keeps baseline, history, last reports and unsent messages there, not in files',
    inConfig: 'run',
    variable: 'MONGOLINT_STATE',
    isSecret: true,
    commands: ['accept', 'explain'],
  },
  stateOnLinted: {
    type: 'switch',
    meaning: 'allow --state on a deployment that is linted',
    default: false,
    inConfig: 'run',
  },
  notify: {
    type: 'url',
    meaning: 'webhook that gets what is new, fixed or failed',
    inConfig: 'run',
    variable: 'MONGOLINT_NOTIFY',
    isSecret: true,
    commands: JUDGES,
  },
  notifyFormat: {
    type: 'choice',
    noun: 'format',
    meaning: 'what the webhook takes',
    choices: ['slack', 'teams', 'json'],
    defaultMeaning: 'as its address says, or else json',
    inConfig: 'run',
    commands: JUDGES,
  },
  notifyWhen: {
    type: 'choice',
    noun: 'when',
    meaning: 'when the webhook gets a message; always: also one line if nothing changed',
    choices: ['news', 'always'],
    default: 'news',
    inConfig: 'run',
    commands: JUDGES,
  },
  otlp: {
    type: 'url',
    meaning:
      'address of an OpenTelemetry collector that gets the metrics of the run, such as http://localhost:4318/v1/metrics',
    inConfig: 'run',
    variable: 'MONGOLINT_OTLP',
    commands: JUDGES,
  },
  reportUrl: {
    type: 'url',
    meaning: 'link to the report in messages of the webhook',
    defaultMeaning: 'the page of the job on GitHub or GitLab',
    inConfig: 'run',
    variable: 'MONGOLINT_REPORT_URL',
    commands: JUDGES,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

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

/** The release of an upgrade, whose changes are judged too. */
export const UPGRADE = {
  type: 'choice',
  choices: RELEASES,
  noun: 'RELEASE',
  meaning: 'also judge an upgrade: recorded operations that fail or return other documents in that release',
  inConfig: 'target',
  commands: JUDGES,
} as const satisfies OptionSpec;

/** The part of the table of options that says what evidence is judged by. */
export const JUDGING_OPTIONS = {
  production: {
    type: 'file',
    meaning: 'evidence file of production: judge the schema here at its sizes and by its operations',
    inConfig: 'target',
    commands: JUDGES,
  },
  map: {
    type: 'mapping',
    meaning:
      'name of a database here and in production, "shop_test=shop"; for compare, in the older and the newer file',
    default: [],
    isRepeatable: true,
    inConfig: 'target',
    commands: [...JUDGES, 'compare'],
  },
  code: {
    type: 'source',
    meaning: 'folder of JavaScript or TypeScript: findings name its lines, and its joins and indexes are judged',
    default: [],
    isRepeatable: true,
    inConfig: 'target',
    commands: [...JUDGES, 'lsp'],
  },
  codeUrl: {
    type: 'url',
    meaning: 'link to a line of the source, "https://host/blob/main/{file}#L{line}"',
    inConfig: 'run',
    commands: [...JUDGES, 'report'],
  },
  changed: {
    type: 'file',
    meaning: 'file that lists changed files, one a line: the comment begins with their findings',
    commands: [...JUDGES, 'report'],
  },
  baseline: {
    type: 'file',
    meaning: 'file of known findings: only new ones fail',
    inConfig: 'run',
    commands: [...JUDGES, 'accept'],
  },
  updateBaseline: {
    type: 'switch',
    meaning: 'accept all findings: write them to the baseline, and do not fail',
    default: false,
    commands: JUDGES,
  },
  prune: {
    type: 'switch',
    meaning: 'remove fixed and gone findings from the baseline, and add none',
    default: false,
    commands: JUDGES,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
