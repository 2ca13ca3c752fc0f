import type { Document } from 'mongodb';
import { localeOf } from '../inventory/collation.js';
import { ownValue } from '../plain.js';
import type { Refusal, RefusalReason } from './access.js';
import { isCompoundWildcard } from './wildcard.js';

/** Measured on 6.0.5 and 6.0.27: these kinds serve no equality on a field before them either. */
const SPECIAL_KINDS: Readonly<Record<string, string>> = {
  text: 'it is a text index, which serves $text only',
  '2d': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere_bucket': 'it is a geospatial index, which serves geospatial operators only',
  geoHaystack: 'it is a geospatial index, which serves geospatial operators only',
};

type Clause = (refusal: Refusal, collation: Document | null) => string;

const CLAUSES: Readonly<Record<RefusalReason, Clause>> = {
  hidden: () => 'it is hidden, and the server plans as if it did not exist',
  building: () => 'it is still being built',
  'other field': ({ path }) => `it begins with "${path}", for which there is no value to look up`,
  'partial filter': () => 'it is partial and holds only the documents that match its filter, which is not asked for',
  collation: ({ index }, collation) =>
    `its collation (${localeOf(index.collation)}) is not the one compared by (${localeOf(collation)}), so it cannot find strings`,
  sparse: () =>
    'it is sparse and leaves out documents without the field, so the server does not use it for null or missing values, nor for $expr',
  wildcard: ({ path }) =>
    path === ''
      ? 'its wildcard does not cover the field'
      : 'it is a wildcard index, which serves neither null or missing values, nor whole objects and arrays, nor $expr',
  hashed: () => 'it is hashed, and serves only the equality with a value',
  special: ({ index }) => specialText(index),
  array: ({ path }) => `documents hold arrays at "${path}", and it holds their elements one by one`,
  operator: () => 'no index of its kind serves the operator',
  'array position': ({ path }) => `it holds the elements of "${path}" without their positions`,
};

/**
 * Why the server does not use an index, as a clause that follows its name: "it is hidden, and …".
 *
 * @param collation by which strings were to be compared; null for the simple one
 */
export function refusalText(refusal: Refusal, collation: Document | null): string {
  return CLAUSES[refusal.because](refusal, collation);
}

function specialText(index: Refusal['index']): string {
  const kind = Object.values(index.key).find((value) => typeof value === 'string' && value !== 'hashed');
  if (kind !== undefined)
    return ownValue(SPECIAL_KINDS, String(kind)) ?? `it is of the kind "${kind}", which serves no equality`;
  return isCompoundWildcard(index)
    ? 'it is a compound wildcard index, which is not known to serve it'
    : 'mongolint cannot see the order of its fields, as one of them is named by a number';
}
