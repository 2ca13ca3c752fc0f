import {
  type Collection,
  defineCheck,
  type DocumentEvidence,
  type DocumentProfile,
  type PathProfile,
  type RemedyStep,
  type StorageStatistics,
} from '../src/check.js';
import { formatBytes, formatShare } from '../src/format.js';
import { knownSizes, type KnownSizes } from '../src/inventory/storage.js';
import { arrayShape } from '../src/judgement/arrays/array-shape.js';
import {
  HEAVY_SHARE,
  heaviestPaths,
  type HeavyPath,
  NEARLY_ALL,
  payloadPaths,
} from '../src/judgement/documents/heaviest-paths.js';
import { partReads, type PartReads, partReadsAdvice, partReadsFigures } from '../src/judgement/documents/part-reads.js';
import { severityOf, WHOLE, worst } from '../src/judgement/margins.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { shellStatement } from '../src/judgement/shell-statement.js';

/** A heavy field of which most reads return no more than a part. */
interface Part {
  readonly path: string;
  readonly part: PartReads;
}

/**
 * Bytes of the average document from which a part that most reads leave out is a burden: half a leaf page of the storage engine
 * (SERVER-16182), so that each such document takes a page of its own with most of it unread. Judgement.
 */
const LARGE_PART = 16 * 1024;

/** Share of a document's bytes from which what most reads leave out is most of it. */
const MOST_OF_IT = 0.5;

/** Documents below which a collection is only a handful of files. Judgement. */
const HANDFUL = 20;

/**
 * Bytes of the median document from which one field that makes up nearly all of it is reported: a leaf page of the storage
 * engine (SERVER-16182).
 */
const PAYLOAD = 32 * 1024;

/**
 * Fields beside _id and the heavy ones from which documents are worth splitting. Judgement: fewer only name the payload, as in
 * GridFS chunks.
 */
const LIGHT_FIELDS = 3;

export const bloatedDocument = defineCheck({
  id: 'bloated-document',
  title: 'Bloated documents',
  summary: 'documents so large on average that they fill memory with parts that few reads need',
  appliesTo: ['collection'],
  needs: ['documents'],
  uses: ['storage', 'reads'],
  thresholds: {
    info: {
      default: 256 * 1024,
      unit: 'bytes',
      description: 'bytes per document, on average',
      source: 'judgement: eight leaf pages of the storage engine (32 KB: SERVER-16182), all read for any one field',
    },
    warning: {
      default: 1024 * 1024,
      unit: 'bytes',
      description: 'bytes per document, on average',
      source: '"aim for documents under 1MB": MongoDB agent skills, "Keep Documents Small"',
    },
    collectionBytes: {
      default: 32 * 1024 * 1024,
      unit: 'bytes',
      description: 'bytes of the collection; a smaller one does not burden memory',
      source:
        'judgement: an eighth of the smallest cache, 256 MB (MongoDB manual, "WiredTiger Storage Engine: Memory Use")',
    },
  },
  retiredThresholds: ['documents', 'payload', 'lightFields'],
  judge({ collection, documents, storage, reads }, limits) {
    const { profile } = documents;
    const { averageDocumentSize, count, size } = sizesOf(documents, storage);
    if (size < limits.collectionBytes || count < HANDFUL || isGridFsChunks(profile)) return [];
    const light = lightFields(profile);
    const heaviest = heaviestPaths(profile.paths);
    const heavy = heaviest.filter(({ share }) => share >= HEAVY_SHARE);
    const parts = heavy.flatMap(({ path }): Part[] => {
      const tooLong = profile.paths.find((each) => each.path === path)?.array?.lengths.median ?? Infinity;
      const part = partReads(path, reads, tooLong);
      return part === null ? [] : [{ path, part }];
    });
    const lines = { info: limits.info, warning: limits.warning, error: Infinity };
    // A few giants can raise the average; outlier-document reports those.
    const isSplittable = profile.sizes.median >= limits.info / 2 && light.length >= LIGHT_FIELDS && !isBucket(profile);
    const byAverage = isSplittable ? severityOf(averageDocumentSize, lines) : null;
    const leftOut = heavy.reduce(
      (sum, { path, share }) => (parts.some((each) => each.path === path) ? sum + share : sum),
      0,
    );
    const isMostlyLeftOut = averageDocumentSize >= LARGE_PART && leftOut >= MOST_OF_IT && light.length > 0;
    const isPayload = averageDocumentSize >= PAYLOAD && parts.length === 0 && hasPayload(profile);
    const severity = worst([
      byAverage,
      isMostlyLeftOut ? 'warning' : null,
      isPayload && light.length >= FIELDS_BESIDE_PAYLOAD ? 'info' : null,
    ]);
    if (severity === null) return [];
    const payload = payloadPaths(profile.paths);
    return [
      {
        severity,
        confidence: (heaviest[0]?.share ?? 0) >= NEARLY_ALL ? 'high' : 'medium',
        path: null,
        ...(payload !== null && { causedBy: payload[0].path }),
        message:
          `Documents average ${formatBytes(averageDocumentSize)}, ${formatBytes(size)} in total. Reading any field loads the whole ` +
          `document into memory. ${heavyText(heavy)}`,
        restsOn: ['sample'],
        evidence: {
          source: storage === undefined || knownSizes(storage) === null ? 'sample' : 'collStats and sample',
          window: sampleWindow(documents, storage),
          averageBytes: Math.round(averageDocumentSize),
          totalBytes: size,
          heaviest: heavy.map(({ path, share }) => ({ path, share })),
          lightFields: light.length,
          ...(parts.length > 0 && {
            reads: Object.fromEntries(parts.map(({ path, part }) => [path, partReadsFigures(part)])),
          }),
          distribution: { unit: 'bytes', buckets: [...profile.sizes.buckets] },
        },
        remedy: {
          steps: [
            ...parts.map(({ path, part }) => ({ text: partReadsAdvice(path, part) })),
            ...remedySteps(collection, profile, heavy),
          ],
        },
      },
    ];
  },
});

/** Without sizes, at least what the sample shows. */
function sizesOf({ profile }: DocumentEvidence, storage: StorageStatistics | undefined): KnownSizes {
  const { documents, bytes } = profile;
  const known = storage === undefined ? null : knownSizes(storage);
  if (known !== null) return known;
  const averageDocumentSize = documents === 0 ? 0 : bytes / documents;
  const count = Math.max(documents, storage?.count ?? 0);
  return { count, size: count * averageDocumentSize, averageDocumentSize };
}

function heavyText(heavy: readonly HeavyPath[]): string {
  if (heavy.length === 0) return 'No field stands out: the bytes are spread over many fields.';
  return `Most of it: ${heavy.map(({ path, share }) => `\`${path}\` (${formatShare(share)})`).join(', ')}.`;
}

function remedySteps(
  { name, namespace }: Collection,
  { paths }: DocumentProfile,
  heavy: readonly HeavyPath[],
): RemedyStep[] {
  if (heavy.length === 0) {
    return [
      { text: `Find the fields that the frequent queries on ${name} return.` },
      { text: 'Move the other fields to a second collection with the same _id. Read it only when a detail is needed.' },
      averageStep(namespace),
    ];
  }
  const names = heavy.map(({ path }) => `\`${path}\``).join(' and ');
  const types = heavy.map((each) => paths.find(({ path }) => path === each.path)?.types ?? {});
  const move = `Move ${names} to a second collection, ${name}_details, with the same _id. Read it only when it is needed.`;
  const hint = types.some(({ binData = 0 }) => binData > 0)
    ? ' Files and images are better kept in GridFS or an object store, by URL.'
    : types.some(({ array = 0 }) => array > 0)
      ? ' Of an array, keep the few elements that most reads return (subset pattern).'
      : types.some(({ string = 0 }) => string > 0)
        ? ' If it is a file or an image, GridFS or an object store is better, without base64.'
        : '';
  return [{ text: `${move}${hint}` }, averageStep(namespace)];
}

function averageStep(namespace: string): RemedyStep {
  return {
    text: 'Check the average size of a document, in bytes.',
    code: `${shellStatement(namespace, 'stats')}.avgObjSize`,
  };
}

/** Share of documents that must have a field before it counts as light. */
const COMMON = 0.5;

/** Share of bytes from which a field is the payload of its documents. */
const PAYLOAD_SHARE = 0.9;

/** Light fields from which documents are more than a payload and its key. */
const FIELDS_BESIDE_PAYLOAD = 2;

const GRID_FS_CHUNK: ReadonlySet<string> = new Set(['_id', 'files_id', 'n', 'data']);

/** Any length: only the bound matters here. */
const ANY_LENGTH = { elements: 1, bytes: 1 } as const;

function lightFields({ paths }: DocumentProfile): PathProfile[] {
  return paths.filter(({ path, parent, presence, shareOfBytes }) => {
    return parent === null && path !== '_id' && presence >= COMMON && shareOfBytes < HEAVY_SHARE;
  });
}

/** Whether nearly all of a large document is one text or binary. */
function hasPayload({ paths, sizes }: DocumentProfile): boolean {
  const path = paths.find(({ parent, shareOfBytes }) => parent === null && shareOfBytes >= PAYLOAD_SHARE);
  if (path === undefined || sizes.median < PAYLOAD) return false;
  const { string = 0, binData = 0 } = path.types;
  const values = Object.values(path.types).reduce((sum, count) => sum + count, 0);
  return string + binData >= PAYLOAD_SHARE * values;
}

function isGridFsChunks({ paths }: DocumentProfile): boolean {
  const fields = paths.filter(({ parent }) => parent === null).map(({ path }) => path);
  return fields.length === GRID_FS_CHUNK.size && fields.every((field) => GRID_FS_CHUNK.has(field));
}

/** A bucket is one bounded array with its description, and is read whole. */
function isBucket({ paths }: DocumentProfile): boolean {
  const heaviest = paths.filter(({ parent }) => parent === null).toSorted((a, b) => b.shareOfBytes - a.shareOfBytes)[0];
  const array = heaviest?.array;
  if (heaviest === undefined || array === undefined || heaviest.shareOfBytes < NEARLY_ALL) return false;
  return arrayShape({ ...heaviest, array }, paths, ANY_LENGTH, WHOLE).kind === 'bounded';
}
