import { isBefore, RELEASES, type Release } from '../../connect/server-version.js';
import { inWords, sentences } from '../../format.js';
import { onlyIf } from '../only-if.js';

/** As of 2026-11-29. Source: MongoDB, "Software Lifecycle Schedules". A release that is not listed has no date yet. */
const END_OF_LIFE: Readonly<Record<string, string>> = {
  '3.6': '2021-04-30',
  '4.0': '2022-04-30',
  '4.2': '2023-04-30',
  '4.4': '2024-02-29',
  '5.0': '2024-10-31',
  '6.0': '2025-07-31',
  '7.0': '2027-08-31',
  '8.0': '2029-10-31',
  '8.1': '2025-09-30',
  '8.2': '2026-07-31',
};

/** The day from which a version gets no fixes, in ms since 1970; null if it is unknown. */
export function endOfLife(version: string): number | null {
  const day = END_OF_LIFE[releaseOf(version)];
  return day === undefined ? null : Date.parse(day);
}

interface Advisory {
  readonly advisory: string;
  readonly what: string;
  /** The first fixed version of each release. */
  readonly fixedIn: readonly string[];
}

/** Advisories that need no user of the server. As of 2026-11-29. Source: MongoDB, "Alerts", by their numbers. */
const VULNERABLE: readonly Advisory[] = [
  {
    advisory: 'CVE-2025-14847',
    what: 'anybody who reaches the port reads memory of the server',
    fixedIn: ['4.4.30', '5.0.32', '6.0.27', '7.0.28', '8.0.17', '8.2.3'],
  },
];

/** The advisories that a version is open to, in words. */
export function openTo(version: string): readonly string[] {
  return VULNERABLE.flatMap(({ advisory, what, fixedIn }) =>
    fixedIn.flatMap((fix) =>
      onlyIf(releaseOf(fix) === releaseOf(version) && isBefore(version, fix), `${advisory} (${what}), fixed in ${fix}`),
    ),
  );
}

/** Releases that no upgrade can leave out. Source: MongoDB manual, "Upgrade a Replica Set to 8.0", Upgrade Version Path. */
const MAJOR_RELEASES = ['5.0', '6.0', '7.0', ...RELEASES];

/** What an upgrade passes on its way, and what that changes; null if it passes nothing. */
export function wayTo(target: Release, version: string, hasEncrypted: boolean): string | null {
  const passed = MAJOR_RELEASES.filter((release) => isBefore(version, release) && isBefore(release, target));
  const earlier = passed.filter((release) => isBefore(release, '7.0'));
  const passes7 = passed.includes('7.0');
  if (passed.length === 0) return null;
  return sentences(
    `The upgrade from ${releaseOf(version)} to ${target} must go through ${inWords(passed)}: set featureCompatibilityVersion to each before the next.`,
    earlier.length > 0 && `What ${inWords(earlier)} ${earlier.length === 1 ? 'changes' : 'change'} is not judged.`,
    // Source: "Compatibility Changes in MongoDB 7.0".
    passes7 && '7.0 changes no query, by its compatibility page.',
    passes7 &&
      hasEncrypted &&
      'It cannot query what the preview of Queryable Encryption wrote: migrate these collections.',
  );
}

/** "6.0" of "6.0.5". */
export function releaseOf(version: string): string {
  return version.split('.', 2).join('.');
}

export function isOlder(version: string, release: string): boolean {
  return isBefore(version, release);
}
