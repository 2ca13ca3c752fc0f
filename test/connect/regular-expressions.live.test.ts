import { BSONRegExp, ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import { isFault } from '../../src/presence.js';
import type { Report } from '../../src/report/report.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet } from '../support/servers.js';

/** MongoDB's own: JavaScript throws on it. */
const ANY_CASE = new BSONRegExp('(?i)^berlin', '');

// A server of its own: what is in its oplog matters.
const server = useServer(startReplicaSet);
let report: Report;

beforeAll(async () => {
  const shop = server.client.db('shop');
  await shop.createCollection('cities', { validator: { name: ANY_CASE } });
  await shop.createCollection('berlin', { viewOn: 'cities', pipeline: [{ $match: { name: ANY_CASE } }] });
  const regions = Array.from({ length: 200 }, () => ({ _id: new ObjectId() }));
  await shop.collection('regions').insertMany(regions);
  const routes = regions.map(({ _id }, index) => ({ region_id: index % 10 === 0 ? ANY_CASE : _id, posts: [] }));
  await shop.collection('routes').insertMany(routes);
  // The newest entries of the oplog.
  for (let index = 0; index < 5; index += 1) {
    await shop.collection('routes').updateMany({}, { $set: { pattern: ANY_CASE, turn: index } });
  }
  report = await lint({ uri: server.uri, include: ['shop.*'] });
});
afterAll(() => server.client.db('shop').dropDatabase());

it('that only the server understands break no run: in views, validators, documents and the oplog', () => {
  expect(report.collections.map(({ namespace }) => namespace).sort()).toEqual([
    'shop.berlin',
    'shop.cities',
    'shop.regions',
    'shop.routes',
  ]);
  expect(report.skipped.filter(isFault)).toEqual([]);
});
