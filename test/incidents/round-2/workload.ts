import { ObjectId } from 'mongodb';
import { DAY, type Planting } from '../../designs/planting.js';

/** The same id for the same number, five minutes younger than the one before. */
export function numbered(p: Planting, number: number): ObjectId {
  const seconds = Math.floor((p.now - 300 * DAY) / 1_000) + number * 300;
  return new ObjectId(seconds.toString(16).padStart(8, '0') + number.toString(16).padStart(16, '0'));
}

/** Does an operation so many times, one after the other. */
export async function repeat(times: number, operation: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index += 1) await operation(index);
}
