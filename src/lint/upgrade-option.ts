import { RELEASES } from '../releases.js';
import { JUDGES } from './option-commands.js';
import type { OptionSpec } from './option.js';

/** The release of an upgrade, whose changes are judged too. */
export const UPGRADE = {
  type: 'choice',
  choices: RELEASES,
  noun: 'RELEASE',
  meaning: 'judge also what an upgrade changes: recorded operations that fail or find other documents with a release',
  inConfig: 'target',
  commands: JUDGES,
} as const satisfies OptionSpec;
