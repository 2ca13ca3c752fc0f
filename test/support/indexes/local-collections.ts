import type { CreateCollectionOptions } from 'mongodb';
import type { LocalType } from '../../../src/judgement/joins/equality-join.js';
import type { BsonType } from '../../../src/profile/document-profile.js';
import { CASE_INSENSITIVE, type FieldKind } from './foreign-collections.js';

/** A collection that joins run on: documents with the field `key`. */
export interface LocalCollection {
  readonly name: string;
  readonly options: CreateCollectionOptions;
  /** The values of `key`; undefined for a document without it. */
  readonly keys: readonly unknown[];
  /** The kinds of foreign field that hold such values. */
  readonly fits: readonly FieldKind[];
  /** What a sample would tell of the values; absent where the join is judged without knowing. */
  readonly localTypes?: readonly LocalType[];
  readonly localElementTypes?: readonly BsonType[];
}

const KEYS: readonly Omit<LocalCollection, 'options'>[] = [
  { name: 'localNumbers', fits: ['number', 'several'], keys: [1, 2, 3, 250], localTypes: ['int'] },
  { name: 'localStrings', fits: ['string', 'several'], keys: ['x2', 'x4', 'X6', 'x250'], localTypes: ['string'] },
  { name: 'localNumbersAndNull', fits: ['number', 'several'], keys: [1, 3, null], localTypes: ['int', 'null'] },
  {
    name: 'localNumbersAndMissing',
    fits: ['number', 'several'],
    keys: [1, 3, undefined],
    localTypes: ['int', 'missing'],
  },
  {
    name: 'localObjects',
    fits: ['object', 'several'],
    keys: [
      { label: 'x2', part: 2 },
      { label: 'x5', part: 5 },
    ],
    localTypes: ['object'],
  },
  {
    name: 'localArrays',
    fits: ['number', 'several'],
    keys: [
      [0, 297],
      [3, 249],
    ],
    localTypes: ['array'],
    localElementTypes: ['int'],
  },
  {
    name: 'localArraysOfStrings',
    fits: ['string', 'several'],
    keys: [
      ['x10', 'x97'],
      ['x4', 'X250'],
    ],
    localTypes: ['array'],
    localElementTypes: ['string'],
  },
  {
    name: 'localDates',
    fits: ['date'],
    keys: [new Date(Date.UTC(2020, 0, 3)), new Date(Date.UTC(2020, 5, 1))],
    localTypes: ['date'],
  },
  { name: 'localUnknown', fits: ['number', 'string', 'several'], keys: [3, 'x4', null, undefined] },
  { name: 'localUnknownButPresent', fits: ['number', 'string', 'several'], keys: [3, 'x4', null] },
];

export const LOCAL_COLLECTIONS: readonly LocalCollection[] = KEYS.flatMap((keys) => [
  { ...keys, options: {} },
  { ...keys, name: `${keys.name}CaseInsensitive`, options: { collation: CASE_INSENSITIVE } },
]);
