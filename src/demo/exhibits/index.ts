import { inOrder } from '../exhibit.js';
import { arraysExhibits } from './arrays.js';
import { collectionsExhibits } from './collections.js';
import { documentsExhibits } from './documents.js';
import { fieldsExhibits } from './fields.js';
import { indexesExhibits } from './indexes.js';
import { joinsExhibits } from './joins.js';
import { operationsExhibits } from './operations.js';
import { orderQueriesExhibits } from './order-queries.js';
import { pagesExhibits } from './pages.js';
import { referencesExhibits } from './references.js';
import { timesExhibits } from './times.js';

/** Every exhibit of the demo, in the order of the checks. */
export const exhibits = inOrder([
  ...arraysExhibits,
  ...collectionsExhibits,
  ...documentsExhibits,
  ...fieldsExhibits,
  ...indexesExhibits,
  ...joinsExhibits,
  ...operationsExhibits,
  ...orderQueriesExhibits,
  ...pagesExhibits,
  ...referencesExhibits,
  ...timesExhibits,
]);
