// Only by the paths of a profile, in which names that are data are `*`: the names at other paths might be data.
export function byPath<Seen extends { readonly path: string }>(
  seen: readonly Seen[],
  paths: readonly string[],
): Map<string, Seen[]> {
  const known = new Set(paths);
  const patterns = paths.filter((path) => path.includes('*')).map((path) => ({ path, pattern: patternOf(path) }));
  const resolved = new Map<string, string | undefined>();
  const result = new Map<string, Seen[]>();
  for (const one of seen) {
    const { path } = one;
    if (!resolved.has(path))
      resolved.set(path, known.has(path) ? path : patterns.find(({ pattern }) => pattern.test(path))?.path);
    const at = resolved.get(path);
    if (at === undefined) continue;
    const there = result.get(at) ?? [];
    there.push(one);
    result.set(at, there);
  }
  return result;
}

function patternOf(path: string): RegExp {
  const steps = path.split('*').map((part) => part.replaceAll(/[.[\]()^$+?{}|\\]/g, String.raw`\$&`));
  return new RegExp(`^${steps.join(String.raw`[^.[\]]+`)}$`);
}
