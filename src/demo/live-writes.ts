import { setTimeout } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { PlantedCollection } from './exhibit.js';

/** In ms. */
const BETWEEN_ROUNDS = 250;

/** Lets applications write to planted collections for as long as something else is done. */
export async function withLiveWrites<T>(
  database: Db,
  collections: readonly PlantedCollection[],
  run: () => Promise<T>,
): Promise<T> {
  const state = { isOver: false };
  const goOn = async () => {
    while (!state.isOver) {
      for (const collection of collections) await collection.write?.(database);
      await setTimeout(BETWEEN_ROUNDS);
    }
  };
  const running = run().finally(() => (state.isOver = true));
  const [result] = await Promise.all([running, goOn()]);
  return result;
}
