import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import type { Collection } from '../../inventory/collection.js';
import { queryPath } from '../documents/path-steps.js';
import { planSample } from '../documents/sample-plan.js';
import { sampleStages } from '../documents/sample-stages.js';
import type { ReferringCollection } from './reference-questions.js';
import type { ReferringField } from './referring-fields.js';
import { decodedDocuments, projectionOn } from './stored-values.js';

/** Documents of a collection with their references and what lies beside them. Document values: they never leave this folder. */
export interface ReferringSample {
  readonly collection: Collection;
  readonly fields: readonly ReferringField[];
  readonly documents: readonly Document[];
  /** True where every document of the collection was read. */
  readonly complete: boolean;
}

/** Documents compared per collection: a share of 5 % is then known to ±2 points (binomial, 95 %). */
const COMPARED_DOCUMENTS = 500;
/** References compared per field at most, where arrays hold several per document … */
const COMPARED_REFERENCES = 5_000;
/** … but for those of a few documents. */
const FEWEST_DOCUMENTS = 5;
/** Bytes that the server may read for it. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Documents that refer to the same few, to be put in order of time. */
const MOST_SIBLINGS = 500;

/** Reads a random sample of a collection, of each document what is to be compared. */
export async function readReferring(
  reader: ClusterReader,
  { collection, evidence: { storage, fieldTypes } }: ReferringCollection,
  fields: readonly ReferringField[],
): Promise<ReferringSample> {
  const { database, name, clustered } = collection;
  const statistics = storage?.present === true ? storage.value : null;
  const count = statistics?.count ?? (fieldTypes?.present === true ? fieldTypes.value.documents : 0);
  const within = Math.floor(
    COMPARED_REFERENCES / Math.max(...fields.map(({ valuesPerDocument }) => valuesPerDocument)),
  );
  const documents = Math.min(COMPARED_DOCUMENTS, Math.max(FEWEST_DOCUMENTS, within));
  const plan = planSample(statistics, count, { documents, bytes: MOST_BYTES }, clustered);
  const stages = await sampleStages(reader, collection, plan, { $project: projectionFor(fields) });
  const read = await decodedDocuments(reader.aggregateRaw(database, name, stages, SHORT_READ));
  const isWhole = plan.method === 'whole-collection' && read.length <= documents;
  return { collection, fields, documents: read.slice(0, documents), complete: isWhole };
}

/** The same documents as they are now. */
export async function readAgain(
  reader: ClusterReader,
  sample: ReferringSample,
  documents: readonly Document[],
): Promise<ReferringSample> {
  const { collection, fields } = sample;
  const filter = { _id: { $in: documents.map(({ _id }): unknown => _id) } };
  const options = { projection: projectionFor(fields), ...SHORT_READ };
  return {
    ...sample,
    documents: await decodedDocuments(reader.findRaw(collection.database, collection.name, filter, options)),
  };
}

/** Documents that hold any of these values in an indexed field. */
export async function readSiblings(
  reader: ClusterReader,
  field: ReferringField,
  values: readonly unknown[],
): Promise<Document[]> {
  const { database, name } = field.collection;
  const options = { projection: projectionFor([field]), limit: MOST_SIBLINGS, ...SHORT_READ };
  return decodedDocuments(reader.findRaw(database, name, { [queryPath(field.path)]: { $in: values } }, options));
}

function projectionFor(fields: readonly ReferringField[]): Document {
  return projectionOn([
    '_id',
    ...fields.flatMap(({ path, copies }) => [path, ...copies.map((copy) => copy.path)].map(queryPath)),
  ]);
}
