import type { Operation, Workload } from '../workload.js';

/** Of operations that were recorded in two places, those of production if there are any: figures of both are never added. */
export function ofOneRecord<Recorded>(
  recorded: readonly Recorded[],
  operationOf: (each: Recorded) => Operation,
): readonly Recorded[] {
  const inProduction = recorded.filter((each) => operationOf(each).recordedHere !== true);
  return inProduction.length === 0 ? recorded : inProduction;
}

/** True of operations that a build ran beside production's: how often they did says nothing of a day. */
export function areHere(operations: readonly Operation[]): boolean {
  return operations.some((operation) => operation.recordedHere === true);
}

export function sourcesOf(
  { sources, sourcesHere }: Pick<Workload, 'sources' | 'sourcesHere'>,
  operations: readonly Operation[],
): Pick<Workload, 'sources'> {
  return { sources: areHere(operations) ? (sourcesHere ?? sources) : sources };
}

/** Behind a window, if it was recorded in the linted database and others in production. */
export function placeText(operations: readonly Operation[]): string {
  return areHere(operations) ? ', here' : '';
}
