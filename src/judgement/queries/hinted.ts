import { sum } from 'simple-statistics';
import type { RemedyStep } from '../../finding.js';
import { inWords, plural } from '../../format.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { keyText } from '../../workload/shapes/sort-shape.js';
import type { QueryPlace } from '../advice/query-suggestions.js';
import { shellCommand } from '../shell-statement.js';
import { plannedFigures } from './query-cost.js';
import type { Query } from './query.js';

/** Share of the executions of a query that name an index, from which it does without what the planner would choose. Judgement. */
const MOST = 0.5;

/** Executions of queries by the hint that they name. */
function hintsOf(queries: readonly Query[]): ReadonlyMap<string, number> {
  const hints = new Map<string, number>();
  for (const { operation } of queries)
    for (const [hint, executions] of Object.entries(plannedFigures(operation)?.figures.hints ?? {}))
      hints.set(hint, executions + (hints.get(hint) ?? 0));
  return hints;
}

export function isHinted(queries: readonly Query[]): boolean {
  return hintsOf(queries).size > 0;
}

/**
 * The steps that create an index, for queries of which some name another one by hint(): these use it whatever there is, so
 * nobody creates the index unattended.
 */
export function besideHints(queries: readonly Query[], steps: readonly RemedyStep[]): readonly RemedyStep[] {
  const hints = hintsOf(queries);
  if (hints.size === 0) return steps;
  const executions = sum([...hints.values()]);
  const names = inWords([...hints.keys()].map((hint) => `\`${hint}\``));
  const attended = steps.map((step): RemedyStep => {
    if (step.command === undefined) return step;
    const { command, ...others } = step;
    return { ...others, code: shellCommand(command.db, command.command) };
  });
  return [
    {
      text: `hint() binds ${plural(executions, 'recorded execution')} to ${names}. Add to that index what it lacks, or take the hint out, or let it name the new index.`,
    },
    ...attended,
  ];
}

/** Where a query is reported that an index would serve if hint() did not name another one; null if it is served. */
export function takenFrom(
  query: Query,
  indexes: readonly IndexDescription[],
  isServedBy: (index: IndexDescription) => boolean,
): QueryPlace | null {
  const hints = hintsOf([query]);
  const [[hint, named] = ['', 0]] = [...hints].toSorted(([, one], [, other]) => other - one);
  const serving = indexes.find((index) => !index.hidden && isServedBy(index));
  const { executions = 0 } = plannedFigures(query.operation)?.figures ?? {};
  const isNamed = ({ name, key }: IndexDescription) => hints.has(name) || hints.has(keyText(key));
  if (serving === undefined || named === 0 || named < MOST * executions || isNamed(serving)) return null;
  const steps = [
    {
      text: `hint() binds ${plural(named, 'recorded execution')} to \`${hint}\`, and \`${serving.name}\` serves them. Take the hint out, or let it name that one.`,
    },
    { text: 'Check by explain("executionStats") with the one and the other that they then examine less.' },
  ];
  return { path: indexes.find(isNamed)?.name ?? null, remedy: { steps } };
}
