import type { DocumentProfile, PathProfile } from '../../profile/document-profile.js';

export interface HeavyPath {
  readonly path: string;
  readonly share: number;
}

const NEARLY_ALL = 0.8;

/** Top-level fields, or the field within that makes up nearly all of one. */
export function heaviestPaths({ paths }: DocumentProfile, most = 3): HeavyPath[] {
  return paths
    .filter(({ parent }) => parent === null)
    .toSorted((a, b) => b.shareOfBytes - a.shareOfBytes)
    .slice(0, most)
    .map((top) => within(top, paths))
    .map(({ path, shareOfBytes }) => ({ path, share: shareOfBytes }));
}

function within(path: PathProfile, paths: readonly PathProfile[]): PathProfile {
  const field = paths.find((each) => each.parent === path.path && each.bytes >= NEARLY_ALL * path.bytes);
  return field === undefined || path.array !== undefined ? path : within(field, paths);
}
