import type { IndexDescription, IndexProposal, RemedyStep } from '../src/check.js';
import { formatCount, inWords, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { documentsWithIndex } from '../src/judgement/advice/documents-with-index.js';
import { indexesFor, missingIndexes, type NeededIndex, proposalsFor } from '../src/judgement/advice/needed-index.js';
import { suggestionsFor } from '../src/judgement/advice/query-suggestions.js';
import { indexSteps } from '../src/judgement/indexes/index-steps.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { plannedFigures, queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { RECURRING, RETIRED_OF_OPERATIONS } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { bestIndexes, keysIn, plansOf } from '../src/judgement/queries/scattered-keys.js';
import { defineWorstQueryCheck, textOf } from '../src/judgement/queries/worst-query-check.js';
import { quotient } from '../src/judgement/quotient.js';
import type { PlanFigures } from '../src/workload/operations/plan-figures.js';
import { keyText } from '../src/workload/shapes/sort-shape.js';

interface Plan extends PlanFigures {
  readonly summary: string;
}

/** A query that the planner answers now one way, now another. */
interface Unstable {
  readonly query: Query;
  readonly cost: QueryCost;
  /** By indexes that are still there, the one that examines most for what it returns first. */
  readonly plans: readonly [Plan, ...Plan[]];
  readonly replanned: number;
  /** The indexes that would serve it best, and are missing. */
  readonly missing: readonly NeededIndex[];
}

export const unstablePlan = defineWorstQueryCheck({
  id: 'unstable-plan',
  title: 'Unstable plan',
  summary: 'queries that the planner answers by one index and then by another',
  thresholds: {
    least: {
      default: 100,
      unit: 'documents',
      description: 'documents and index keys examined per execution of the worse plan',
      source: 'judgement: a tenth of a millisecond of processor: whichever plan answers, nobody notices',
    },
    examined: {
      default: 1_000,
      unit: 'documents',
      description: 'documents and index keys that it examines, for a warning',
      source: 'judgement: a millisecond of processor and more',
    },
    ratio: {
      default: 5,
      unit: 'ratio',
      description: 'multiple of what the better plan examines for each document returned',
      source: 'judgement: constants differ, and may explain less',
    },
  },
  retiredThresholds: RETIRED_OF_OPERATIONS,
  byPlans: true,
  find: ({ cluster }) => queriesOf(cluster).flatMap((query) => unstable(query, cluster) ?? []),
  path: () => null,
  rank: ({ plans: [worst] }) => worst.examined,
  severity({ plans, replanned, missing }, { limits }) {
    const [worst, best] = [plans[0], plans.at(-1) ?? plans[0]];
    const isWorse = perReturned(worst) >= limits.ratio * perReturned(best);
    // Either of two plans that cost the same may answer, unless an index is missing that would cost less than both.
    const isOfAccount = examinedBy(worst) >= limits.least && (isWorse || missing.length > 0);
    // What gave a cached plan up examined little by the next.
    if (!isOfAccount && replanned < RECURRING) return null;
    return examinedBy(worst) >= limits.examined && isWorse ? 'warning' : 'info';
  },
  confidence: 'medium',
  message([{ query, cost, plans, replanned }, ...others]) {
    const counts = plans.map(
      (plan) =>
        `\`${plan.summary}\` examines ${formatCount(Math.round(examinedBy(plan)))} documents and keys per execution (${plural(plan.executions, 'time')})`,
    );
    const again = replanned === 0 ? '' : ` ${plural(replanned, 'execution')} replaced a cached plan.`;
    const similar = others.length === 0 ? '' : ` The same is true of ${textOf(others)}.`;
    return `The server alternates between plans for ${textOf([{ query }])} (${cost.window}): ${counts.join('; ')}.${again}${similar}`;
  },
  figures: (all) => ({
    plans: all[0].plans.map(({ summary }) => summary),
    plansExecuted: all[0].plans.map(({ executions }) => executions),
    plansExamined: all[0].plans.map((plan) => Math.round(examinedBy(plan))),
    replanned: all[0].replanned,
    queries: all.map(({ query }) => queryText(query)),
  }),
  saved: ({ plans, cost }) => {
    const best = plans.at(-1) ?? plans[0];
    const all = plans.reduce((sum, plan) => sum + plan.examined - plan.executions * examinedBy(best), 0);
    return Math.max(0, all / cost.executions);
  },
  proposes: proposalsOf,
  remedy: remedySteps,
});

function examinedBy({ examined, executions }: Plan): number {
  return examined / Math.max(1, executions);
}

function perReturned({ examined, executions, returned }: Plan): number {
  return quotient(examined, Math.max(executions, returned)) ?? 0;
}

/** Null if one plan answers it, as far as indexes that are still there tell. */
function unstable(query: Query, cluster: JoinedCluster): Unstable | null {
  const { plans = {}, hints = {} } = plannedFigures(query.operation)?.figures ?? {};
  const { indexes } = query.known;
  const cost = queryCost([query], cluster.workload);
  if (cost === null || !indexes.present || query.conditions.special || Object.keys(hints).length > 0) return null;
  const complete = new Set(indexes.value.filter(isForAnyValue).map(({ key }) => keyText(key)));
  const lasting = plansByIndexes(plans).filter(({ summary }) => keysIn(summary).every((key) => complete.has(key)));
  const repeated = lasting.filter(({ executions }) => executions >= RECURRING);
  const inTurn = repeated.filter((plan) => repeated.some((other) => other !== plan && isInTurn(plan, other)));
  const replanned = lasting.reduce((sum, plan) => sum + plan.replanned, 0);
  // One plan that is given up and chosen again is all that the planner has.
  const given = lasting.length > 1 && replanned >= RECURRING ? lasting : [];
  const [first, ...others] = (inTurn.length > 0 ? inTurn : given).toSorted(
    (one, other) => perReturned(other) - perReturned(one),
  );
  if (first === undefined) return null;
  const wanted = indexesFor(query, suggestionsFor(query, cluster) ?? []);
  if (isServedSince(query, wanted, indexes.value)) return null;
  // Whether an index examines less than the plans do is known only if its keys tell all conditions.
  const missing = documentsWithIndex(query, wanted) === null ? [] : missingIndexes(wanted, indexes.value);
  return { query, cost, plans: [first, ...others], replanned, missing };
}

/**
 * The plans, those that use the same indexes as one: an `$or` of three branches searches one index three times, and one of four
 * branches four times; a count of one value reads keys by another stage than one of several.
 */
function plansByIndexes(plans: Readonly<Record<string, PlanFigures>>): readonly Plan[] {
  const groups = groupedBy(Object.entries(plans), ([summary]) =>
    [...new Set(stagesOf(summary).map((stage) => stage.replace(/^[A-Z_]+ (?=\{)/, '')))].join(', '),
  );
  return [...groups.values()].map((group) => {
    const summary = stagesOf(group[0]?.[0] ?? '').join(', ');
    const sum = (of: (plan: PlanFigures) => number) => group.reduce((total, [, plan]) => total + of(plan), 0);
    return {
      summary,
      executions: sum(({ executions }) => executions),
      examined: sum(({ examined }) => examined),
      returned: sum(({ returned }) => returned),
      tried: sum(({ tried }) => tried),
      replanned: sum(({ replanned }) => replanned),
      from: Math.min(...group.map(([, { from }]) => from)),
      to: Math.max(...group.map(([, { to }]) => to)),
    };
  });
}

/** Each once. */
function stagesOf(summary: string): string[] {
  return [...new Set(summary.split(/, (?=[A-Z_]+ )/))];
}

/** Which values are asked for decides whether a partial index can be used. */
function isForAnyValue({ hidden, partialFilterExpression }: IndexDescription): boolean {
  return !hidden && partialFilterExpression === undefined;
}

/** One plan after another is an index that was built or dropped meanwhile; each before and after the other is not. */
function isInTurn(one: Plan, other: Plan): boolean {
  return one.from < other.to && other.from < one.to;
}

/** Whether an index that serves it best was built after it was recorded: no plan uses it. */
function isServedSince(query: Query, wanted: readonly NeededIndex[], existing: readonly IndexDescription[]): boolean {
  const serving = existing.filter((index) => missingIndexes(wanted, [index]).length < wanted.length);
  const used = new Set(plansOf(query).flatMap(keysIn));
  return serving.length > 0 && serving.every(({ key }) => !used.has(keyText(key)));
}

/** The index that each of them lacks; none if one of them lacks none or several. */
function proposalsOf(all: readonly [Unstable, ...Unstable[]]): readonly IndexProposal[] {
  const missing = all.flatMap((each) => each.missing);
  return all.every((each) => each.missing.length === 1) ? proposalsFor(missing, all[0].query.known) : [];
}

function remedySteps({ query }: Unstable, all: readonly [Unstable, ...Unstable[]]): readonly RemedyStep[] {
  const proposals = proposalsOf(all);
  if (proposals.length > 0)
    return indexSteps(
      proposals,
      'It covers every condition of the query, and examines less than the others for any values.',
    );
  const { known } = query;
  const tied = bestIndexes(query, known.indexes.present ? known.indexes.value : []).map(({ name }) => `\`${name}\``);
  return [
    ...onlyIf(tied.length >= 2, {
      text: `As far as their keys tell, ${inWords(tied)} serve the query equally well. Compare the plans before you drop or hide one of them, or an index that serves it better.`,
    }),
    {
      text: 'Compare the plans for constants of the application by hint() and explain("executionStats"), and name the better index: by query settings from 8.0 on, by hint() before.',
    },
  ];
}
