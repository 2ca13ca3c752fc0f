import { JUDGES, type OptionSpec } from './option.js';

/** The part of the table of options that says where a run keeps what the next one needs, and whom it sends its news to. */
export const KEEPING_OPTIONS = {
  state: {
    type: 'url',
    meaning:
      'connection string, with a database, that keeps baseline, history, last reports and unsent messages in place of files',
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
    meaning: 'when the webhook gets a message; with always, a run without news is one line',
    choices: ['news', 'always'],
    default: 'news',
    inConfig: 'run',
    commands: JUDGES,
  },
  otlp: {
    type: 'url',
    meaning:
      'address at which an OpenTelemetry collector takes the metrics of the run, as http://localhost:4318/v1/metrics',
    inConfig: 'run',
    variable: 'MONGOLINT_OTLP',
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
} as const satisfies Readonly<Record<string, OptionSpec>>;
