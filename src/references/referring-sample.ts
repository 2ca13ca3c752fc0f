import type { Document } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Collection } from '../inventory/collection.js';
import { queryPath } from '../profile/path-steps.js';
import { readChosen } from '../profile/sampling/chosen-documents.js';
import { planSample } from '../profile/sampling/sample-plan.js';
import type { ReferringCollection } from './reference-questions.js';
import type { ReferringField } from './referring-fields.js';
import { decodedDocuments, IN_ONE_BATCH, projectionOn } from './stored-values.js';

/** Document values: they never leave this folder. */
export interface ReferringSample {
  readonly collection: Collection;
  readonly fields: readonly ReferringField[];
  readonly documents: readonly Document[];
  readonly complete: boolean;
  readonly byChance: boolean;
}

/** A share of 5 % is then known to ±2 points (binomial, 95 %). */
const COMPARED_DOCUMENTS = 500;
/** Per field, if arrays hold several per document … */
const COMPARED_REFERENCES = 5_000;
/** … but at least those of a few documents. */
const FEWEST_DOCUMENTS = 5;
const MOST_BYTES = 32 * 1024 * 1024;
/** Documents with the same references, to order copies by time. */
const MOST_SIBLINGS = 500;

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
  const project = [{ $project: projectionFor(fields) }];
  const read = await readChosen(
    reader,
    collection,
    plan,
    ({ stages }) => decodedDocuments(reader.aggregateRaw(database, name, stages, IN_ONE_BATCH)),
    project,
  );
  const isWhole = plan.method === 'whole-collection' && read.length <= documents;
  return {
    collection,
    fields,
    documents: read.slice(0, documents),
    complete: isWhole,
    byChance: plan.method === 'random-cursor',
  };
}

export async function readAgain(
  reader: ClusterReader,
  sample: ReferringSample,
  documents: readonly Document[],
): Promise<ReferringSample> {
  const { collection, fields } = sample;
  const filter = { _id: { $in: documents.map(({ _id }): unknown => _id) } };
  const options = { projection: projectionFor(fields), ...IN_ONE_BATCH };
  return {
    ...sample,
    documents: await decodedDocuments(reader.findRaw(collection.database, collection.name, filter, options)),
  };
}

export async function readSiblings(
  reader: ClusterReader,
  field: ReferringField,
  values: readonly unknown[],
): Promise<Document[]> {
  const { database, name } = field.collection;
  const options = { projection: projectionFor([field]), limit: MOST_SIBLINGS, ...IN_ONE_BATCH };
  return decodedDocuments(reader.findRaw(database, name, { [queryPath(field.path)]: { $in: values } }, options));
}

function projectionFor(fields: readonly ReferringField[]): Document {
  return projectionOn([
    '_id',
    ...fields.flatMap(({ path, copies }) => [path, ...copies.map((copy) => copy.path)].map(queryPath)),
  ]);
}
