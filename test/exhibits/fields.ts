import { ObjectId, type Db } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { type Exhibit, faulty, planted } from './exhibit.js';
import { askForOrders } from './order-queries.js';
import { denormalizedDrift } from './references.js';

const EVENTS = 1_000;

/** The old importer wrote one event in so many. */
const STRAY_EVERY = 250;

const startOf = (index: number) => new Date(1.7e12 + index * 3_600_000);

export const mixedTypes: Exhibit = {
  check: 'mixed-types',
  story: 'a few dates stored as strings / attributes whose values may be of any type',
  bad: faulty('events_with_stray_dates', 'starts', async (database, name) => {
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      title: `event ${index}`,
      starts: index % STRAY_EVERY === 0 ? startOf(index).toISOString() : startOf(index),
    }));
    await database.collection(name).insertMany(events);
  }),
  twin: planted('events_with_attributes', async (database, name) => {
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      title: `event ${index}`,
      starts: startOf(index),
      attributes: [
        { k: 'seats', v: index % 90 },
        { k: 'hall', v: `hall ${index % 7}` },
        { k: 'outdoors', v: index % 2 === 0 },
      ],
    }));
    await database.collection(name).createIndex({ 'attributes.k': 1, 'attributes.v': 1 });
    await database.collection(name).insertMany(events);
  }),
};

/** Half of the orders are older. */
const CHANGED = ObjectId.createFromTime(Date.UTC(2026, 0, 11) / 1_000);

const ADDRESS = { street: 'Mill Lane 4', city: 'York', postcode: 'YO1 7HE' };

async function plantAddresses(database: Db, name: string, [older, newer]: readonly object[] = []): Promise<void> {
  const orders = database.collection(name);
  await orders.updateMany({ _id: { $lt: CHANGED } }, { $set: { ...ADDRESS, ...older } });
  await orders.updateMany({ _id: { $gte: CHANGED } }, { $set: { shipTo: ADDRESS, ...newer } });
}

/** On the orders of `denormalized-drift`, which are planted before: references are looked for among a hundred collections. */
const schemaVersions: Exhibit = {
  check: 'schema-versions',
  story:
    'orders whose address was in three fields until a day, and in an object since / with the version of their schema',
  bad: faulty(denormalizedDrift.bad.name, 'shipTo', plantAddresses),
  twin: planted(denormalizedDrift.twin.name, (database, name) =>
    plantAddresses(database, name, [{ schemaVersion: 1 }, { schemaVersion: 2 }]),
  ),
};

const HOUR = { $add: ['$starts', 3_600_000] };

const DATES = { starts: { $type: 'date' } };

/** On the events of `mixed-types`, which are planted before: references are looked for among a hundred collections. */
const typedValuesAsStrings: Exhibit = {
  check: 'typed-values-as-strings',
  story: 'dates that are kept as text, and as dates in the collection beside it',
  bad: faulty(mixedTypes.bad.name, 'ends', (database, name) =>
    database
      .collection(name)
      .updateMany(DATES, [{ $set: { ends: { $dateToString: { date: HOUR, format: '%Y-%m-%dT%H:%M:%SZ' } } } }]),
  ),
  twin: planted(mixedTypes.twin.name, (database, name) =>
    database.collection(name).updateMany(DATES, [{ $set: { ends: HOUR } }]),
  ),
};

const INVOICES = 1_000;

async function plantInvoices(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(9);
  const invoices = Array.from({ length: INVOICES }, (_, number) => ({
    number,
    customer: { _id: random.between(1, 200), country: 'NL' },
    issued: new Date(1.7e12 + number * 60_000),
    total: random.between(1, 500),
  }));
  await database.collection(name).insertMany(invoices);
}

const missingValidator: Exhibit = {
  check: 'missing-validator',
  story: 'invoices of one shape without a validator / the same with one',
  thresholds: { documents: INVOICES },
  bad: faulty('invoices_unguarded', null, plantInvoices),
  twin: planted('invoices_with_validator', async (database, name) => {
    const $jsonSchema = {
      required: ['number', 'customer', 'issued', 'total'],
      properties: {
        number: { bsonType: 'int' },
        customer: { bsonType: 'object' },
        issued: { bsonType: 'date' },
        total: { bsonType: 'int', minimum: 0 },
      },
    };
    await database.createCollection(name, { validator: { $jsonSchema } });
    await plantInvoices(database, name);
  }),
};

async function oneById(database: Db, name: string, idOf: (id: unknown) => unknown): Promise<void> {
  const invoices = database.collection(name);
  const first = await invoices.findOne();
  await askForOrders(database, () => invoices.find({ _id: idOf(first?._id) as never }).toArray());
}

/** On the same invoices. */
const neverMatchingCondition: Exhibit = {
  check: 'never-matching-condition',
  needsMember: true,
  story: 'an invoice looked up by the text of its _id / by its _id',
  bad: faulty(missingValidator.bad.name, '_id', (database, name) => oneById(database, name, String)),
  twin: planted(missingValidator.twin.name, (database, name) => oneById(database, name, (id) => id)),
};

export const fieldsExhibits: readonly Exhibit[] = [
  mixedTypes,
  schemaVersions,
  typedValuesAsStrings,
  neverMatchingCondition,
  missingValidator,
];
