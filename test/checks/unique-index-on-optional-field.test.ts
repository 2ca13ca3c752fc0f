import { describe, expect, it } from 'vitest';
import { uniqueIndexOnOptionalField } from '../../checks/unique-index-on-optional-field.js';
import type { IndexDescription, TypeCounts } from '../../src/check.js';
import { index } from '../support/checks/index-builders.js';
import { foundIn, type GivenCluster, type GivenCollection, problemIn } from '../support/checks/joined-evidence.js';

type Fields = Readonly<Record<string, TypeCounts>>;

const unique = (key: IndexDescription['key'], options: Partial<IndexDescription> = {}) =>
  index(key, { unique: true, ...options });
const users = (indexed: IndexDescription, fields: Fields, further: Partial<GivenCollection> = {}): GivenCluster => ({
  collections: { users: { indexes: [indexed], fields, ...further } },
});

const EMAIL = { email: 1 } as const;
const OF_TENANT = { tenant: 1, email: 1 } as const;
const ALL = { email: { string: 100 } };
const ONE_LACKS = { email: { string: 99 } };
const ONE_NULL = { email: { string: 99, null: 1 } };
const SOME_LACK = { tenant: { string: 100 }, email: { string: 90 } };
/** So many different values in a hundred documents. */
const spread = (path: string, distinct: number): Partial<GivenCollection> => ({
  more: { [path]: { spread: { compared: 100, distinct, commonest: 1 / distinct, alike: 1 / distinct } } },
});
const requires = (path: string) => ({ options: { validator: { $jsonSchema: { required: [path] } } } });
const refused = (figures: object, kind: 'insert' | 'update' = 'insert'): Partial<GivenCluster> => ({
  operations: [{ on: 'users', kind, command: { q: { a: 1 }, u: { $set: { a: 1 } } }, figures }],
});

const messageOf = (given: GivenCluster) => problemIn(uniqueIndexOnOptionalField, given).message;

describe('unique-index-on-optional-field', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['a field that one lacks', users(unique(EMAIL), ONE_LACKS), ['info shop.users email_1']],
    ['a field that is null in one', users(unique(EMAIL), ONE_NULL), ['info shop.users email_1']],
    ['null, which sparse does not skip', users(unique(EMAIL, { sparse: true }), ONE_NULL), ['info shop.users email_1']],
    [
      'null, which a filter by $exists does not leave out',
      users(unique(EMAIL, { partialFilterExpression: { email: { $exists: true } } }), ONE_NULL),
      ['info shop.users email_1'],
    ],
    [
      'an empty array',
      users(
        unique(EMAIL),
        { email: { array: 100 }, 'email[]': { string: 99 } },
        { more: { email: { shortestArray: 0 } } },
      ),
      ['info shop.users email_1'],
    ],
    ['a field within arrays', users(unique({ 'a.b': 1 }), { 'a[].b': { string: 99 } }), ['info shop.users a.b_1']],
    [
      'a field beside that of many documents',
      users(unique(OF_TENANT), SOME_LACK, spread('tenant', 10)),
      ['info shop.users tenant_1_email_1'],
    ],
    [
      'one that inserts fail for',
      { ...users(unique(EMAIL), ONE_LACKS), ...refused({ executions: 20, documentsWritten: 8 }) },
      ['warning shop.users email_1'],
    ],
    [
      'one that updates fail for',
      { ...users(unique(EMAIL), ONE_LACKS), ...refused({ errors: { DuplicateKey: 5 } }, 'update') },
      ['warning shop.users email_1'],
    ],
    [
      'one that inserts failed for once',
      { ...users(unique(EMAIL), ONE_LACKS), ...refused({ executions: 20, documentsWritten: 19 }) },
      ['info shop.users email_1'],
    ],
  ])('reports %s', (_, given, expected) => {
    expect(foundIn(uniqueIndexOnOptionalField, given)).toEqual(expected);
  });

  it.each<[string, GivenCluster]>([
    ['a field that all have', users(unique(EMAIL), ALL)],
    ['an index that is not unique', users(index(EMAIL), ONE_LACKS)],
    ['a sparse index of a field that some lack', users(unique(EMAIL, { sparse: true }), SOME_LACK)],
    [
      'a partial index of those that have it',
      users(unique(EMAIL, { partialFilterExpression: { email: { $exists: true } } }), SOME_LACK),
    ],
    [
      'a partial index by another field',
      users(unique(EMAIL, { partialFilterExpression: { state: 'open' } }), ONE_LACKS),
    ],
    ['a field that a validator requires', users(unique(EMAIL), ONE_LACKS, requires('email'))],
    ['a field beside a key', users(unique(OF_TENANT), SOME_LACK, spread('tenant', 100))],
    ['a field that none has', users(unique(OF_TENANT), { email: { string: 100 } }, spread('email', 100))],
    ['a key of three', users(unique({ ...OF_TENANT, at: 1 }), SOME_LACK, spread('tenant', 10))],
    [
      'arrays with elements',
      users(unique(EMAIL), { email: { array: 100 } }, { more: { email: { shortestArray: 1 } } }),
    ],
  ])('is silent on %s', (_, given) => {
    expect(foundIn(uniqueIndexOnOptionalField, given)).toEqual([]);
  });

  it('says how many, for what, and what sparse skips', () => {
    expect(messageOf(users(unique(OF_TENANT), SOME_LACK, spread('tenant', 10)))).toBe(
      '10 of 100 sampled documents have no `email`. Unique index `tenant_1_email_1` accepts one such document for each `tenant`, and refuses the next.',
    );
    expect(messageOf(users(unique(EMAIL, { sparse: true }), ONE_NULL, { complete: true }))).toBe(
      '1 of 100 documents has null as `email`. Unique index `email_1` accepts one such document, and refuses the next. Sparse skips what is missing, not null or an empty array.',
    );
  });

  it.each<[string, Fields, string]>([
    ['by its presence', ONE_LACKS, '"partialFilterExpression": { "email": { "$exists": true } }'],
    ['by a value, if some are null', ONE_NULL, '"partialFilterExpression": { "email": { "$gt": "" } }'],
    ['after null is removed, if it is no text', { email: { int: 99, null: 1 } }, '"$unset": { "email": "" }'],
  ])('makes the index partial %s', (_, fields, expected) => {
    const { steps } = problemIn(uniqueIndexOnOptionalField, users(unique(EMAIL), fields)).remedy;
    expect(steps.map(({ code }) => code).join('\n')).toContain(expected);
  });
});
