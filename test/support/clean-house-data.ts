import { Decimal128, ObjectId, type Db, type Document } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';

/** Repeatable data for the clean house. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
/** The first of its days, in ms since 1970. */
export const START = Date.UTC(2025, 0, 1);
const BATCH = 2_000;

export const random = new SeededRandom(2_026);
export const whole = (minimum: number, maximum: number) => random.between(minimum, maximum);
export const one = <T>(list: readonly T[]): T => list[whole(0, list.length - 1)] as T;
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const day = () => new Date(START + whole(0, 600) * 24 * HOUR);
export const money = (most: number) => Decimal128.fromString((whole(100, most * 100) / 100).toFixed(2));
export const words = (count: number) =>
  times(count, () => one(['lorem', 'ipsum', 'dolor', 'sit', 'amet', 'consectetur'])).join(' ');

export const review = () => ({
  review_id: whole(1, 90_000),
  review_author: words(1),
  review_text: words(whole(5, 40)),
  published_date: day(),
});

export async function fill(database: Db, name: string, documents: readonly Document[]): Promise<void> {
  for (let from = 0; from < documents.length; from += BATCH)
    await database.collection(name).insertMany(documents.slice(from, from + BATCH));
}

export const publishers = times(120, () => new ObjectId());
export const customers = times(400, (index) => ({ _id: new ObjectId(), name: `Customer ${index}` }));
export const products = times(600, () => new ObjectId());
