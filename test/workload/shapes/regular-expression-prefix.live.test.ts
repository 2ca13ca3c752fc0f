import { MongoClient, type Collection, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import { sharedReplicaSetUri } from '../../support/database.js';
import { PREFIXED, UNPREFIXED } from './regular-expressions.js';

const DATABASE = 'regular_expression_prefix';
let client: MongoClient;
let paths: Collection<Document>;

beforeAll(async () => {
  client = await new MongoClient(sharedReplicaSetUri()).connect();
  paths = client.db(DATABASE).collection('paths');
  await paths.createIndex({ path: 1 });
});

afterAll(async () => {
  await client.db(DATABASE).dropDatabase();
  await client.close();
});

describe('the server searches the index by the beginning of', () => {
  it.each([...PREFIXED, ...UNPREFIXED])('/%s/%s as its placeholder says', async ($regex, $options) => {
    const plan = await paths.find({ path: { $regex, $options } }).hint('path_1').explain('queryPlanner');
    const [bounds] = /\["[^[]*?[)\]]/.exec(JSON.stringify(plan).replaceAll('\\', '')) ?? [''];
    const isSearched = !bounds.startsWith('["", ');
    expect({ bounds, isSearched }).toEqual({
      bounds,
      isSearched: /prefix/.test(literalPlaceholder({ $regularExpression: { pattern: $regex, options: $options } })),
    });
  });
});
