import type { Finding, RemedyStep } from '../finding.js';
import { inWords, plural } from '../format.js';
import type { IndexDescription } from '../inventory/collection.js';
import { shellCollection } from '../shell-collection.js';
import { keyText } from '../workload/shapes/hint-text.js';
import { FIGURE_SOURCES } from '../workload/workload.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { reportedRemedy } from '../findings/stamp.js';

/**
 * An index that query settings, index filters or hints name is not given up without a word: the remedy begins with who names
 * it, and nothing hides it unattended.
 *
 * @param indexesOf the indexes of a collection; empty if they are unknown
 */
export function withPinnedIndexes(
  findings: readonly Finding[],
  workload: TracedWorkload | null,
  indexesOf: (namespace: string) => readonly IndexDescription[],
): readonly Finding[] {
  if (workload === null) return findings;
  const pins = pinsOf(workload);
  return pins.size === 0 ? findings : findings.map((finding) => withPins(finding, pins, indexesOf(finding.namespace)));
}

/** Who names which index, by namespace and hint. */
type Pins = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

function pinsOf({ pinnedPlans, tracedOperations }: TracedWorkload): Pins {
  const pins = new Map<string, Map<string, string[]>>();
  const add = (namespace: string, hint: string, who: string) => {
    const ofCollection = pins.get(namespace) ?? new Map<string, string[]>();
    pins.set(namespace, ofCollection.set(hint, [...new Set([...(ofCollection.get(hint) ?? []), who])]));
  };
  for (const { namespace, hint, by } of pinnedPlans?.present === true ? pinnedPlans.value.indexes : [])
    add(namespace, hint, by);
  const hinted = new Map<string, { base: string; hint: string; executions: number }>();
  for (const { base, operation } of tracedOperations) {
    // The same executions may be in several sources.
    const most = new Map<string, number>();
    for (const source of FIGURE_SOURCES)
      for (const [hint, executions] of Object.entries(operation.figures[source]?.hints ?? {}))
        most.set(hint, Math.max(executions, most.get(hint) ?? 0));
    for (const [hint, executions] of most) {
      const key = `${base}\0${hint}`;
      hinted.set(key, { base, hint, executions: executions + (hinted.get(key)?.executions ?? 0) });
    }
  }
  for (const { base, hint, executions } of hinted.values())
    add(base, hint, `hint() in ${plural(executions, 'recorded execution')}`);
  return pins;
}

function withPins(finding: Finding, pins: Pins, indexes: readonly IndexDescription[]): Finding {
  const ofCollection = pins.get(finding.namespace);
  if (ofCollection === undefined) return finding;
  const { steps } = finding.remedy;
  const { path, evidence } = finding;
  const own =
    typeof evidence['key'] === 'object' && path !== null
      ? [{ name: path, key: evidence['key'] as IndexDescription['key'] }]
      : [];
  const known = indexes.some(({ name }) => name === path) ? indexes : [...indexes, ...own];
  const named = known.flatMap(({ name, key }): (readonly [string, readonly string[]])[] => {
    const by = [...(ofCollection.get(name) ?? []), ...(ofCollection.get(keyText(key)) ?? [])];
    return by.length > 0 && steps.some(({ givesUp }) => givesUp?.includes(name) === true) ? [[name, by]] : [];
  });
  if (named.length === 0) return finding;
  const first = named.map(([name, by]) => ({
    text: `\`${name}\` is named by ${inWords([...new Set(by)])}: a query that names a hidden index fails, and settings or filters for it no longer apply. Change these first.`,
  }));
  const names = named.map(([name]) => name);
  const further = steps.map((step): RemedyStep => {
    const hidden = names.find((name) => step.command !== undefined && step.givesUp?.includes(name) === true);
    if (hidden === undefined) return step;
    const { command: _, ...attended } = step;
    return { ...attended, code: `${shellCollection(finding.namespace)}.hideIndex(${JSON.stringify(hidden)})` };
  });
  return { ...finding, remedy: reportedRemedy({ steps: [...first, ...further] }) };
}
