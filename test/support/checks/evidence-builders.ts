import { sampleCorrelation } from 'simple-statistics';
import type {
  AnyCollectionCheck,
  ArrayProfile,
  BsonType,
  Buckets,
  Collection,
  Distribution,
  DocumentProfile,
  DocumentSample,
  GrowthEvidence,
  IndexDescription,
  IndexUsage,
  LargestDocuments,
  MeasurementSeries,
  ObjectProfile,
  PathProfile,
  StorageStatistics,
  Verdict,
} from '../../../src/check.js';
import { distributionOf } from '../../../src/profile/distribution.js';
import { fieldTypesOf } from '../../../src/profile/field-types.js';
import { Histogram } from '../../../src/profile/histogram.js';
import type { CollectionReads } from '../../../src/workload/reads/collection-reads.js';
import { reported, type ReportedProblem, withKnownFigures } from './reported-problem.js';

/** The distribution of whole numbers, as the profiler makes it. */
export function distribution(values: readonly number[]): Distribution {
  const histogram = new Histogram();
  for (const value of values) histogram.add(value);
  return distributionOf(histogram);
}

/** Arrays at one path. Lengths are given per document; a document with several arrays at the path lists theirs. */
export interface Arrays {
  readonly path: string;
  readonly lengths: readonly (number | readonly number[])[];
  /** Bytes per element. */
  readonly elementBytes?: number;
  /** Bytes of the document beside the array. */
  readonly restBytes?: number | ((index: number) => number);
  /** Type of the elements. */
  readonly elements?: BsonType;
  /** Fields of elements that are objects, with their types. */
  readonly fields?: Readonly<Record<string, BsonType>>;
}

const ARRAY_HEADER_BYTES = 5;

/** The profile of the arrays, of their elements, and of the elements' fields. */
export function arrays(spec: Arrays): PathProfile[] {
  const { path, elements = 'object', fields = {}, elementBytes = 80, restBytes = 200 } = spec;
  const perDocument = spec.lengths.map((lengths) => (typeof lengths === 'number' ? [lengths] : [...lengths]));
  const lengths = perDocument.flat();
  const bytes = perDocument.map((each) => sum(each.map((length) => ARRAY_HEADER_BYTES + length * elementBytes)));
  const sizes = bytes.map((each, index) => each + (typeof restBytes === 'number' ? restBytes : restBytes(index)));
  const shares = bytes.map((each, index) => each / (sizes[index] ?? 1));
  const total = sum(lengths);
  const array: ArrayProfile = {
    lengths: distribution(lengths),
    bytes: distribution(lengths.map((length) => ARRAY_HEADER_BYTES + length * elementBytes)),
    elementTypes: { [elements]: total },
    shareOfDocument: { mean: sum(shares) / shares.length, max: Math.max(...shares) },
    bytesPerDocument: distribution(bytes),
    sizeCorrelation: correlation(bytes, sizes),
  };
  const documents = perDocument.length;
  const element = `${path}[]`;
  return [
    pathProfile({
      path,
      documents,
      occurrences: lengths.length,
      types: { array: lengths.length },
      bytes: sum(bytes),
      array,
    }),
    pathProfile({
      path: element,
      parent: path,
      documents,
      occurrences: total,
      types: { [elements]: total },
      bytes: total * elementBytes,
    }),
    ...Object.entries(fields).map(([name, type]) =>
      pathProfile({
        path: `${element}.${name}`,
        parent: element,
        documents,
        occurrences: total,
        types: { [type]: total },
      }),
    ),
  ];
}

function correlation(left: number[], right: number[]): number | null {
  return left.length < 3 || !varies(left) || !varies(right) ? null : sampleCorrelation(left, right);
}

function varies(values: number[]): boolean {
  return values.some((value) => value !== values[0]);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** A path of the profile; what is not given is that of an ordinary top-level field. */
export function pathProfile(path: Partial<PathProfile> & Pick<PathProfile, 'path'>): PathProfile {
  return {
    parent: null,
    depth: path.path.split(/\.|(?=\[\])/).length,
    occurrences: 100,
    documents: 100,
    presence: 1,
    duplicates: 0,
    types: { string: 100 },
    bytes: 1_000,
    shareOfBytes: 0,
    ...path,
  };
}

/** Objects with so many fields each, in so many different names. */
export function objects(
  fields: readonly number[],
  distinctFields: number,
  rest: Partial<ObjectProfile> = {},
): ObjectProfile {
  return { fields: distribution(fields), distinctFields, folded: false, namePattern: null, ...rest };
}

/** What a test says of a collection; the rest is that of small, flat documents read as a whole. */
export interface Given {
  readonly paths?: readonly PathProfile[];
  /** Bytes of each sampled document. */
  readonly sizes?: readonly number[];
  readonly profile?: Partial<DocumentProfile>;
  /** True if the run read no documents. */
  readonly unread?: true;
  readonly sample?: Partial<DocumentSample>;
  readonly storage?: Partial<StorageStatistics>;
  readonly largest?: Partial<LargestDocuments>;
  readonly collection?: Partial<Collection>;
  readonly indexes?: readonly IndexDescription[];
  readonly indexUsage?: IndexUsage;
  /** Of a time-series collection. */
  readonly buckets?: Buckets;
  readonly measurements?: MeasurementSeries | null;
  /** Not measured where absent. */
  readonly growth?: GrowthEvidence;
  /** Of how its documents are read; not known where absent. */
  readonly reads?: CollectionReads;
  /** Thresholds that differ from the defaults. */
  readonly thresholds?: Readonly<Record<string, number>>;
}

const COLLECTION: Collection = {
  namespace: 'shop.products',
  database: 'shop',
  name: 'products',
  kind: 'collection',
  clustered: false,
};

/** Judges a collection, by a check's default thresholds unless others are given. */
export function judge(check: AnyCollectionCheck, given: Given): readonly Verdict[] {
  const documentSizes = distribution(given.sizes ?? Array.from({ length: 1_000 }, () => 300));
  const profile: DocumentProfile = {
    documents: documentSizes.count,
    bytes: documentSizes.sum,
    sizes: documentSizes,
    depth: { max: 1, path: null },
    root: objects([8], 8),
    paths: given.paths ?? [],
    largest: { bytes: documentSizes.max, heaviestPath: null, heaviestPathBytes: 0 },
    malformed: { documents: 0, detail: null },
    limits: [],
    ...given.profile,
  };
  const complete = given.sample?.complete ?? given.storage?.count === undefined;
  const sample: DocumentSample = {
    method: complete ? 'whole-collection' : 'random-cursor',
    complete,
    boundedBy: null,
    elapsed: 10,
    ...given.sample,
  };
  const count = given.storage?.count ?? profile.documents;
  const size = given.storage?.size ?? documentSizes.mean * count;
  const storage: StorageStatistics = {
    count,
    size,
    averageDocumentSize: count === 0 ? 0 : size / count,
    storageSize: size,
    totalIndexSize: 0,
    indexSizes: {},
    orphans: 0,
    shards: 0,
    ...given.storage,
  };
  const largestDocuments: LargestDocuments = {
    maximumBytes: documentSizes.max,
    source: 'sample',
    sizes: (given.sizes ?? []).toSorted((one, other) => other - one).slice(0, 100),
    unseenBytes: 0,
    probe: { state: 'not-needed' },
    ...given.largest,
  };
  const limits = Object.fromEntries(
    Object.entries(check.thresholds as Record<string, { default: number }>).map(([name, threshold]) => [
      name,
      threshold.default,
    ]),
  );
  const collection = { ...COLLECTION, ...given.collection };
  const { indexes = [], indexUsage, buckets, measurements = null, growth, reads } = given;
  const evidence = {
    collection,
    ...(given.unread !== true && { documents: { sample, profile } }),
    fieldTypes: fieldTypesOf({ sample, profile }),
    storage,
    largestDocuments,
    indexes,
    indexUsage,
    buckets,
    measurements,
    growth,
    reads,
  };
  return withKnownFigures(check.judge(evidence, { ...limits, ...given.thresholds }));
}

/** The problems among the verdicts. */
export function problems(check: AnyCollectionCheck, given: Given): readonly ReportedProblem[] {
  return reported(judge(check, given)).flatMap((verdict) => ('notJudged' in verdict ? [] : [verdict]));
}

/** The only problem; fails where there is none or another. */
export function problem(check: AnyCollectionCheck, given: Given): ReportedProblem {
  const [first, ...others] = problems(check, given);
  if (first === undefined || others.length > 0)
    throw new Error(`Expected one problem, got ${others.length + (first ? 1 : 0)}.`);
  return first;
}
