import { UPGRADE } from './upgrade-option.js';
import { READS_CLUSTER, READS_CONFIG, SELECTS_CHECKS, COLLECTS, JUDGES, OF_BOTH } from './option-commands.js';
import { BOUND_OPTIONS } from './bound-options.js';
import { CONFIDENCES, SEVERITIES } from '../severity.js';
import { JUDGING_OPTIONS } from './judging-options.js';
import { KEEPING_OPTIONS } from './keeping-options.js';
import type { OptionSpec } from './option.js';

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
    commands: ['rehearse', ...OF_BOTH, 'compare'],
  },
  exclude: {
    type: 'glob',
    meaning: 'leave out collections that match a glob, such as "*.tmp_*"',
    default: [],
    isRepeatable: true,
    inConfig: 'target',
    commands: ['rehearse', ...OF_BOTH, 'compare'],
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
    meaning:
      'report only findings of an owner, by "owners" of the configuration, and those without one; for accept, who accepts',
    default: [],
    isRepeatable: true,
    commands: [...JUDGES, 'report', 'compare', 'accept'],
  },
  format: {
    type: 'format',
    meaning: 'report to print, or write as FORMAT=FILE with {target} for the alias; of plugins PLUGIN/FORMAT',
    default: [],
    defaultMeaning: 'table',
    isRepeatable: true,
    inConfig: 'run',
    configKey: 'formats',
    commands: ['shard-key', 'rehearse', 'checks', 'judge', 'report', 'compare'],
  },
  failOn: {
    type: 'choice',
    noun: 'severity',
    meaning: 'lowest severity that fails the run; for compare, drift fails by what is declared and by no finding',
    choices: [...SEVERITIES, 'never', 'drift'],
    choicesOfCommands: { drift: ['compare'] },
    default: 'error',
    inConfig: 'run',
    commands: [...JUDGES, 'report', 'compare'],
  },
  maxWarnings: {
    type: 'number',
    unit: 'warnings',
    minimum: 0,
    meaning: 'fail if there are more warnings than this',
    default: null,
    inConfig: 'run',
    commands: [...JUDGES, 'report', 'compare'],
  },
  strict: {
    type: 'switch',
    meaning: 'fail if something enabled could not be judged',
    default: false,
    inConfig: 'run',
    commands: [...JUDGES, 'report', 'compare'],
  },
  ...BOUND_OPTIONS,
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
    meaning: 'log of mongod or mongos to read the workload from, plain or gzipped, or a glob of several',
    default: [],
    isRepeatable: true,
    inConfig: 'target',
    libraryKey: 'logFiles',
    commands: READS_CLUSTER,
  },
  since: {
    type: 'time',
    meaning: 'leave out operations recorded before a time, "2026-11-27T08:00Z", or longer ago than "2h" or "7d"',
    inConfig: 'target',
    commands: COLLECTS,
  },
  history: {
    type: 'file',
    meaning: 'file that keeps lengths and sizes of each run, to measure growth between runs',
    inConfig: 'target',
    commands: COLLECTS,
  },
  ...JUDGING_OPTIONS,
  ...KEEPING_OPTIONS,
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
  for: UPGRADE,
  top: {
    type: 'number',
    unit: 'operations',
    minimum: 0,
    meaning: 'costliest recorded operations to show, up to 25',
    default: 5,
    inConfig: 'run',
    commands: [...JUDGES, 'report', 'compare'],
  },
  quiet: {
    type: 'switch',
    meaning: 'print only the list of findings and the summary, and no progress',
    default: false,
    commands: ['rehearse', 'collect', 'judge', 'report', 'compare'],
  },
  verbose: {
    type: 'switch',
    meaning: 'show details, and stack traces of errors',
    default: false,
    commands: ['shard-key', 'rehearse', 'collect', 'judge', 'report', 'compare'],
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
    commands: ['rehearse', ...COLLECTS],
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

/** The table as a list. */
export const OPTION_LIST = Object.entries(OPTIONS) as readonly (readonly [OptionName, OptionSpec])[];
