import { InvalidArgumentError } from 'commander';
import type { SeveritySetting } from '../findings/selected-checks.js';
import { SEVERITIES, type Severity } from '../severity.js';

const LEVELS: readonly string[] = [...SEVERITIES, 'off'];

/** "unused-index=info", one more of them. */
export function parseSeverity(value: string, before: readonly SeveritySetting[] = []): SeveritySetting[] {
  const [check = '', severity = '', ...rest] = value.split('=');
  if (check === '' || !LEVELS.includes(severity) || rest.length > 0) {
    throw new InvalidArgumentError(`Give CHECK=LEVEL, with one of the levels ${LEVELS.join(', ')}.`);
  }
  return [...before, { check, severity: severity as Severity | 'off' }];
}
