import { MongoServerSelectionError } from 'mongodb';
import { skipReason } from '../../connect/server-error.js';
import { isFault } from '../../presence.js';

/** Enough to find two collections among 50. */
const MOST_REFUSED = 12;
const TIMEOUT_COSTS = 4;
/** For each collection that was answered for: what groups save may be spent on refused ones. */
const EARNED_SHARE = 0.2;

/** How many refused commands a run may still answer with smaller groups, before it asks about each collection alone. */
export class GroupRetries {
  #left = MOST_REFUSED;

  get areLeft(): boolean {
    return this.#left > 0;
  }

  answered(collections: number): void {
    this.#left = Math.min(MOST_REFUSED, this.#left + EARNED_SHARE * collections);
  }

  refused(isTimeout: boolean): void {
    this.#left -= isTimeout ? TIMEOUT_COSTS : 1;
  }
}

/** Items in parts of at most so many that weigh no more than so much together; a heavier one is a part of its own. */
export function partsWithin<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  mostWeight: number,
  mostItems = Infinity,
): Item[][] {
  const parts: Item[][] = [];
  let weight = 0;
  for (const item of items) {
    const part = parts.at(-1);
    weight += weightOf(item);
    if (part !== undefined && part.length < mostItems && weight <= mostWeight) part.push(item);
    else {
      parts.push([item]);
      weight = weightOf(item);
    }
  }
  return parts;
}

/**
 * Asks about a group. One collection that is missing or forbidden fails the whole command: then each half is asked about.
 * What is left out of the answers has to be asked about alone. @throws MongoServerSelectionError
 */
export async function readInHalves<Member, Answer>(
  group: readonly Member[],
  retries: GroupRetries,
  read: (group: readonly Member[]) => Promise<ReadonlyMap<string, Answer>>,
): Promise<ReadonlyMap<string, Answer>> {
  if (group.length < 2 || !retries.areLeft) return new Map();
  try {
    const answers = await read(group);
    retries.answered(answers.size);
    return answers;
  } catch (error) {
    // Each collection would wait for a server again.
    if (error instanceof MongoServerSelectionError) throw error;
    const reason = skipReason(error);
    if (isFault({ reason }) && reason !== 'fault') return new Map();
    retries.refused(reason === 'timeout');
  }
  const middle = Math.ceil(group.length / 2);
  const first = await readInHalves(group.slice(0, middle), retries, read);
  return new Map([...first, ...(await readInHalves(group.slice(middle), retries, read))]);
}
