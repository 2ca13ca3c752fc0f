import { Decimal128, MongoClient, ObjectId, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingValidator } from '../../checks/missing-validator/check.js';
import { mixedTypes } from '../../checks/mixed-types/check.js';
import { schemaVersions } from '../../checks/schema-versions.js';
import { typedValuesAsStrings } from '../../checks/typed-values-as-strings.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { runRemedies } from '../support/remedy.js';

const INVOICES = 12_000;
const EVENTS = 800;

const placed = (index: number) => new Date(1.7e12 + index * 60_000);

describe('the shape of documents on a real server', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  afterAll(() => client.close());
  const database = freshDatabase(client);
  const random = new SeededRandom(21);
  const invoices = database.collection('invoices');
  const events = database.collection<Document>('events');
  const lintFor = async (check: typeof missingValidator | typeof mixedTypes, name: string) =>
    (await lint({ uri: sharedReplicaSetUri(), include: [`${database.databaseName}.${name}`], checks: [check] }))
      .findings;

  async function validatorOfInvoices(): Promise<Document> {
    const { cursor } = await database.command({ listCollections: 1, filter: { name: 'invoices' } });
    return cursor.firstBatch[0].options.validator;
  }

  beforeAll(async () => {
    await invoices.insertMany(
      Array.from({ length: INVOICES }, (_, number) => ({
        number,
        customer: { _id: new ObjectId(), country: 'NL', ...(number % 9 === 0 && { vat: `secret-${number}` }) },
        issued: new Date(1.7e12 + number),
        lines: Array.from({ length: random.between(0, 4) }, () => ({
          sku: 'secret-sku',
          price: Decimal128.fromString('9.95'),
          quantity: random.between(1, 9),
        })),
        paid: number % 3 === 0 ? null : new Date(1.7e12),
      })),
    );
    await events.insertMany(
      Array.from({ length: EVENTS }, (_, index) => ({
        starts: index % 200 === 0 ? new Date(1.7e12 + index).toISOString() : new Date(1.7e12 + index),
        venue: { zip: index % 2 === 0 ? '2611' : 2_611 },
      })),
    );
  });

  it('missing-validator: its command sets a validator that all documents satisfy, and the finding is gone', async () => {
    const findings = await lintFor(missingValidator, 'invoices');
    expect(findings.map(({ path, severity }) => `${severity} ${path}`)).toEqual(['info null']);
    expect(JSON.stringify(findings)).not.toContain('secret');
    await runRemedies(client, findings);
    const validator = await validatorOfInvoices();
    expect(validator['$jsonSchema'].required).toEqual(['_id', 'number', 'customer', 'issued', 'lines', 'paid']);
    expect(await invoices.countDocuments({ $nor: [validator] })).toBe(0);
    expect(await lintFor(missingValidator, 'invoices')).toEqual([]);
  });

  it('missing-validator: is silent about documents that expire, and about those that an object mapper writes', async () => {
    await invoices.aggregate([{ $out: 'expiring' }]).toArray();
    await database.collection('expiring').createIndex({ issued: 1 }, { expireAfterSeconds: 2 ** 31 - 1 });
    await invoices.aggregate([{ $set: { __v: 0 } }, { $out: 'mapped' }]).toArray();
    await invoices.aggregate([{ $out: 'copied' }]).toArray();
    expect(await lintFor(missingValidator, 'expiring')).toEqual([]);
    expect(await lintFor(missingValidator, 'mapped')).toEqual([]);
    expect(await lintFor(missingValidator, 'copied')).toHaveLength(1);
  });

  it('missing-validator: several collections are one finding without commands, and one fewer once one has a validator', async () => {
    await invoices.aggregate([{ $out: 'archived_invoices' }]).toArray();
    const [found, ...others] = await lintFor(missingValidator, '*');
    expect(others).toEqual([]);
    expect(found?.remedy.commands).toBeUndefined();
    expect(found?.furtherReasons?.map(({ namespace }) => namespace?.split('.')[1])).toEqual(['copied']);
    const [alone] = await lintFor(missingValidator, 'copied');
    await runRemedies(client, alone === undefined ? [] : [alone]);
    const left = await lintFor(missingValidator, '*');
    expect(left.map(({ namespace, furtherReasons }) => [namespace.split('.')[1], furtherReasons])).toEqual([
      ['archived_invoices', undefined],
    ]);
    await database.dropCollection('archived_invoices');
  });

  it('missing-validator: the validator lets a wrong document pass, and finds it', async () => {
    const { insertedId } = await invoices.insertOne({ number: 'twelve' });
    expect(await invoices.find({ $nor: [await validatorOfInvoices()] }).toArray()).toEqual([
      expect.objectContaining({ _id: insertedId }),
    ]);
  });

  it('mixed-types: is silent about values of attributes, which have the types of what their ids define', async () => {
    const definitions = [() => 'high', (number: number) => number, () => true];
    await database.collection<Document>('cards').insertMany(
      Array.from({ length: EVENTS }, (_, number) => ({
        customFields: definitions.map((make, at) => ({ _id: `field-${at}`, value: make(number) })),
        cells: [{ _id: new ObjectId(), value: number % 2 === 0 ? 'high' : number }],
      })),
    );
    expect((await lintFor(mixedTypes, 'cards')).map(({ path }) => path)).toEqual(['cells[].value']);
  });

  it('mixed-types: finds both fields, and is silent once the values are converted', async () => {
    const found = await lintFor(mixedTypes, 'events');
    expect(found.map(({ path, severity }) => `${severity} ${path}`)).toEqual(['warning starts', 'warning venue.zip']);
    expect(found[0]?.remedy.text).toContain(
      'updateMany({ "starts": { "$type": "string" } }, [{ "$set": { "starts": { "$convert": { "input": "$starts", "to": "date", "onError": "$starts" } } } }])',
    );
    const { insertedId } = await events.insertOne({ starts: 'soon' });
    await events.updateMany({ starts: { $type: 'string' } }, [
      { $set: { starts: { $convert: { input: '$starts', to: 'date', onError: '$starts' } } } },
    ]);
    expect(await events.deleteOne({ _id: insertedId, starts: 'soon' })).toMatchObject({ deletedCount: 1 });
    await events.updateMany({ 'venue.zip': { $type: 'number' } }, [
      { $set: { 'venue.zip': { $convert: { input: '$venue.zip', to: 'string' } } } },
    ]);
    expect(await lintFor(mixedTypes, 'events')).toEqual([]);
  });

  it('mixed-types: the server changes no _id, and takes "false" for true', async () => {
    const change = events.updateMany({}, [{ $set: { _id: { $convert: { input: '$_id', to: 'string' } } } }]);
    await expect(change).rejects.toMatchObject({ code: 66 });
    const made = await database
      .aggregate([
        { $documents: [{ text: 'false' }] },
        { $project: { made: { $convert: { input: '$text', to: 'bool' } } } },
      ])
      .toArray();
    expect(made).toEqual([{ made: true }]);
  });

  it('typed-values-as-strings: finds what is typed elsewhere, and nothing once the update has converted it', async () => {
    const [orders, bills] = ['text_orders', 'text_bills'].map((name) => database.collection<Document>(name));
    const customers = Array.from({ length: 200 }, () => new ObjectId());
    await orders?.insertMany(
      customers.map((id, index) => ({
        customer: id.toHexString(),
        placed: placed(index).toISOString(),
        phone: '5550100',
      })),
    );
    await bills?.insertMany(customers.map((customer, index) => ({ customer, placed: placed(index) })));
    const include = ['text_orders', 'text_bills'].map((name) => `${database.databaseName}.${name}`);
    const find = async () =>
      (await lint({ uri: sharedReplicaSetUri(), include, checks: [typedValuesAsStrings] })).findings;
    const findings = await find();
    expect(findings.map(({ path, severity, confidence }) => `${severity} ${confidence} ${path}`)).toEqual([
      'info high customer',
      'info high placed',
    ]);
    expect(JSON.stringify(findings)).not.toContain(String(customers[0]));
    for (const { remedy } of findings) {
      const code = remedy.steps.flatMap((step) => step.code ?? []).find((each) => each.includes('updateMany'));
      const [filter, update] = JSON.parse(`[${/updateMany\((.*)\)$/.exec(code ?? '')?.[1]}]`);
      expect((await orders?.updateMany(filter, update))?.modifiedCount).toBe(customers.length);
    }
    expect(await orders?.countDocuments({ customer: customers[7], placed: placed(7) })).toBe(1);
    expect(await find()).toEqual([]);
  });

  it('schema-versions: finds generations, and nothing once the updates have numbered them, as in the twin', async () => {
    const CUSTOMERS = 3_000;
    const plant = (name: string, version?: (isOld: boolean) => Document) =>
      database.collection(name).insertMany(
        Array.from({ length: CUSTOMERS }, (_, index) => {
          const isOld = index < CUSTOMERS / 2;
          return {
            _id: ObjectId.createFromTime(Date.UTC(2024, 0, 1) / 1_000 + index * 3_600),
            name: `secret name ${index}`,
            ...(isOld
              ? { home: 'secret', work: 'secret', mobile: 'secret' }
              : { contacts: [{ kind: 'home', number: 'secret' }] }),
            ...version?.(isOld),
          };
        }),
      );
    await plant('customers_of_two_ages');
    await plant('customers_with_version', (isOld) => ({ version: isOld ? 1 : 2 }));
    const include = ['customers_of_two_ages', 'customers_with_version'].map(
      (name) => `${database.databaseName}.${name}`,
    );
    const find = async () => (await lint({ uri: sharedReplicaSetUri(), include, checks: [schemaVersions] })).findings;
    const findings = await find();
    expect(findings.map(({ namespace, path, severity }) => `${severity} ${namespace} ${path}`)).toEqual([
      `info ${database.databaseName}.customers_of_two_ages contacts`,
    ]);
    expect(findings[0]?.evidence['createdBetween']).toEqual(['2024-01 to 2024-02', '2024-03 to 2024-05']);
    expect(JSON.stringify(findings)).not.toContain('secret');
    const updates = findings[0]?.remedy.steps.flatMap(({ code }) => code?.split('\n') ?? []) ?? [];
    for (const update of updates.filter((each) => each.includes('updateMany'))) {
      const [filter, set] = JSON.parse(`[${/updateMany\((.*)\)$/.exec(update)?.[1]}]`);
      expect((await database.collection('customers_of_two_ages').updateMany(filter, set)).modifiedCount).toBe(1_500);
    }
    expect(await find()).toEqual([]);
  });
});
