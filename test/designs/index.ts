import { BAD_ARRAYS } from './bad/arrays.js';
import { BAD_DOCUMENTS } from './bad/documents.js';
import { BAD_QUERIES } from './bad/queries.js';
import { BAD_RELATIONS } from './bad/relations.js';
import type { BadDesign, Design } from './design.js';
import { GOOD_ARRAYS } from './good/arrays.js';
import { GOOD_DOCUMENTS } from './good/documents.js';
import { GOOD_RELATIONS } from './good/relations.js';

/** All designs, by what they are about. */
export const DESIGNS: readonly {
  readonly theme: string;
  readonly bad: readonly BadDesign[];
  readonly good: readonly Design[];
}[] = [
  { theme: 'arrays', bad: BAD_ARRAYS, good: GOOD_ARRAYS },
  { theme: 'documents', bad: BAD_DOCUMENTS, good: GOOD_DOCUMENTS },
  { theme: 'relations', bad: BAD_RELATIONS, good: GOOD_RELATIONS },
  { theme: 'queries', bad: BAD_QUERIES, good: [] },
];
