import type { KnownFinding } from '../look-for.js';
import type { LookFor } from '../look-for.js';
import type { BaselineEntry } from './baseline-entry.js';

/** The findings of a baseline that a run with these checks on a target can search for, each once. */
export function searchableFindings(
  baseline: readonly BaselineEntry[] | null,
  target: string | undefined,
  checks: readonly string[],
): readonly KnownFinding[] {
  const searchable = (baseline ?? []).flatMap(({ check, namespace, fingerprint, lookFor, target: of }) =>
    of === target && lookFor !== undefined && checks.includes(check) ? [{ namespace, fingerprint, lookFor }] : [],
  );
  return [...new Map(searchable.map((known) => [known.fingerprint, known])).values()];
}

/** What shows a finding that two runs saw: a sample may show only some of the stray types. */
export function lookForEither(before: LookFor | undefined, now: LookFor | undefined): LookFor | undefined {
  if (before === undefined || now === undefined || 'bytes' in before || 'bytes' in now) return now;
  if (before.path !== now.path) return now;
  return { path: now.path, types: [...new Set([...before.types, ...now.types])].sort() };
}
