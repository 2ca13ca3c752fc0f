import type { Document } from 'mongodb';
import { SeededRandom } from '../demo/seeded-random.js';
import { averageOf, bestFigures } from '../workload/operations/figures.js';
import { operationKey } from '../workload/shapes/operation-shape.js';
import type { TracedOperation } from '../workload/traced-workload.js';
import { commandOf, joinedBy } from './commands.js';
import { Constants, NotRunnable } from './constants.js';
import { costOf, type Cost } from './rehearsal.js';
import { hashOf, type ScaledCollection } from './scaled-collection.js';
import type { Scratch } from './scratch.js';
import type { Source } from './source.js';

/** Executions of a shape, each with other constants. Judgement: an average of five, and a scan takes tenths of a second. */
export const RUNS = 5;
/** Values of a list whose length is not recorded. Judgement. */
const FEW_VALUES = 3;
/** Values of a list at most. */
const MOST_VALUES = 1_000;
/** MaxTimeMSExpired. */
const OUT_OF_TIME = /\bcode 50$/;

/**
 * The commands that repeat an operation, the same before and after.
 *
 * @throws NotRunnable if its shape does not say enough, or a collection that it reads was not built
 */
export function commandsOf(
  { operation, view, base, stages }: TracedOperation,
  { unread }: Pick<Source, 'unread'>,
  scaled: ReadonlyMap<string, ScaledCollection>,
): Document[] {
  const { shape } = operation;
  if (view !== null) throw new NotRunnable('it runs on a view');
  for (const namespace of joinedBy(stages))
    if (!scaled.has(namespace)) throw new NotRunnable(`it joins ${namespace}: ${unread.get(namespace) ?? 'not built'}`);
  const collection = scaled.get(base);
  if (collection === undefined) throw new NotRunnable(unread.get(base) ?? 'its collection was not built');
  const { figures } = bestFigures(operation);
  const returned =
    averageOf(operation, 'documentsWritten')?.value || (averageOf(operation, 'documentsReturned')?.value ?? 1);
  const skipped = (figures.skips?.documents ?? 0) / Math.max(1, figures.executions);
  const lengthOf = (path: string) =>
    Math.min(MOST_VALUES, figures.lists?.[path]?.median ?? (figures.longestLiteralArray || FEW_VALUES));
  const random = new SeededRandom(hashOf(operationKey(shape)));
  const constants = new Constants(collection, random, lengthOf);
  return Array.from({ length: RUNS }, () => commandOf(shape, constants, { returned, skipped }));
}

/** The average of the executions; null if one does not end in time. @throws NotRunnable if the server refuses one */
export async function measured(
  scratch: Scratch,
  commands: readonly Document[],
  maxTimeMS: number,
): Promise<Cost | null> {
  const costs: Cost[] = [];
  for (const command of commands) {
    const explained = await scratch.explain(command, maxTimeMS);
    if (typeof explained !== 'string') costs.push(costOf(explained));
    else if (OUT_OF_TIME.test(explained)) return null;
    else throw new NotRunnable(`the scratch server refused it (${explained})`);
  }
  const average = (of: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length;
  return {
    documentsExamined: average(({ documentsExamined }) => documentsExamined),
    keysExamined: average(({ keysExamined }) => keysExamined),
    returned: average(({ returned }) => returned),
    sortsInMemory: costs.some(({ sortsInMemory }) => sortsInMemory),
    indexes: [...new Set(costs.flatMap(({ indexes }) => indexes))].toSorted(),
    scans: costs.some(({ scans }) => scans),
  };
}
