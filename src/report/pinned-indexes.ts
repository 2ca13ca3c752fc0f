import type { Finding, RemedyStep } from '../finding.js';
import { reportedRemedy } from '../findings/stamp.js';
import { inWords, plural } from '../format.js';
import type { IndexDescription } from '../inventory/collection.js';
import { withSimilar } from '../judgement/queries/judged-query.js';
import type { Query } from '../judgement/queries/query.js';
import { bestIndexes, doesAsMuch, keysIn, plansOf } from '../judgement/queries/scattered-keys.js';
import { shellCollection } from '../namespace.js';
import { keyText } from '../workload/shapes/sort-shape.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { FIGURE_SOURCES } from '../workload/workload.js';

/**
 * An index that query settings, index filters or hints name is not given up without a word: the remedy begins with who names
 * it, and nothing hides it unattended. Nor is one that recorded queries would miss.
 *
 * @param indexesOf the indexes of a collection; empty if they are unknown
 */
export function withPinnedIndexes(
  findings: readonly Finding[],
  workload: TracedWorkload | null,
  indexesOf: (namespace: string) => readonly IndexDescription[],
  queries: readonly Query[] = [],
): readonly Finding[] {
  if (workload === null) return findings;
  const pins = pinsOf(workload);
  return findings.map((finding) => {
    const indexes = indexesOf(finding.namespace);
    const warned = [...pinned(finding, pins, indexes), ...missed(finding, indexes, queries)];
    return warned.length === 0 ? finding : withWarnings(finding, warned);
  });
}

/** Why an index is not to be given up unattended. */
interface Warning {
  readonly index: string;
  readonly text: string;
}

/**
 * Queries that use the index, and that would be served worse without it, or by several others equally well: the planner then has
 * to try them, and may keep the worse one.
 */
function missed(
  { namespace, path, remedy }: Finding,
  indexes: readonly IndexDescription[],
  queries: readonly Query[],
): readonly Warning[] {
  const own = indexes.find(({ name }) => name === path);
  if (own === undefined || !remedy.steps.some(({ givesUp }) => givesUp?.includes(own.name) === true)) return [];
  const key = keyText(own.key);
  const others = indexes.filter((index) => index !== own);
  const using = queries.filter(
    (query) =>
      query.known.collection.namespace === namespace && plansOf(query).some((plan) => keysIn(plan).includes(key)),
  );
  const watched = 'Hide the index only while somebody watches what is examined.';
  const lost = using.filter((query) => !others.some((index) => doesAsMuch(index, own, query)));
  const [worse, ...alsoWorse] = lost;
  if (worse !== undefined)
    return [
      {
        index: own.name,
        text: `Only \`${own.name}\` fully serves ${withSimilar({ queries: [worse, ...alsoWorse] })}. ${watched}`,
      },
    ];
  const tying = using.flatMap((query) => {
    const best = bestIndexes(query, others);
    return best.length < 2 ? [] : [{ query, best }];
  });
  const [first, ...further] = tying;
  if (first === undefined) return [];
  const names = inWords(first.best.map(({ name }) => `\`${name}\``));
  return [
    {
      index: own.name,
      text:
        `Without \`${own.name}\`, ${names} serve ${withSimilar({ queries: [first.query, ...further.map(({ query }) => query)] })} equally well by their keys: ` +
        `the planner has to try them, and may keep the worse one. Compare them with hint() and explain("executionStats") first. ${watched}`,
    },
  ];
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

function pinned(finding: Finding, pins: Pins, indexes: readonly IndexDescription[]): readonly Warning[] {
  const ofCollection = pins.get(finding.namespace);
  if (ofCollection === undefined) return [];
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
  return named.map(([index, by]) => ({
    index,
    text: `\`${index}\` is named by ${inWords([...new Set(by)])}: a query that names a hidden index fails, and settings or filters for it no longer apply. Change these first.`,
  }));
}

/** The remedy begins with the warnings, and its commands that give such an index up are left to a person. */
function withWarnings(finding: Finding, warnings: readonly Warning[]): Finding {
  const { steps } = finding.remedy;
  const names = warnings.map(({ index }) => index);
  const further = steps.map((step): RemedyStep => {
    const hidden = names.find((name) => step.command !== undefined && step.givesUp?.includes(name) === true);
    if (hidden === undefined) return step;
    const { command: _, ...attended } = step;
    return { ...attended, code: `${shellCollection(finding.namespace)}.hideIndex(${JSON.stringify(hidden)})` };
  });
  return { ...finding, remedy: reportedRemedy({ steps: [...warnings.map(({ text }) => ({ text })), ...further] }) };
}
