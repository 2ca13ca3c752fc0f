import { BSON, type Document } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { SHORT_READ } from '../connect/deadline.js';
import { batchesOf, type RawCursor } from '../connect/raw-cursor.js';
import type { Collection } from '../inventory/collection.js';
import { queryPath } from '../profile/path-steps.js';
import { readChosen } from '../profile/sampling/chosen-documents.js';
import { planSample } from '../profile/sampling/sample-plan.js';
import type { ReadCollection } from './references.js';
import type { ReferringField } from './referring-fields.js';

/** Numbers stay as stored, so that large ones keep their digits; and regular expressions, which JavaScript may refuse. */
const DECODING: BSON.DeserializeOptions = { promoteValues: false, bsonRegExp: true, validation: { utf8: false } };

/** For reads of a few short fields: all that they bring in one batch, if the link is fast enough. */
export const IN_ONE_BATCH = { ...SHORT_READ, batchSize: 10_000 } as const;

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
  { collection, evidence: { storage, fieldTypes } }: ReadCollection,
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

/** The holder is the document, an embedded one, or an element of an array. */
interface HeldValue {
  readonly value: unknown;
  readonly holder: Document;
}

/** Document values: they never leave this folder. */
export async function decodedDocuments(cursor: RawCursor): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const batch of batchesOf(cursor)) for (const raw of batch) documents.push(BSON.deserialize(raw, DECODING));
  return documents;
}

/** As a query finds them, in arrays too. The path has no marks for arrays. */
export function heldValues(document: Document, path: string): HeldValue[] {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holders = names.reduce<Document[]>(
    (objects, name) => objects.flatMap((object) => elementsOf(object[name]).filter(isDocument)),
    [document],
  );
  return holders.flatMap((holder) => elementsOf(holder[last]).map((value) => ({ value, holder })));
}

export function projectionOn(paths: Iterable<string>): Document {
  const all = [...new Set(paths)];
  const outermost = all.filter((path) => !all.some((other) => path.startsWith(`${other}.`)));
  return Object.fromEntries(outermost.map((path) => [path, 1]));
}

function elementsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !('_bsontype' in value);
}
