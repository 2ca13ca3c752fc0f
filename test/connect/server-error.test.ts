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
});
