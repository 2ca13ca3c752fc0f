import type { Skipped } from '../finding.js';
import { groupedBy } from '../grouped-by.js';
import { isFault } from '../presence.js';
import type { Report } from './report.js';
import { listed } from './text-layout.js';

/** Namespaces that a written entry names; of more it gives the number. */
const NAMED = 10;

/**
 * The entries as reports are written: one for each check and cause, whatever the number of collections. A lost connection would
 * otherwise be an entry for each check and collection. What a check itself says of a collection is more than its cause:
 * it is kept for as many collections as an entry names.
 */
export function groupedSkipped(skipped: readonly Skipped[]): Skipped[] {
  const groups = groupedBy(skipped, keyOf);
  return skipped.flatMap((entry) => {
    const alike = groups.get(keyOf(entry)) ?? [];
    if (alike.length <= (hasTypedCause(entry) ? 1 : NAMED)) return [entry];
    return entry === alike[0] ? [groupOf(entry, alike)] : [];
  });
}

/** The report as it is written: with an entry for each check and cause that kept it from judging. */
export function writtenReport(report: Report): Report {
  return { ...report, skipped: groupedSkipped(report.skipped) };
}

function keyOf(entry: Skipped): unknown {
  const { check, namespace, reason, evidence, code } = entry;
  return namespace === undefined ? entry : JSON.stringify([check, reason, evidence, code]);
}

/** True if the entries of one cause differ in their namespace alone. */
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

/** The namespaces that an entry names: one, the first of several, or none if it holds for the whole cluster. */
export function namespacesOf({ namespace, namespaces }: Skipped): readonly string[] {
  return namespaces ?? (namespace === undefined ? [] : [namespace]);
}

/** For how many namespaces an entry stands; 1 if it holds for the whole cluster. */
export function countOf({ count = 1 }: Skipped): number {
  return count;
}

/** True if the entry holds for namespaces that it does not name: each may be one of them. */
export function isCut(entry: Skipped): boolean {
  return countOf(entry) > Math.max(1, namespacesOf(entry).length);
}

/** The detail of an entry, and which namespaces it holds for if there are several. */
export function detailOf(entry: Skipped): string {
  if (countOf(entry) === 1) return entry.detail;
  const names = namespacesOf(entry);
  return `${entry.detail} This holds for ${listed(names, names.length, '', countOf(entry))}.`;
}
