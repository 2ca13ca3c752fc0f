/** Releases whose changes are judged before an upgrade, in order. */
export const RELEASES = ['8.0', '9.0'] as const;

export type Release = (typeof RELEASES)[number];

/** Whether an upgrade to `target` passes the release: an upgrade from 7.0 to 9.0 meets the changes of both. */
export function passes(target: Release | undefined, release: Release): boolean {
  return target !== undefined && RELEASES.indexOf(target) >= RELEASES.indexOf(release);
}
