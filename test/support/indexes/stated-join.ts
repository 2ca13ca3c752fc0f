import type { Document } from 'mongodb';
import type { Collection } from '../../../src/inventory/collection.js';
import type { EqualityJoin } from '../../../src/judgement/joins/equality-join.js';
import { predicateOf } from '../../../src/planner/filter-predicate.js';

export const COLLECTION: Collection = {
  namespace: 'shop.customers',
  database: 'shop',
  name: 'customers',
  kind: 'collection',
  clustered: false,
};
export const SERIES: Collection = {
  ...COLLECTION,
  kind: 'timeseries',
  timeseries: { timeField: 'at', metaField: 'sensor' },
};

export interface StatedOptions extends Partial<Omit<EqualityJoin, 'arrays' | 'filter'>> {
  readonly filter?: Document;
  /** The paths at which foreign documents hold arrays. */
  readonly foreignArrays?: readonly string[];
}

/** A join of customers by the field `customer`, unless the options say otherwise. */
export function join({ filter, foreignArrays = [], ...options }: StatedOptions = {}): EqualityJoin {
  return {
    form: 'localField',
    foreign: COLLECTION,
    foreignField: 'customer',
    collation: null,
    arrays: { holdsArray: (path) => foreignArrays.includes(path) },
    ...(filter !== undefined && { filter: predicateOf(filter) }),
    ...options,
  };
}
