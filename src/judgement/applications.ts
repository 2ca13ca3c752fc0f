import { inWords } from '../format.js';

const MOST_NAMED = 3;

/** What an application calls itself, for people. */
export function applicationText(appName: string | null): string {
  return appName === null ? 'an application without appName' : `\`${appName}\``;
}

/** Each application once: "`feed`, `mail`, `shop` and 4 more". */
export function applicationsText(appNames: readonly (string | null)[]): string {
  return inWords([...new Set(appNames.map(applicationText))].toSorted(), MOST_NAMED);
}
