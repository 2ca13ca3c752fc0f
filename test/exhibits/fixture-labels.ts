import type { Document } from 'mongodb';
import { FIRST, FIXTURE_DOCUMENTS, type Kept } from '../support/fixture-size.js';

/**
 * What an expert says of an exhibit that has the size of a test's fixture, written before mongolint saw it:
 * `too small`: the fault costs by the documents, so it can't be told by 40; `judged`: it is there at any size, at `severity`
 * or below; `no fault`: only a large collection has it.
 */
export type FixtureLabel = {
  readonly because: string;
  /** Of each insert, such that the anti-pattern is still there; the first 40 unless given. */
  readonly kept?: Kept;
} & (
  | { readonly label: 'too small' | 'like data' | 'no fault' }
  | { readonly label: 'judged'; readonly severity: 'info' | 'warning' | 'error' }
);

const SCANS = 'what a scan costs is proportional to the documents';
/** Of the exhibits in which there are several documents for each of them. */
const PRODUCTS = 150;

/** By check. */
export const FIXTURE_LABELS: Readonly<Record<string, FixtureLabel>> = {
  'unbounded-array': {
    label: 'judged',
    severity: 'error',
    because: 'the array grows, not the collection: one of 6,000 comments is one',
    kept: (posts) =>
      posts.toSorted((one, other) => lengthOf(other) - lengthOf(one)).filter((_, index) => index % 10 === 0),
  },
  'fast-growing-array': {
    label: 'judged',
    severity: 'warning',
    because: 'the rate is measured in each array, however many there are',
  },
  'long-reference-array': {
    label: 'judged',
    severity: 'error',
    because: 'each write to an array of 12,000 references rewrites it',
  },
  'oversized-document': {
    label: 'judged',
    severity: 'error',
    because: 'writes to a document near 16 MB fail at any count',
    kept: (documents) => documents.slice(0, FIXTURE_DOCUMENTS / 2),
  },
  'bloated-document': { label: 'judged', severity: 'error', because: 'each read of a document carries its 2 MB' },
  'outlier-document': {
    label: 'judged',
    severity: 'info',
    because: 'a document of a thousand times the size of others is one among forty, too',
    // One bestseller among forty books.
    kept: (books) => (books.length < FIXTURE_DOCUMENTS ? books.slice(0, 1) : FIRST(books)),
  },
  'deep-nesting': { label: 'judged', severity: 'warning', because: 'one document shows how deep it is' },
  'dynamic-field-names': {
    label: 'judged',
    severity: 'warning',
    because: 'names that differ from document to document show in forty',
  },
  'uncapped-write': { label: 'judged', severity: 'info', because: 'the writes show it, whatever the size' },
  'missing-lookup-index': { label: 'too small', because: SCANS },
  'heavy-lookup': { label: 'too small', because: 'joins in a small collection cost next to nothing' },
  'early-lookup': { label: 'too small', because: 'what is joined too early is a share of the documents' },
  'lookup-type-mismatch': { label: 'judged', severity: 'error', because: 'the types are never equal at any size' },
  'unindexed-reference': {
    label: 'too small',
    because: SCANS,
    // Four reviews of each of ten products.
    kept: (documents) => FIRST(documents.filter((_, index) => index % PRODUCTS < 10)),
  },
  'dangling-reference': { label: 'judged', severity: 'warning', because: 'what refers to nothing was counted' },
  'denormalized-drift': {
    label: 'judged',
    severity: 'warning',
    because: 'copies that differ were counted',
    // Of 20 products, each in an order that was renamed and in one that was missed.
    kept: (documents) => documents.filter((_, index) => index < 2 * PRODUCTS && index % PRODUCTS < 20),
  },
  'upsert-without-unique-index': {
    label: 'judged',
    severity: 'warning',
    because: 'the race is in the code, whatever the size',
  },
  'unique-index-on-optional-field': {
    label: 'judged',
    severity: 'info',
    because: 'the next document without it is refused, however few there are',
  },
  'collection-scan': { label: 'too small', because: SCANS },
  'poor-targeting': { label: 'too small', because: 'what an index finds too much is proportional to the documents' },
  'in-memory-sort': { label: 'too small', because: 'what is sorted is a share of the documents' },
  'memory-bound-aggregation': {
    label: 'judged',
    severity: 'info',
    because: 'the exhibit says how many bytes are much',
  },
  'deep-skip': {
    label: 'too small',
    because: 'how deep a page lies is bounded by the documents',
  },
  'unstable-plan': { label: 'no fault', because: 'among forty documents, one index finds as few as the other' },
  'unbounded-find': { label: 'too small', because: 'what is returned is proportional to the documents' },
  'over-fetching': { label: 'judged', severity: 'warning', because: 'a list of six has the bytes of six posters' },
  'whole-document-write': { label: 'judged', severity: 'info', because: 'an update sends as much in a test' },
  'failing-operations': {
    label: 'judged',
    severity: 'warning',
    because: 'an error is one, however few documents there are',
  },
  'write-contention': {
    label: 'judged',
    severity: 'info',
    because: 'writers meet in one document, however few there are',
  },
  'index-builds-in-requests': { label: 'judged', severity: 'info', because: 'a build is one, however little it reads' },
  'mass-write': { label: 'judged', severity: 'warning', because: 'the exhibit says how many are many' },
  'never-matching-condition': {
    label: 'judged',
    severity: 'warning',
    because: 'that a type never matches does not hang on the number of documents, all of which were read',
  },
  'rebuilt-array': { label: 'no fault', because: 'the elements of forty documents are taken apart in no time' },
  'full-count': { label: 'too small', because: SCANS },
  'computed-value': { label: 'no fault', because: 'to group forty documents costs nothing' },
  'n-plus-one-query': { label: 'no fault', because: 'a list of forty is forty finds, which take 20 ms' },
  'long-in-list': { label: 'no fault', because: 'among forty documents, no list of values is long' },
  'case-insensitive-regex': { label: 'too small', because: SCANS },
  'unselective-filter': { label: 'too small', because: SCANS },
  'expression-filter': { label: 'too small', because: SCANS },
  'split-one-to-few': {
    label: 'judged',
    severity: 'info',
    because: 'how many children a parent has does not hang on the number of parents, but a test is a brief record',
    kept: (documents) => documents.slice(0, 60),
  },
  'bucket-candidate': {
    label: 'like data',
    because: 'fixtures are evenly dated by whoever makes them, and say nothing of measurements',
    // Twenty minutes of two sensors.
    kept: (readings) => FIRST(readings.filter((_, index) => index % 20 < 2)),
  },
  'timeseries-misconfigured': { label: 'no fault', because: 'forty measurements are no load, however they are stored' },
  'mixed-types': { label: 'judged', severity: 'warning', because: 'a stray type is there or not' },
  'schema-versions': { label: 'no fault', because: 'forty documents of a test have no generations' },
  'archive-candidate': { label: 'no fault', because: 'forty documents need no archive' },
  'endless-collection': { label: 'judged', severity: 'info', because: 'the exhibit says from how many on it is a log' },
  'typed-values-as-strings': { label: 'no fault', because: 'forty texts show no habit, and are converted in a moment' },
  'missing-validator': {
    label: 'no fault',
    because: 'a validator is for an established collection, and forty documents can be checked by hand',
  },
  'redundant-index': { label: 'judged', severity: 'info', because: 'one index begins the other; its size is small' },
  'unused-index': { label: 'judged', severity: 'info', because: 'uses are counted, whatever the index holds' },
  'useless-index': { label: 'no fault', because: 'forty documents do not show how many values a field has' },
  'hidden-index': { label: 'judged', severity: 'info', because: 'that it is hidden does not hang on what it holds' },
  'large-multikey-index': {
    label: 'judged',
    severity: 'info',
    because: 'an insert writes the keys of its own array, however many documents there are',
  },
  'too-many-indexes': {
    label: 'judged',
    severity: 'warning',
    because: 'each insert writes all indexes, however many documents there are',
  },
  'retried-transactions': {
    label: 'judged',
    severity: 'info',
    because: 'writers meet in one document, however few there are',
  },
  'unsafe-write-concern': {
    label: 'judged',
    severity: 'info',
    because: 'a write is lost whatever the collection holds',
  },
  'open-transactions': { label: 'no fault', because: 'forty documents are no large transaction' },
  'short-oplog': {
    label: 'judged',
    severity: 'info',
    because: 'one document of 15 MB makes the event',
    kept: (documents) => documents.slice(0, FIXTURE_DOCUMENTS / 2),
  },
  'too-many-collections': { label: 'judged', severity: 'info', because: 'collections are counted, not documents' },
  'empty-collection': { label: 'judged', severity: 'info', because: 'none is the same at any size' },
  'reusable-space': { label: 'no fault', because: 'what forty documents leave free is nothing' },
  'expired-documents': { label: 'too small', because: 'what they take is proportional to the documents' },
  'ttl-without-effect': {
    label: 'judged',
    severity: 'info',
    because: 'text is no date, however many documents have it',
  },
};

function lengthOf(post: Document): number {
  const { comments = [], newestComments = [] } = post as Record<string, unknown[]>;
  return comments.length + newestComments.length;
}
