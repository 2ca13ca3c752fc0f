import type { Db, Document } from 'mongodb';
import { describedIndex } from '../../src/evidence/indexes.js';
import type { IndexDescription } from '../../src/inventory/collection.js';
import type { PlannedCollection, PlannedServer } from '../../src/planner/access.js';
import { type FieldTypes, fieldTypesOf } from '../../src/profile/field-types.js';
import { profileOf } from '../support/documents/profiles.js';
import * as fc from '../support/fast-check.js';
import { drawnDocuments, plannedCollection } from './drawn-documents.js';
import { type DrawnIndex, INDEX } from './drawn-index.js';
import { INDEX_NAME } from './server-access.js';

const COLLECTION = fc.record({ seed: fc.nat(), count: fc.integer({ min: 100, max: 400 }), index: INDEX });

const WHOLE = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 1 } as const;

/** A collection with its index, on a server. */
export interface Tried {
  readonly database: Db;
  readonly documents: readonly Document[];
  /** As the product has them of a sample: here of all documents. */
  readonly fieldTypes: FieldTypes;
  readonly drawn: DrawnIndex;
  readonly index: IndexDescription;
  readonly collection: PlannedCollection;
  readonly server: PlannedServer;
}

/** Null if the server cannot build the index over the documents. */
export async function setUp(database: Db, seed: number, server: PlannedServer): Promise<Tried | null> {
  const [{ seed: documentSeed, count, index: drawn }] = fc.sample(COLLECTION, { seed, numRuns: 1 }) as [
    { seed: number; count: number; index: DrawnIndex },
  ];
  const documents = drawnDocuments(documentSeed, count);
  const collection = database.collection('drawn');
  await collection.drop();
  await collection.insertMany(documents as Document[]);
  try {
    await collection.createIndex(drawn.key, { ...drawn.options, name: INDEX_NAME });
  } catch {
    return null;
  }
  const listed = (await collection.listIndexes().toArray()).find(({ name }) => name === INDEX_NAME)!;
  const index = describedIndex('listIndexes', listed);
  // An array of a document that a partial index leaves out is none of its keys.
  const held = await collection.find(index.partialFilterExpression ?? {}).toArray();
  const fieldTypes = fieldTypesOf({ profile: profileOf(documents), sample: WHOLE });
  return { database, documents, fieldTypes, drawn, index, collection: plannedCollection(held), server };
}
