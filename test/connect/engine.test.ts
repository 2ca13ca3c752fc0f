import { describe, expect, it } from 'vitest';
import { engineOf, type FirstAnswers } from '../../src/connect/engine.js';

/** As mongod 6.0.5 and FerretDB 1.24.2 answered; the others as their manuals and sources say, since none runs here. */
const MONGOD = {
  version: '6.0.5',
  gitVersion: 'c9a99c120371d4d4c52cbb15dac34a36ce8d3b1d',
  storageEngines: ['wiredTiger'],
};
const BARE = { version: '5.0.0', bits: 64 };
const ROUTER = { msg: 'isdbgrid' };

describe('the engine', () => {
  it.each<[string, Partial<FirstAnswers>, string, string | null]>([
    ['mongod', { buildInfo: MONGOD }, 'MongoDB', null],
    ['mongos', { buildInfo: MONGOD, hello: ROUTER }, 'MongoDB', null],
    ['Atlas', { buildInfo: MONGOD, hosts: ['shop-shard-00-00.ab1cd.mongodb.net'] }, 'MongoDB', null],
    [
      'FerretDB 1',
      { buildInfo: { ...BARE, gitVersion: 'unknown', ferretdbVersion: 'v1.24.2' } },
      'FerretDB',
      'v1.24.2',
    ],
    ['FerretDB 2', { buildInfo: { ...BARE, ferretdb: { version: 'v2.5.0' } } }, 'FerretDB', 'v2.5.0'],
    [
      'Amazon DocumentDB',
      { buildInfo: BARE, hosts: ['shop.cluster-c1xyz.eu-west-1.docdb.amazonaws.com'] },
      'Amazon DocumentDB',
      null,
    ],
    [
      'Amazon DocumentDB, elastic',
      { buildInfo: BARE, hello: ROUTER, hosts: ['shop-123.eu-west-1.docdb-elastic.amazonaws.com'] },
      'Amazon DocumentDB',
      null,
    ],
    [
      'Cosmos DB, RU',
      { buildInfo: MONGOD, hosts: ['shop.mongo.cosmos.azure.com'] },
      'Azure Cosmos DB for MongoDB (RU)',
      null,
    ],
    [
      'vCore by its host',
      { buildInfo: BARE, hello: ROUTER, hosts: ['fc-1-000.global.mongocluster.cosmos.azure.com'] },
      'Azure DocumentDB (vCore)',
      null,
    ],
    [
      'vCore through a tunnel',
      { buildInfo: BARE, hello: { ...ROUTER, internal: { documentdb_versions: ['0.117-0'] } } },
      'DocumentDB on PostgreSQL',
      '0.117-0',
    ],
    ['one that hides its versions', { buildInfo: BARE, hello: { internal: {} } }, 'DocumentDB on PostgreSQL', null],
    ['a router that is none', { buildInfo: BARE, hello: ROUTER }, 'unknown', null],
    ['anything else', { buildInfo: BARE }, 'unknown', null],
  ])('%s', (_, answers, name, version) => {
    const given = { hosts: ['127.0.0.1'], hello: {}, buildInfo: MONGOD, ...answers };
    expect(engineOf(given)).toEqual({ name, version });
  });
});
