/** Releases whose changes are judged before an upgrade, in order. */
export const RELEASES = ['8.0', '9.0'] as const;

export type Release = (typeof RELEASES)[number];

/** The oldest and the newest server that the live tests have run on. Source: README, "What was run where". */
export const TESTED_VERSIONS = { oldest: '6.0.5', newest: '7.0.28' } as const;

type Version = readonly [major: number, minor: number, patch: number];

/** @param releases the first one with the change of each branch, ascending; branches in between do not have it */
export function hasReached(version: string, releases: readonly string[]): boolean {
  const last = releases.at(-1);
  return releases.some((release) => isPatchOf(version, release)) || (last !== undefined && isBefore(last, version));
}

/** Whether `version` has the first two numbers of `release`, and is not before it. */
export function isPatchOf(version: string, release: string): boolean {
  const [major, minor, patch] = parse(version);
  const [releaseMajor, releaseMinor, releasePatch] = parse(release);
  return major === releaseMajor && minor === releaseMinor && patch >= releasePatch;
}

/** Release candidates count as their release. */
export function isBefore(version: string, other: string): boolean {
  const [major, minor, patch] = parse(version);
  const [otherMajor, otherMinor, otherPatch] = parse(other);
  return (major - otherMajor || minor - otherMinor || patch - otherPatch) < 0;
}

function parse(version: string): Version {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

/** On which side of the tested versions a server is; null if it is one of them, or in between. */
export function untestedSide(version: string): 'older' | 'newer' | null {
  if (isBefore(version, TESTED_VERSIONS.oldest)) return 'older';
  return isBefore(TESTED_VERSIONS.newest, version) ? 'newer' : null;
}

/** Whether an upgrade to `target` passes the release: an upgrade from 7.0 to 9.0 meets the changes of both. */
export function passes(target: Release | undefined, release: Release): boolean {
  return target !== undefined && RELEASES.indexOf(target) >= RELEASES.indexOf(release);
}
