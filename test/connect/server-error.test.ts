import { MongoNetworkError, MongoServerError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { absentBecause } from '../../src/connect/server-error.js';

describe('absentBecause', () => {
  it.each<[string, Error, string, number | undefined]>([
    ['a refusal of a tier', new MongoServerError({ code: 8000, codeName: 'AtlasError' }), 'unsupported', 8000],
    ['a missing privilege', new MongoServerError({ code: 13, codeName: 'Unauthorized' }), 'privilege', 13],
    ['an error of the server without a code', new MongoServerError({ message: 'no' }), 'fault', undefined],
    ['a lost connection', new MongoNetworkError('gone'), 'connection', undefined],
  ])('carries the code of %s', (_, error, reason, code) => {
    const absence = absentBecause(error, 'reading', 'find on shop.orders');
    expect(absence).toMatchObject({ present: false, reason, error });
    expect(absence.code).toBe(code);
  });

  // The words of 8.0's source: no server of that version can be had where these tests run.
  it.each([
    'Command should not be run via a direct connection to a shard without the directShardOperations role. Please connect via a router.',
    'DDL operations are not allowed via direct shard connection. Please connect to the cluster via a router (mongos).',
  ])('names the role that a direct connection to a shard needs: %s', (message) => {
    const error = new MongoServerError({ code: 13, codeName: 'Unauthorized', message });
    expect(absentBecause(error, 'reading documents of shop.orders', 'find on shop.orders')).toMatchObject({
      reason: 'privilege',
      detail:
        'reading documents of shop.orders: not authorized over a direct connection to a shard. Connect through mongos, or grant the role directShardOperations.',
    });
  });
});
