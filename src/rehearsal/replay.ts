import type { Document } from 'mongodb';
import { SeededRandom } from '../demo/seeded-random.js';
import { averageOf, bestFigures } from '../workload/operations/figures.js';
import { operationKey } from '../workload/shapes/operation-shape.js';
import type { TracedOperation } from '../workload/traced-workload.js';
import { WRITE_KINDS } from '../workload/workload.js';
import { commandOf, joinedBy } from './commands.js';
import { Constants, NotRunnable } from './constants.js';
import { costOf, type Cost } from './rehearsal.js';
import { isLikeRecorded, nearest, type RecordedSize, sizeText } from './result-size.js';
import { hashOf, type ScaledCollection } from './scaled-collection.js';
import type { Scratch } from './scratch.js';
import type { Source } from './source.js';

/** Executions of a shape, each with other constants. Judgement: an average of five, and a scan takes tenths of a second. */
export const RUNS = 5;
/** Constants that are tried for executions that return what was recorded. Judgement: two seconds of scans for a shape. */
const MOST_TRIED = 40;
/** Values of a list whose length is not recorded. Judgement. */
const FEW_VALUES = 3;
/** Values of a list at most. */
const MOST_VALUES = 1_000;
/** MaxTimeMSExpired. */
const OUT_OF_TIME = /\bcode 50$/;

/** How a recorded operation is repeated. */
export interface Replay {
  /** The command with other constants each time. @param isVaried whether they may find more or fewer documents */
  draw(isVaried: boolean): Document;
  /** What an execution returned; null if that was not recorded. */
  readonly recorded: RecordedSize | null;
}

/** The commands that repeat an operation before and after, and what they cost before; null if one did not end in time. */
export interface Replayed {
  readonly commands: readonly Document[];
  readonly cost: Cost | null;
}

/**
 * How an operation is repeated.
 *
 * @throws NotRunnable if its shape does not say enough, or a collection that it reads was not built
 */
export function replayOf(
  { operation, view, base, stages }: TracedOperation,
  { unread, collections }: Pick<Source, 'unread' | 'collections'>,
  scaled: ReadonlyMap<string, ScaledCollection>,
): Replay {
  const { shape } = operation;
  if (view !== null) throw new NotRunnable('it runs on a view');
  for (const namespace of joinedBy(stages))
    if (!scaled.has(namespace)) throw new NotRunnable(`it joins ${namespace}: ${unread.get(namespace) ?? 'not built'}`);
  const collection = scaled.get(base);
  if (collection === undefined) throw new NotRunnable(unread.get(base) ?? 'its collection was not built');
  const { figures } = bestFigures(operation);
  const average = averageOf(operation, 'documentsReturned')?.value ?? null;
  const returned = averageOf(operation, 'documentsWritten')?.value || (average ?? 1);
  const skipped = (figures.skips?.documents ?? 0) / Math.max(1, figures.executions);
  const lengthOf = (path: string) =>
    Math.min(MOST_VALUES, figures.lists?.[path]?.median ?? (figures.longestLiteralArray || FEW_VALUES));
  const constants = new Constants(collection, new SeededRandom(hashOf(operationKey(shape))), lengthOf);
  // What a count counts is not recorded, and a write may leave what it finds as it is.
  const isRecorded = average !== null && shape.kind !== 'count' && !WRITE_KINDS.has(shape.kind);
  const factor = collection.size / Math.max(1, collections.get(base)?.count ?? 1);
  let drawn = 0;
  return {
    recorded: isRecorded ? { average, scaled: average * factor } : null,
    draw(isVaried) {
      drawn += 1;
      if (isVaried) constants.vary({ inVain: returned < 1 && drawn % 2 === 0 });
      return commandOf(shape, constants, { returned, skipped });
    },
  };
}

/**
 * Repeats an operation with constants that return what was recorded.
 *
 * @throws NotRunnable if the server refuses it, or no constants do
 */
export async function replayed(scratch: Scratch, { draw, recorded }: Replay, maxTimeMS: number): Promise<Replayed> {
  const tried: { readonly command: Document; readonly cost: Cost }[] = [];
  while (tried.length < MOST_TRIED) {
    const commands = Array.from({ length: RUNS }, () => draw(tried.length > 0));
    for (const command of commands) {
      const cost = await costOn(scratch, command, maxTimeMS);
      if (cost === null) return { commands, cost };
      tried.push({ command, cost });
    }
    const chosen = recorded === null ? tried : nearest(tried, RUNS, ({ cost }) => cost.returned, recorded);
    const cost = averageCost(chosen.map((each) => each.cost));
    if (recorded === null || isLikeRecorded(cost.returned, recorded))
      return { commands: chosen.map(({ command }) => command), cost };
  }
  const found = averageCost(tried.map(({ cost }) => cost)).returned;
  throw new NotRunnable(
    `no constants return what was recorded: ${sizeText(found)} on average, ${sizeText(recorded?.average ?? 0)} recorded`,
  );
}

/** The average of the executions; null if one does not end in time. @throws NotRunnable if the server refuses one */
export async function measured(
  scratch: Scratch,
  commands: readonly Document[],
  maxTimeMS: number,
): Promise<Cost | null> {
  const costs: Cost[] = [];
  for (const command of commands) {
    const cost = await costOn(scratch, command, maxTimeMS);
    if (cost === null) return null;
    costs.push(cost);
  }
  return averageCost(costs);
}

async function costOn(scratch: Scratch, command: Document, maxTimeMS: number): Promise<Cost | null> {
  const explained = await scratch.explain(command, maxTimeMS);
  if (typeof explained !== 'string') return costOf(explained);
  if (OUT_OF_TIME.test(explained)) return null;
  throw new NotRunnable(`the scratch server refused it (${explained})`);
}

function averageCost(costs: readonly Cost[]): Cost {
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
