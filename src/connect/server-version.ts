type Version = readonly [major: number, minor: number, patch: number];

/**
 * Whether a server has a change that was released in several branches: `releases` are the first releases with it, one for
 * each branch, in ascending order. Branches after the last have it too; those in between do not.
 */
export function hasReached(version: string, releases: readonly string[]): boolean {
  const last = releases.at(-1);
  return releases.some((release) => isPatchOf(version, release)) || (last !== undefined && isBefore(last, version));
}

/** Whether `version` is of the same branch as `release` (the first two numbers), and not before it. */
export function isPatchOf(version: string, release: string): boolean {
  const [major, minor, patch] = parse(version);
  const [releaseMajor, releaseMinor, releasePatch] = parse(release);
  return major === releaseMajor && minor === releaseMinor && patch >= releasePatch;
}

/** Whether `version` came before `other`. Release candidates count as their release. */
export function isBefore(version: string, other: string): boolean {
  const [major, minor, patch] = parse(version);
  const [otherMajor, otherMinor, otherPatch] = parse(other);
  return (major - otherMajor || minor - otherMinor || patch - otherPatch) < 0;
}

function parse(version: string): Version {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}
