import { isBefore } from './server-version.js';

/** The oldest and the newest server that the live tests have run on. Source: README, "What was run where". */
export const TESTED_VERSIONS = { oldest: '6.0.5', newest: '7.0.28' } as const;

/** On which side of the tested versions a server is; null if it is one of them, or in between. */
export function untestedSide(version: string): 'older' | 'newer' | null {
  if (isBefore(version, TESTED_VERSIONS.oldest)) return 'older';
  return isBefore(TESTED_VERSIONS.newest, version) ? 'newer' : null;
}
