import { CONFIDENCES, SEVERITIES } from '../severity.js';
import type { OptionSpec } from './option.js';

const READS_CONFIG = ['checks', 'explain', 'role', 'shard-key', 'collect', 'judge', 'report', 'compare'] as const;
const SELECTS_CHECKS = ['role', 'collect', 'judge', 'compare'] as const;
const READS_CLUSTER = ['shard-key', 'collect'] as const;
const COLLECTS = ['collect'] as const;
const JUDGES = ['judge'] as const;
const OF_BOTH = ['collect', 'judge'] as const;

/** Every option of mongolint, in the order of `--help`, by its name in the library and in the configuration. */
export const OPTIONS = {
  config: {
    type: 'file',
    meaning: 'configuration file',
    defaultMeaning: 'mongolint.config.yaml, .json, .js … here or in a folder above',
    negated: 'read no configuration',
    commands: READS_CONFIG,
  },
  plugin: {
    type: 'module',
    meaning: 'more checks and report formats: a package, or a file that begins with "./"',
    default: [],
    isRepeatable: true,
    inConfig: 'run',
    configKey: 'plugins',
    commands: READS_CONFIG,
  },
  include: {
    type: 'glob',
    meaning: 'lint only collections that match a glob, such as "shop.*"',
    default: [],
    isRepeatable: true,
    inConfig: 'target',
    commands: [...OF_BOTH, 'compare'],
  },
  exclude: {
    type: 'glob',
    meaning: 'leave out collections that match a glob, such as "*.tmp_*"',
    default: [],
    isRepeatable: true,
    inConfig: 'target',
    commands: [...OF_BOTH, 'compare'],
  },
  check: {
    type: 'check',
    meaning: 'run only the checks that match a glob, such as "*-index"',
    default: [],
    isRepeatable: true,
    commands: SELECTS_CHECKS,
  },
  skipCheck: {
    type: 'check',
    meaning: 'leave out the checks that match a glob',
    default: [],
    isRepeatable: true,
    commands: SELECTS_CHECKS,
  },
  severity: {
    type: 'severity',
    meaning: 'severity of all findings of a check, or off, such as "unused-index=info"',
    default: [],
    isRepeatable: true,
    commands: SELECTS_CHECKS,
  },
  minConfidence: {
    type: 'choice',
    noun: 'confidence',
    meaning: 'suppress findings of a lower confidence: they stay in the reports and do not count',
    choices: CONFIDENCES,
    default: 'low',
    inConfig: 'run',
    commands: JUDGES,
  },
  owner: {
    type: 'owner',
    meaning: 'report only findings of an owner, by "owners" of the configuration, and those without one',
    default: [],
    isRepeatable: true,
    commands: [...JUDGES, 'report'],
  },
  format: {
    type: 'format',
    meaning:
      'report to print, or to write as FORMAT=FILE; FILE may contain {target} for the alias; formats of plugins are PLUGIN/FORMAT',
    default: [],
    defaultMeaning: 'table',
    isRepeatable: true,
    inConfig: 'run',
    configKey: 'formats',
    commands: ['shard-key', 'checks', 'judge', 'report', 'compare'],
  },
  failOn: {
    type: 'choice',
    noun: 'severity',
    meaning: 'lowest severity that fails the run',
    choices: [...SEVERITIES, 'never'],
    default: 'error',
    inConfig: 'run',
    commands: [...JUDGES, 'compare'],
  },
  maxWarnings: {
    type: 'number',
    unit: 'warnings',
    minimum: 0,
    meaning: 'fail if there are more warnings than this',
    default: null,
    inConfig: 'run',
    commands: [...JUDGES, 'compare'],
  },
  strict: {
    type: 'switch',
    meaning: 'fail if something enabled could not be judged',
    default: false,
    inConfig: 'run',
    commands: [...JUDGES, 'compare'],
  },
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
  maxTime: {
    type: 'number',
    unit: 'ms',
    minimum: 1,
    meaning: 'longest time for each cluster',
    default: 10 * 60 * 1_000,
    inConfig: 'target',
    commands: READS_CLUSTER,
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
  readPreference: {
    type: 'choice',
    noun: 'mode',
    meaning: 'which members to read from',
    choices: ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'],
    defaultMeaning: 'as the URI says, or else secondaryPreferred',
    inConfig: 'target',
    commands: READS_CLUSTER,
  },
  log: {
    type: 'file',
    meaning: 'log of mongod to read the workload from, plain or gzipped',
    default: [],
    isRepeatable: true,
    inConfig: 'target',
    libraryKey: 'logFiles',
    commands: READS_CLUSTER,
  },
  history: {
    type: 'file',
    meaning: 'file that keeps lengths and sizes of each run, to measure growth between runs',
    inConfig: 'target',
    commands: COLLECTS,
  },
  baseline: {
    type: 'file',
    meaning: 'file of known findings: only new ones fail',
    inConfig: 'run',
    commands: JUDGES,
  },
  updateBaseline: {
    type: 'switch',
    meaning: 'accept all findings: write them to the baseline, and do not fail',
    default: false,
    commands: JUDGES,
  },
  notify: {
    type: 'url',
    meaning: 'webhook that gets what is new, fixed or failed',
    inConfig: 'run',
    variable: 'MONGOLINT_NOTIFY',
    isSecret: true,
    commands: JUDGES,
  },
  reportUrl: {
    type: 'url',
    meaning: 'address of the report, which the webhook links',
    defaultMeaning: 'the page of the job on GitHub or GitLab',
    inConfig: 'run',
    variable: 'MONGOLINT_REPORT_URL',
    commands: JUDGES,
  },
  deep: {
    type: 'switch',
    meaning: 'search collections of any size for large documents, which reads them whole',
    default: false,
    inConfig: 'target',
    commands: COLLECTS,
  },
  showValues: {
    type: 'switch',
    meaning: 'report the _id of documents',
    default: false,
    inConfig: 'target',
  },
  quiet: {
    type: 'switch',
    meaning: 'print only the list of findings and the summary, and no progress',
    default: false,
    commands: ['collect', 'judge', 'report', 'compare'],
  },
  verbose: {
    type: 'switch',
    meaning: 'show details, and stack traces of errors',
    default: false,
    commands: ['shard-key', 'collect', 'judge', 'report', 'compare'],
  },
  color: {
    type: 'switch',
    meaning: 'color the report on stdout',
    negated: 'print it without colors',
    defaultMeaning: 'as NO_COLOR, FORCE_COLOR and the terminal say',
    commands: ['judge', 'report', 'compare'],
  },
  printConfig: {
    type: 'switch',
    meaning: 'print the settings of the run, and where each comes from, and lint nothing',
    default: false,
  },
  progress: {
    type: 'switch',
    meaning: 'show no progress',
    default: true,
    commands: COLLECTS,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

/** The table as a list. */
export const OPTION_LIST = Object.entries(OPTIONS) as readonly (readonly [OptionName, OptionSpec])[];
