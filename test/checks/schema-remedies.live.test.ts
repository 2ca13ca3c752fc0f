import { Decimal128, ObjectId, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { missingValidator } from '../../checks/missing-validator.js';
import { mixedTypes } from '../../checks/mixed-types/check.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

const INVOICES = 12_000;
const EVENTS = 800;

describe('the shape of documents on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const random = new SeededRandom(21);
  const invoices = database.collection('invoices');
  const events = database.collection<Document>('events');
  const lintFor = async (check: typeof missingValidator | typeof mixedTypes, name: string) =>
    (
      await lintShared({
        include: [`${database.databaseName}.${name}`],
        checks: [check],
        settings: { [check.id]: {} },
      })
    ).findings;

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
});
