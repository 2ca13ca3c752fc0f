import type { Db, Document } from 'mongodb';
import { recordOperations } from '../recorded-operations.js';
import { SeededRandom } from '../seeded-random.js';

/** Enough for a warning: 10,000 documents that an execution reads for nothing. */
const ORDERS = 12_000;
const CUSTOMERS = 400;
const EXECUTIONS = 5;
/** In ms. Orders come at random times: what came every minute would be a measurement. */
const MEAN_GAP = 60_000;
const STATUSES = ['open', 'paid', 'sent', 'returned'] as const;

export async function plantQueriedOrders(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(31);
  const gaps = new SeededRandom(32);
  let placed = 1.7e12;
  const orders = Array.from({ length: ORDERS }, (_, number): Document => {
    placed += gaps.exponential() * MEAN_GAP;
    return {
      number,
      customer: random.between(1, CUSTOMERS),
      status: STATUSES[number % STATUSES.length],
      total: random.between(5, 500),
      placed: new Date(placed),
      mail: `Customer${number}@example.com`,
    };
  });
  await database.collection(name).insertMany(orders);
}

/** Runs a query for some customers, with the profiler on. */
export async function askForOrders(database: Db, query: (customer: number) => Promise<unknown>): Promise<void> {
  await recordOperations(database, async () => {
    for (let customer = 1; customer <= EXECUTIONS; customer += 1) await query(customer);
  });
}
