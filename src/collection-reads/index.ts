/** What reads want of the documents of a collection, for checks from plugins as well. */
export type { CollectionReads, DocumentRead } from './collection-reads.js';
export { fieldUse, type FieldUse } from './field-use.js';
export { partReads, partReadsAdvice, partReadsFigures, type PartReads } from './part-reads.js';
