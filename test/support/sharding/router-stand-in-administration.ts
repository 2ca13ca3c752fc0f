import type { Document } from 'mongodb';
import { databaseOf, nameOf } from '../../../src/namespace.js';
import { chunkOf, collectionRoute, databaseRouteForWriting, succeed, type Servers } from './router-stand-in-routes.js';

const MAJORITY = { writeConcern: { w: 'majority' } };

type Administration = (servers: Servers, command: Document) => Promise<Document>;

async function onConfig(servers: Servers, command: Document): Promise<Document> {
  return succeed(await servers.config(), { ...command, $db: 'admin' });
}

/**
 * The administrative commands of a sharded cluster, each handed on as mongos hands it on: to the internal command of the
 * config server or of a shard that does the work.
 */
export const ADMINISTRATION: Readonly<Record<string, Administration>> = {
  async shardCollection(servers, { shardCollection, key, unique = false }) {
    const { primary, version } = await databaseRouteForWriting(servers, databaseOf(shardCollection));
    return succeed(await servers.shard(primary), {
      _shardsvrCreateCollection: nameOf(shardCollection),
      shardKey: key,
      unique,
      databaseVersion: version,
      ...MAJORITY,
      $db: databaseOf(shardCollection),
    });
  },

  async split(servers, { split, middle }) {
    const chunk = await chunkOf(servers, split, middle);
    const route = await collectionRoute(servers, split);
    const version = route?.shardVersions.get(String(chunk['shard']));
    return succeed(await servers.shard(String(chunk['shard'])), {
      splitChunk: split,
      from: chunk['shard'],
      keyPattern: Object.fromEntries(Object.keys(middle).map((field) => [field, 1])),
      min: chunk['min'],
      max: chunk['max'],
      splitKeys: [middle],
      epoch: version?.['e'],
      timestamp: version?.['t'],
      $db: 'admin',
    });
  },

  moveRange: (servers, { moveRange, min, toShard }) =>
    onConfig(servers, { _configsvrMoveRange: moveRange, toShard, min, ...MAJORITY }),

  async refineCollectionShardKey(servers, { refineCollectionShardKey, key }) {
    const database = databaseOf(refineCollectionShardKey);
    const { primary, version } = await databaseRouteForWriting(servers, database);
    return succeed(await servers.shard(primary), {
      _shardsvrRefineCollectionShardKey: nameOf(refineCollectionShardKey),
      newShardKey: key,
      databaseVersion: version,
      ...MAJORITY,
      $db: database,
    });
  },

  async reshardCollection(servers, { reshardCollection, key, unique = false, numInitialChunks }) {
    const { primary, version } = await databaseRouteForWriting(servers, databaseOf(reshardCollection));
    return succeed(await servers.shard(primary), {
      _shardsvrReshardCollection: reshardCollection,
      key,
      unique,
      numInitialChunks,
      databaseVersion: version,
      ...MAJORITY,
      $db: 'admin',
    });
  },

  configureCollectionBalancing: (servers, { configureCollectionBalancing, chunkSize }) =>
    onConfig(servers, { _configsvrConfigureCollectionBalancing: configureCollectionBalancing, chunkSize }),

  balancerStart: (servers) => onConfig(servers, { _configsvrBalancerStart: 1 }),
  balancerStop: (servers) => onConfig(servers, { _configsvrBalancerStop: 1 }),
  balancerStatus: (servers) => onConfig(servers, { _configsvrBalancerStatus: 1 }),

  addShardToZone: (servers, { addShardToZone, zone }) =>
    onConfig(servers, { _configsvrAddShardToZone: addShardToZone, zone, ...MAJORITY }),

  updateZoneKeyRange: (servers, { updateZoneKeyRange, min, max, zone }) =>
    onConfig(servers, { _configsvrUpdateZoneKeyRange: updateZoneKeyRange, min, max, zone, ...MAJORITY }),
};
