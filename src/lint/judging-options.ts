import { RELEASES } from '../connect/releases.js';
import { JUDGES, type OptionSpec } from './option.js';

/** The release of an upgrade, whose changes are judged too. */
export const UPGRADE = {
  type: 'choice',
  choices: RELEASES,
  noun: 'RELEASE',
  meaning: 'judge also what an upgrade changes: recorded operations that fail or find other documents with a release',
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
    meaning: 'database here and in production, "shop_test=shop"; for compare, in the older file and in the newer',
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
    commands: JUDGES,
  },
  codeUrl: {
    type: 'url',
    meaning: 'address of a line of the source, "https://host/blob/main/{file}#L{line}"',
    inConfig: 'run',
    commands: [...JUDGES, 'report'],
  },
  changed: {
    type: 'file',
    meaning: 'list of changed files, one a line: the comment begins with their findings',
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
    meaning: 'take what is fixed or gone out of the baseline, and add nothing',
    default: false,
    commands: JUDGES,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
