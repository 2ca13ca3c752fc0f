import type { Skipped } from '../finding.js';
import { groupedBy } from '../grouped-by.js';
import { isFault } from '../presence.js';
import type { Report } from './report.js';
import { listed } from './text-layout.js';

const NAMED = 10;

/** One entry for each check and cause. What a check itself says of a collection is kept for as many as an entry names. */
export function groupedSkipped(skipped: readonly Skipped[]): Skipped[] {
  const groups = groupedBy(skipped, keyOf);
  return skipped.flatMap((entry) => {
    const alike = groups.get(keyOf(entry)) ?? [];
    if (alike.length <= (hasTypedCause(entry) ? 1 : NAMED)) return [entry];
    return entry === alike[0] ? [groupOf(entry, alike)] : [];
  });
}

export function writtenReport(report: Report): Report {
  return { ...report, skipped: groupedSkipped(report.skipped) };
}

function keyOf(entry: Skipped): unknown {
  const { check, namespace, reason, evidence, code } = entry;
  return namespace === undefined ? entry : JSON.stringify([check, reason, evidence, code]);
}

function hasTypedCause(entry: Skipped): boolean {
  return entry.evidence !== undefined || isFault(entry);
}

function groupOf({ check, reason, evidence, code, detail }: Skipped, alike: readonly Skipped[]): Skipped {
  const namespaces = alike.flatMap(namespacesOf);
  return {
    check,
    namespaces: namespaces.slice(0, NAMED),
    count: namespaces.length,
    reason,
    ...(evidence !== undefined && { evidence }),
    ...(code !== undefined && { code }),
    detail,
  };
}

export function namespacesOf({ namespace, namespaces }: Skipped): readonly string[] {
  return namespaces ?? (namespace === undefined ? [] : [namespace]);
}

export function countOf({ count = 1 }: Skipped): number {
  return count;
}

/** True if the entry holds for namespaces that it does not name: each may be one of them. */
export function isCut(entry: Skipped): boolean {
  return countOf(entry) > Math.max(1, namespacesOf(entry).length);
}

export function detailOf(entry: Skipped): string {
  if (countOf(entry) === 1) return entry.detail;
  const names = namespacesOf(entry);
  return `${entry.detail} This holds for ${listed(names, names.length, '', countOf(entry))}.`;
}
