import picomatch from 'picomatch';

/** Ids and paths are not file paths: "/" and a leading "." are ordinary characters in them. */
export const NAME_GLOB_OPTIONS = { dot: true, bash: true } as const;

/** Matches ids of checks by a glob. */
export function checkMatcher(glob: string): (id: string) => boolean {
  const matches = picomatch(glob, NAME_GLOB_OPTIONS);
  return (id) => matches(id);
}
