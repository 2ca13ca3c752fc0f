import type { Document } from 'mongodb';
import type { Collection, IndexDescription } from '../inventory/collection.js';
import { present } from '../presence.js';
import { pipelineShape } from '../workload/shapes/pipeline-shape.js';
import { literalPlaceholder } from '../workload/shapes/placeholder.js';
import type { Shape } from '../workload/shapes/shape.js';
import type { DocumentEvidence, PathProfile } from '../profile/document-profile.js';
import type { CollectedEvidence, KeptCollection } from '../evidence/source.js';
import { identityInFile } from './collection-identity.js';
import { filterOfRanks, rankedFilters } from './literal-ranks.js';
import { validatorShape } from './validator-shape.js';

/** A collection with its evidence as a file holds it: without a value of a document, or a literal of a query. */
export interface FileCollection {
  readonly collection: Document;
  readonly evidence: CollectedEvidence;
}

export function toFile({ collection, evidence }: KeptCollection): FileCollection {
  const { uuid, validator, pipeline, sharding, ...rest } = collection;
  return {
    collection: {
      ...rest,
      ...(uuid !== undefined && { uuid: identityInFile(uuid) }),
      ...(validator !== undefined && { validator: validatorShape(validator) }),
      ...(pipeline !== undefined && { pipeline: pipelineShape(pipeline, rest.database, literalPlaceholder) }),
      // The filter is for reading alone.
      ...(sharding !== undefined && { sharding: { ...sharding, chunkFilter: {} } }),
    },
    evidence: { ...evidence, ...withoutFilterValues(evidence), ...withoutRanges(evidence) },
  };
}

export function fromFile({ collection, evidence }: FileCollection): KeptCollection {
  const { indexes } = evidence;
  if (indexes?.present !== true) return { collection: collection as Collection, evidence };
  const read = indexes.value.map((index) => withFilter(index, (filter) => filterOfRanks(filter as Shape)));
  return { collection: collection as Collection, evidence: { ...evidence, indexes: present(read) } };
}

function withoutFilterValues({ indexes }: CollectedEvidence): Pick<CollectedEvidence, 'indexes'> {
  if (indexes?.present !== true) return {};
  const filters = indexes.value.flatMap(({ partialFilterExpression: filter }) =>
    filter === undefined ? [] : [filter],
  );
  const ranked = rankedFilters(filters);
  return { indexes: present(indexes.value.map((index) => withFilter(index, () => ranked.shift() as Document))) };
}

function withFilter(index: IndexDescription, map: (filter: Document) => Document): IndexDescription {
  const { partialFilterExpression: filter } = index;
  return filter === undefined ? index : { ...index, partialFilterExpression: map(filter) };
}

/** The least and the greatest value of a field are values of documents: what is kept is how large they are. */
function withoutRanges({ documents }: CollectedEvidence): Pick<CollectedEvidence, 'documents'> {
  if (documents?.present !== true) return {};
  const { profile, ...rest }: DocumentEvidence = documents.value;
  return { documents: present({ ...rest, profile: { ...profile, paths: profile.paths.map(withoutRange) } }) };
}

function withoutRange(path: PathProfile): PathProfile {
  if (path.values === undefined) return path;
  const { numbers, dates, objectIds, ...values } = path.values;
  return {
    ...path,
    values: {
      ...values,
      ...(numbers !== undefined && { numbers: inSteps(numbers, magnitude) }),
      ...(dates !== undefined && { dates: inSteps(dates, startOfYear) }),
      ...(objectIds !== undefined && { objectIds: inSteps(objectIds, startOfYear) }),
    },
  };
}

function inSteps<Range extends { readonly min: number; readonly max: number }>(
  range: Range,
  step: (value: number) => number,
): Range {
  return { ...range, min: step(range.min), max: step(range.max) };
}

/** The power of ten towards zero: 0, ±1, ±10 … Any limit that is a power of ten divides both alike. */
function magnitude(value: number): number {
  const size = Math.min(Math.abs(value), Number.MAX_VALUE);
  // The digits are exact, as a logarithm is not.
  return size >= 1 ? Math.sign(value) * Number(size.toExponential().replace(/^.*e/, '1e')) : 0;
}

/** In ms since 1970. */
function startOfYear(time: number): number {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? 0 : Date.UTC(date.getUTCFullYear(), 0);
}
