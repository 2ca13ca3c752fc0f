import { type ClientSession, type Collection, type Db, type Document, MongoServerError } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { deepNesting, dynamicFieldNames, outlierDocument, oversizedDocument } from './documents.js';
import { type Exhibit, faulty, planted } from './exhibit.js';
import { askForOrders } from './order-queries.js';
import { danglingReference } from './references.js';
import { expiredDocuments } from './times.js';

const PAGES = 200;

const VIEWS = 30;

/** So many writers add to one counter at once. */
const WRITERS = 40;

/** Conflicts of a counter that are reported. */
const CONFLICTS = 100;

/** Replaces documents, or sets what changed of them. The profiler keeps the command of small ones only. */
const rated = (replaces: boolean) => async (database: Db, name: string) => {
  const documents = database.collection(name);
  const some = await documents.find().limit(10).toArray();
  await recordOperations(database, async () => {
    for (const { _id, ...document } of some)
      if (replaces) await documents.replaceOne({ _id }, { ...document, rating: 5 });
      else await documents.updateOne({ _id }, { $set: { rating: 5 } });
  });
};

/** On the replies of `deep-nesting` and the books of `outlier-document`, which are planted before. */
const wholeDocumentWrite: Exhibit = {
  check: 'whole-document-write',
  needsMember: true,
  story: 'replies that are replaced for a new rating / books of which the rating is set',
  thresholds: { info: 10 },
  bad: faulty(deepNesting.twin.name, null, rated(true)),
  twin: planted(outlierDocument.twin.name, rated(false)),
};

const visited = (field: string) => (database: Db, name: string) =>
  askForOrders(database, async () => {
    const games = database.collection(name);
    // A text is no number to add to.
    await games.updateOne({}, { $set: { note: 'a game' } });
    await games.updateOne({}, { $inc: { [field]: 1 } }).catch(() => null);
  });

/** On the games of `dynamic-field-names`, which are planted before. */
const failingOperations: Exhibit = {
  check: 'failing-operations',
  needsMember: true,
  story: 'games whose visits are added to a text / to a number',
  bad: faulty(dynamicFieldNames.bad.name, null, visited('note')),
  twin: planted(dynamicFieldNames.twin.name, visited('visits')),
};

/** On the same games. */
const massWrite: Exhibit = {
  check: 'mass-write',
  needsMember: true,
  story: 'all games moved to the next season / one game',
  thresholds: { documents: 30 },
  bad: faulty(dynamicFieldNames.bad.name, null, (database, name) =>
    askForOrders(database, (season) => database.collection(name).updateMany({}, { $set: { season } })),
  ),
  twin: planted(dynamicFieldNames.twin.name, (database, name) =>
    askForOrders(database, (season) => database.collection(name).updateOne({}, { $set: { season } })),
  ),
};

/** Until so many conflicts are recorded as a busy machine may not have at once; as often on a counter for each writer. */
async function countViews(database: Db, name: string, counts: boolean): Promise<void> {
  const books = database.collection(name);
  const some = await books
    .find({}, { projection: { _id: 1 } })
    .limit(WRITERS)
    .toArray();
  const counters = counts ? some : some.slice(0, 1);
  await recordOperations(database, async () => {
    for (let round = 0; round < 100; round += 1) {
      await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) =>
          books.updateOne({ _id: counters[writer % counters.length]?._id as never }, { $inc: { views: 1 } }),
        ),
      );
      const [{ conflicts } = { conflicts: 0 }] = await database
        .collection('system.profile')
        .aggregate<{ conflicts: number }>([
          { $match: { ns: books.namespace } },
          { $group: { _id: null, conflicts: { $sum: '$writeConflicts' } } },
        ])
        .toArray();
      if (counts || conflicts >= 2 * CONFLICTS) break;
    }
  });
}

/** On the books of `outlier-document`, which are planted before. */
const writeContention: Exhibit = {
  check: 'write-contention',
  needsMember: true,
  story: 'views that forty writers count in one document / each in a document of its own',
  thresholds: { info: 0.01 },
  bad: faulty(outlierDocument.bad.name, 'views', (database, name) => countViews(database, name, false)),
  twin: planted(outlierDocument.twin.name, (database, name) => countViews(database, name, true)),
};

async function plantViews(database: Db, name: string, unique: boolean): Promise<void> {
  const pages = database.collection(name);
  await pages.insertMany(Array.from({ length: PAGES }, (_, page) => ({ page: `/p${page}`, views: 0 })));
  await pages.createIndex({ page: 1 }, { unique });
  await recordOperations(database, async () => {
    for (let view = 0; view < VIEWS; view += 1)
      await pages.updateOne({ page: `/p${view}` }, { $inc: { views: 1 } }, { upsert: true });
  });
}

const upsertWithoutUniqueIndex: Exhibit = {
  check: 'upsert-without-unique-index',
  needsMember: true,
  story: 'views counted by page, inserted if the page is new / with a unique index on the page',
  bad: faulty('page_views', 'page_1', (database, name) => plantViews(database, name, false)),
  twin: planted('page_views_unique', (database, name) => plantViews(database, name, true)),
};

async function shorten(database: Db, name: string, options: object): Promise<void> {
  const pages = database.collection(name);
  await pages.updateMany({ page: { $ne: '/p1' } }, [{ $set: { link: { $concat: ['l', '$page'] } } }]);
  await pages.createIndex({ link: 1 }, { unique: true, ...options });
}

/** On the pages of `upsert-without-unique-index`, which are planted before. */
const uniqueIndexOnOptionalField: Exhibit = {
  check: 'unique-index-on-optional-field',
  needsMember: true,
  story: 'unique short links of pages, of which one has none / unique among the pages that have one',
  bad: faulty(upsertWithoutUniqueIndex.bad.name, 'link_1', (database, name) => shorten(database, name, {})),
  twin: planted(upsertWithoutUniqueIndex.twin.name, (database, name) =>
    shorten(database, name, { partialFilterExpression: { link: { $exists: true } } }),
  ),
};

const groupViews = (database: Db, name: string, kept: Document) =>
  askForOrders(database, () =>
    database
      .collection(name)
      .aggregate([{ $group: { _id: '$views', kept } }])
      .toArray(),
  );

/** On the same pages. */
const memoryBoundAggregation: Exhibit = {
  check: 'memory-bound-aggregation',
  needsMember: true,
  story: 'all pages collected by how often they were seen / counted',
  thresholds: { held: 1_000 },
  bad: faulty(upsertWithoutUniqueIndex.bad.name, null, (database, name) =>
    groupViews(database, name, { $push: '$$ROOT' }),
  ),
  twin: planted(upsertWithoutUniqueIndex.twin.name, (database, name) => groupViews(database, name, { $sum: 1 })),
};

const INVOICES = 3_000;

const TOTALS = { $group: { _id: '$customer', total: { $sum: '$total' } } };

async function ask(database: Db, name: string, stagesBefore: (customer: unknown) => Document[]): Promise<void> {
  const invoices = database.collection(name);
  const one = await invoices.findOne({});
  await askForOrders(database, () => invoices.aggregate([...stagesBefore(one?.['customer']), TOTALS]).toArray());
}

/** On the invoices of `dangling-reference`, which are planted before: references are looked for among a hundred collections. */
const computedValue: Exhibit = {
  check: 'computed-value',
  needsMember: true,
  story: 'the totals of all customers, computed for each reader / the total of the one customer who asks',
  thresholds: { documents: INVOICES, executions: 5 },
  bad: faulty(danglingReference.bad.name, null, (database, name) => ask(database, name, () => [])),
  twin: planted(danglingReference.twin.name, (database, name) =>
    ask(database, name, (customer) => [{ $match: { customer } }]),
  ),
};

const CARTS = 1_600;

async function plantCarts(database: Db, name: string, pipeline: Document[]): Promise<void> {
  const random = new SeededRandom(47);
  const carts = Array.from({ length: CARTS }, (_, number) => ({
    number,
    items: Array.from({ length: random.between(4, 14) }, () => ({
      sku: `A${random.below(900)}`,
      price: random.between(2, 90),
    })),
  }));
  await database.collection(name).insertMany(carts);
  await askForOrders(database, () => database.collection(name).aggregate(pipeline).toArray());
}

const rebuiltArray: Exhibit = {
  check: 'rebuilt-array',
  needsMember: true,
  story: 'the total of each cart, by taking its items apart and grouping them again / by a sum over the array',
  bad: faulty('carts_taken_apart', 'items', (database, name) =>
    plantCarts(database, name, [{ $unwind: '$items' }, { $group: { _id: '$_id', total: { $sum: '$items.price' } } }]),
  ),
  twin: planted('carts_added_up', (database, name) =>
    plantCarts(database, name, [{ $project: { total: { $sum: '$items.price' } } }]),
  ),
};

const ROUNDS = 4;

/** One session has this agent, and one this number of pages; others have tens. */
const ONE = { agent: 'Browser of one', pages: 1_000 };

const MANY = { agent: 'Browser 7', pages: 7 };

/** Asks for rare and common values in turn: the index that was best for one is a bad choice for the other. */
async function askInTurn(database: Db, name: string): Promise<void> {
  const sessions = database.collection(name);
  await recordOperations(database, async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const filter of [
        { agent: ONE.agent, pages: MANY.pages },
        { agent: MANY.agent, pages: ONE.pages },
      ])
        for (let times = 0; times < 3; times += 1) await sessions.find(filter).toArray();
  });
}

async function addOne(sessions: Collection): Promise<void> {
  const other = await sessions.findOne({}, { projection: { _id: 0 } });
  await sessions.insertOne({ ...other, agent: ONE.agent, pages: MANY.pages });
  await sessions.insertOne({ ...other, agent: MANY.agent, pages: ONE.pages });
}

/** On the sessions of `expired-documents`, which are planted before: references are looked for among a hundred collections. */
const unstablePlan: Exhibit = {
  check: 'unstable-plan',
  story: 'sessions of a browser and a number of pages, by an index on either / by one on both',
  bad: faulty(expiredDocuments.bad.name, null, async (database, name) => {
    const sessions = database.collection(name);
    await addOne(sessions);
    await sessions.createIndex({ agent: 1 });
    await sessions.createIndex({ pages: 1 });
    await askInTurn(database, name);
  }),
  twin: planted(expiredDocuments.twin.name, async (database, name) => {
    const sessions = database.collection(name);
    await addOne(sessions);
    await sessions.createIndex({ agent: 1, pages: 1 });
    await askInTurn(database, name);
  }),
};

const DOCUMENTS = 150;

/** Inserts as many documents in so many transactions, with the profiler on. */
export function insertInTransactions(database: Db, name: string, transactions: number): Promise<void> {
  const documents = Array.from({ length: DOCUMENTS / transactions }, (_, index) => ({
    sensor: index % 100,
    value: index % 17,
    unit: 'C',
  }));
  return recordOperations(database, async () => {
    for (let done = 0; done < transactions; done += 1) {
      await database.client.withSession((session) =>
        session.withTransaction(() =>
          database.collection(name).insertMany(
            documents.map((each) => ({ ...each })),
            { session },
          ),
        ),
      );
    }
  });
}

/** On the calibrations of `oversized-document`, which are planted before. */
const openTransactions: Exhibit = {
  check: 'open-transactions',
  story: 'an import of 150 calibrations in one transaction / the same in three',
  needsMember: true,
  thresholds: { documents: 100 },
  bad: faulty(oversizedDocument.bad.name, null, (database, name) => insertInTransactions(database, name, 1)),
  twin: planted(oversizedDocument.twin.name, (database, name) => insertInTransactions(database, name, 3)),
};

const MEETINGS = 30;

/** One cook holds a recipe while others write: the same recipe, or another one. */
export async function cookTogether(database: Db, name: string, meets: boolean): Promise<void> {
  const recipes = database.collection(name);
  const [held, other] = await recipes
    .find({}, { projection: { _id: 1 } })
    .limit(2)
    .toArray();
  const cook = (recipe: Document | undefined, session: ClientSession) =>
    recipes.updateOne({ _id: recipe?.['_id'] as never }, { $inc: { cooked: 1 } }, { session });
  await recordOperations(database, () =>
    database.client.withSession((holding) =>
      holding.withTransaction(async () => {
        await cook(held, holding);
        for (let round = 0; round < MEETINGS; round += 1)
          await database.client.withSession(async (cooking) => {
            cooking.startTransaction();
            const error: unknown = await cook(meets ? held : other, cooking).catch((caught: unknown) => caught);
            if (error instanceof MongoServerError && error.codeName === 'WriteConflict')
              await cooking.abortTransaction();
            else await cooking.commitTransaction();
          });
      }),
    ),
  );
}

/** On the recipes of `large-multikey-index`, which are planted before. */
const retriedTransactions: Exhibit = {
  check: 'retried-transactions',
  needsMember: true,
  story: 'cooks whose transactions all write the recipe that one of them holds / another recipe',
  thresholds: { conflicts: MEETINGS },
  bad: faulty('recipes_with_likes', null, (database, name) => cookTogether(database, name, true)),
  twin: planted('recipes_with_tags', (database, name) => cookTogether(database, name, false)),
};

/** Tastes one recipe as often with each write concern, as two applications do that share a collection. */
export async function taste(database: Db, name: string, writers: readonly ('majority' | 1)[]): Promise<void> {
  const recipes = database.collection(name);
  const one = await recipes.findOne({}, { projection: { _id: 1 } });
  await recordOperations(database, async () => {
    for (const w of writers)
      for (let times = 0; times < MEETINGS; times += 1)
        await recipes.findOneAndUpdate({ _id: one?._id as never }, { $inc: { tasted: 1 } }, { writeConcern: { w } });
  });
}

/** On the recipes of `large-multikey-index`, which are planted before. */
const unsafeWriteConcern: Exhibit = {
  check: 'unsafe-write-concern',
  needsMember: true,
  story: 'tasters, of whom some wait for one member and others for a majority / all for a majority',
  thresholds: { writes: MEETINGS },
  bad: faulty('recipes_with_likes', null, (database, name) => taste(database, name, [1, 'majority'])),
  twin: planted('recipes_with_tags', (database, name) => taste(database, name, ['majority'])),
};

const keepImages = (database: Db, name: string) =>
  database.command({ collMod: name, changeStreamPreAndPostImages: { enabled: true } });

/** On the calibrations of `oversized-document`, which are planted before. The demo's own oplog is a minute old. */
const shortOplog: Exhibit = {
  check: 'short-oplog',
  story: 'a document of 15 MB that change streams are to show before and after each change / none as large',
  needsMember: true,
  bad: faulty(oversizedDocument.bad.name, null, keepImages),
  twin: planted(oversizedDocument.twin.name, keepImages),
};

export const operationsExhibits: readonly Exhibit[] = [
  upsertWithoutUniqueIndex,
  uniqueIndexOnOptionalField,
  memoryBoundAggregation,
  wholeDocumentWrite,
  writeContention,
  massWrite,
  failingOperations,
  computedValue,
  rebuiltArray,
  unstablePlan,
  openTransactions,
  retriedTransactions,
  unsafeWriteConcern,
  shortOplog,
];
