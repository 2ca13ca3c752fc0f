import { Long, ObjectId, type Db, type Document } from 'mongodb';
import { fastGrowingArray } from '../../../checks/fast-growing-array/check.js';
import type { Finding } from '../../../src/finding.js';
import { lint, type LintOptions } from '../../../src/lint/lint.js';
import { nameOf } from '../../../src/namespace.js';
import type { Report } from '../../../src/report/report.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { RandomDistributions } from '../random-distributions.js';

/** By how much a rate may miss the truth. */
export const TOLERANCE = 0.15;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const elements = (count: number): Document[] =>
  times(Math.max(0, Math.round(count)), (index) => ({ by: 'someone', text: 'words', index }));
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let serial = 0;
/** An ObjectId as it was made so many days ago. */
export function idOf(days: number): ObjectId {
  serial += 1;
  const seconds = Math.floor((Date.now() - days * MS_PER_DAY) / 1000);
  return new ObjectId(seconds.toString(16).padStart(8, '0') + serial.toString(16).padStart(16, '0'));
}

/** Lints a database for growth alone. */
export function lintGrowth(uri: string, { databaseName }: Db, options: Partial<LintOptions> = {}): Promise<Report> {
  return lint({ uri, include: [`${databaseName}.*`], checks: [fastGrowingArray], ...options });
}

/** The findings of a report by collection and path: "products reviews". */
export function found({ findings }: Report): Map<string, Finding> {
  return new Map(findings.map((finding) => [`${nameOf(finding.namespace)} ${finding.path}`, finding]));
}

/** By which share the rate of a finding misses the truth; NaN where there is none. */
export function rateError(finding: Finding | undefined, perDay: number | Pace): number {
  const rate = Number(finding?.evidence['elementsPerDay'] ?? NaN);
  const { lowest, highest } = typeof perDay === 'number' ? { lowest: perDay, highest: perDay } : perDay;
  return Math.max(0, rate / highest - 1, 1 - rate / lowest);
}

/** Rounds per day, of the slowest and the fastest half or more of the time: on a busy machine they do not come evenly. */
export interface Pace {
  readonly lowest: number;
  readonly highest: number;
}

/** @param ends when each round ended, in ms */
export function paceOf(ends: readonly number[]): Pace {
  const half = ((ends.at(-1) ?? 0) - (ends[0] ?? 0)) / 2;
  const rates = ends.flatMap((from, first) =>
    ends.slice(first).flatMap((to, rounds) => (to - from >= half ? [(rounds / (to - from)) * MS_PER_DAY] : [])),
  );
  return { lowest: Math.min(...rates), highest: Math.max(...rates) };
}

/** Clients at work: in each round every document gets an element, and much else happens that is no growth. */
export class Load {
  private readonly ids = times(30, () => new ObjectId());
  private readonly carts = times(10, (index) => Long.fromNumber(index));
  private readonly random = new RandomDistributions(2);
  private readonly ends: number[] = [];
  private rounds = 0;
  private started = 0;

  constructor(private readonly database: Db) {}

  async begin(): Promise<void> {
    const slots = times(40, () => 0);
    await this.database.collection<Document>('products').insertMany(
      this.ids.map((_id) => ({
        _id,
        reviews: [],
        thread: { posts: [] },
        threads: [{ posts: [] }, { posts: [] }],
        imported: [],
        slots,
      })),
    );
    await this.database
      .collection<Document>('carts')
      .insertMany(this.carts.map((_id) => ({ _id, items: [] })) as never);
    await this.database
      .collection<Document>('lists')
      .insertMany(this.ids.map((_id) => ({ _id, last: elements(20), queue: elements(5), labels: [] })));
    this.started = performance.now();
  }

  get roundsPerDay(): Pace {
    return paceOf(this.ends);
  }

  /** Goes on for so long, and for so many rounds: on a busy machine a round takes its time, and a bucket is full after twelve. */
  async run(ms: number, rounds: number): Promise<void> {
    while (performance.now() - this.started < ms || this.rounds < rounds) await this.round();
  }

  async runUntil(done: Promise<unknown>): Promise<void> {
    const state = { isDone: false };
    const finished = done.finally(() => (state.isDone = true));
    while (!state.isDone) await this.round();
    await finished;
  }

  private async round(): Promise<void> {
    const { database, rounds, random } = this;
    const element = { at: new Date(), round: rounds };
    const updates = this.ids.flatMap((_id) => [
      {
        updateOne: {
          filter: { _id },
          update: { $push: { reviews: element, 'thread.posts': rounds, 'threads.1.posts': element } },
        },
      },
      // Written whole each time, as an application does that saves the document it holds.
      {
        updateOne: {
          filter: { _id },
          update: [{ $set: { imported: { $concatArrays: [[{ n: '$n' }], '$imported'] } } }],
        },
      },
      { updateOne: { filter: { _id }, update: { $set: { [`slots.${random.below(40)}`]: rounds + 1 } } } },
    ]);
    await database.collection<Document>('products').bulkWrite(updates as never);
    await database.client.withSession((session) =>
      session.withTransaction(async () => {
        for (const _id of this.carts)
          await database
            .collection<Document>('carts')
            .updateOne({ _id } as never, { $push: { items: element } } as never, { session });
      }),
    );
    const cut = { $push: { last: { $each: [element], $slice: -20 } } };
    const queued = rounds % 2 === 0 ? { $push: { queue: rounds } } : { $pop: { queue: -1 } };
    await database
      .collection<Document>('lists')
      .bulkWrite(
        this.ids.flatMap((_id) => [cut, queued].map((update) => ({ updateOne: { filter: { _id }, update } }))) as never,
      );
    for (let sensor = 0; sensor < 5; sensor += 1) {
      const filter = { sensor, count: { $lt: 12 } };
      await database
        .collection<Document>('buckets')
        .updateOne(filter, { $push: { readings: element }, $inc: { count: 1 } } as never, { upsert: true });
    }
    if (rounds === 10)
      await database.collection<Document>('lists').updateMany({}, { $push: { labels: 'backfilled' } } as never);
    this.rounds += 1;
    this.ends.push(performance.now());
    await pause(40);
  }
}
