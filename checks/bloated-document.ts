import {
  arrayShape,
  formatBytes,
  formatShare,
  heaviestPaths,
  partReads,
  partReadsAdvice,
  partReadsFigures,
  plural,
  sampleWindow,
  severityOf,
  type HeavyPath,
  type PartReads,
} from '../src/helpers.js';
import { defineCheck, type DocumentProfile, type PathProfile } from '../src/check.js';

/** Share of all bytes from which a top-level field is heavy. Lighter ones are what could be read without it. */
const HEAVY_SHARE = 0.2;
/** Share of documents that have a field for it to count as one that is read with the others. */
const COMMON = 0.5;
/** Elements and bytes from which an array is long: any, since only what bounds it matters here. */
const ANY_LENGTH = { elements: 1, bytes: 1 } as const;

/** A heavy field of which most reads want no more than a part. */
interface Part {
  readonly path: string;
  readonly part: PartReads;
}

export const bloatedDocument = defineCheck({
  id: 'bloated-document',
  title: 'Bloated documents',
  summary: 'documents so large on average that memory fills with parts that few reads need',
  appliesTo: ['collection'],
  needs: ['documents', 'storage'],
  uses: ['reads'],
  thresholds: {
    info: {
      default: 256 * 1024,
      unit: 'bytes',
      description: 'average bytes per document from which an info is given',
      source: 'judgement: eight leaf pages of the storage engine (32 KB: SERVER-16182), all read for any one field',
    },
    warning: {
      default: 1024 * 1024,
      unit: 'bytes',
      description: 'average bytes per document from which a warning is given',
      source: '"aim for documents under 1MB": MongoDB agent skills, "Keep Documents Small"',
    },
    collectionBytes: {
      default: 32 * 1024 * 1024,
      unit: 'bytes',
      description: 'bytes of the whole collection below which it is no burden on memory',
      source:
        'judgement: an eighth of the smallest cache, 256 MB (MongoDB manual, "WiredTiger Storage Engine: Memory Use")',
    },
    documents: {
      default: 20,
      unit: 'documents',
      description: 'documents below which a collection is a handful of files',
      source: 'judgement: their total can be read from a folder as well',
    },
    lightFields: {
      default: 3,
      unit: 'fields',
      description: 'fields beside _id and the heavy ones from which documents are worth splitting',
      source: 'judgement: fewer are only what names the payload, as in GridFS chunks (files_id, n)',
    },
  },
  judge({ collection, documents, storage, reads }, limits) {
    const { profile } = documents;
    const { averageDocumentSize, count, size } = storage;
    const severity = severityOf(averageDocumentSize, { info: limits.info, warning: limits.warning, error: Infinity });
    if (severity === null || size < limits.collectionBytes || count < limits.documents) return [];
    // A high average that a few giants make says nothing of the others; outlier-document speaks of those.
    if (profile.sizes.median < limits.info / 2) return [];
    const light = lightFields(profile);
    if (light.length < limits.lightFields || isBucket(profile)) return [];
    const heaviest = heaviestPaths(profile);
    const parts = heaviest
      .filter(({ share }) => share >= HEAVY_SHARE)
      .flatMap(({ path }): Part[] => {
        const part = partReads(
          path,
          reads,
          profile.paths.find((each) => each.path === path)?.array?.lengths.median ?? Infinity,
        );
        return part === null ? [] : [{ path, part }];
      });
    return [
      {
        severity,
        confidence: (heaviest[0]?.share ?? 0) >= 1 - HEAVY_SHARE ? 'high' : 'medium',
        path: null,
        message:
          `Documents have ${formatBytes(averageDocumentSize)} on average, ${formatBytes(size)} in all: reading any field brings the ` +
          `whole document into memory. ${heaviestText(heaviest)}.`,
        evidence: {
          source: 'collStats and sample',
          window: sampleWindow(documents, storage),
          averageBytes: Math.round(averageDocumentSize),
          totalBytes: size,
          heaviest: heaviest.filter(({ share }) => share >= HEAVY_SHARE).map(({ path, share }) => ({ path, share })),
          lightFields: light.length,
          ...(parts.length > 0 && {
            reads: Object.fromEntries(parts.map(({ path, part }) => [path, partReadsFigures(part)])),
          }),
          distribution: { unit: 'bytes', buckets: [...profile.sizes.buckets] },
        },
        remedy: {
          text: [
            remedyText(collection.name, profile, heaviest),
            ...parts.map(({ path, part }) => partReadsAdvice(path, part)),
          ].join(' '),
        },
      },
    ];
  },
});

function lightFields({ paths }: DocumentProfile): PathProfile[] {
  return paths.filter(({ path, parent, presence, shareOfBytes }) => {
    return parent === null && path !== '_id' && presence >= COMMON && shareOfBytes < HEAVY_SHARE;
  });
}

/** A bucket is one array of a bounded count beside what describes it, and is read whole. */
function isBucket({ paths }: DocumentProfile): boolean {
  const heaviest = paths.filter(({ parent }) => parent === null).toSorted((a, b) => b.shareOfBytes - a.shareOfBytes)[0];
  const array = heaviest?.array;
  if (heaviest === undefined || array === undefined || heaviest.shareOfBytes < 1 - HEAVY_SHARE) return false;
  return arrayShape({ ...heaviest, array }, paths, ANY_LENGTH).kind === 'bounded';
}

function heaviestText(heaviest: readonly HeavyPath[]): string {
  const heavy = heaviest.filter(({ share }) => share >= HEAVY_SHARE);
  if (heavy.length === 0) return 'No field stands out: the weight is spread over many';
  const parts = heavy.map(({ path, share }) => `\`${path}\` (${formatShare(share)})`);
  return `${plural(heavy.length, 'field')} ${heavy.length === 1 ? 'makes' : 'make'} up most of it: ${parts.join(', ')}`;
}

function remedyText(collection: string, { paths }: DocumentProfile, heaviest: readonly HeavyPath[]): string {
  const heavy = heaviest.filter(({ share }) => share >= HEAVY_SHARE).map(({ path }) => path);
  if (heavy.length === 0) {
    return (
      `Find the fields that the frequent queries on ${collection} read, and move the others to a second collection under the same ` +
      '_id, read only when a detail is asked for.'
    );
  }
  const names = heavy.map((path) => `\`${path}\``).join(' and ');
  const types = heavy.map((heavyPath) => paths.find(({ path }) => path === heavyPath)?.types ?? {});
  const move = `Move ${names} to a second collection, ${collection}_details, under the same _id, and read it only when it is asked for.`;
  if (types.some(({ binData = 0 }) => binData > 0))
    return `${move} Files and images are better kept in GridFS or an object store, by URL.`;
  if (types.some(({ array = 0 }) => array > 0))
    return `${move} Of an array, keep the few elements that are read with the document (subset pattern).`;
  return move;
}
