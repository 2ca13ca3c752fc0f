import type { DocumentProfile, PathProfile, Severity } from '../../src/check.js';
import { arrayShape } from '../../src/judgement/arrays/array-shape.js';
import { WHOLE } from '../../src/judgement/margins.js';

/** Share of all bytes from which a top-level field is heavy. Reads could do with the lighter ones. */
export const HEAVY_SHARE = 0.2;

/** Share of documents that must have a field before it counts as light. */
const COMMON = 0.5;
/** Share of bytes from which a field is the payload of its documents. */
const PAYLOAD_SHARE = 0.9;
/** Light fields from which documents are more than a payload and its key. */
const FIELDS_BESIDE_PAYLOAD = 2;
const GRID_FS_CHUNK: ReadonlySet<string> = new Set(['_id', 'files_id', 'n', 'data']);
/** Any length: only the bound matters here. */
const ANY_LENGTH = { elements: 1, bytes: 1 } as const;

export function lightFields({ paths }: DocumentProfile): PathProfile[] {
  return paths.filter(({ path, parent, presence, shareOfBytes }) => {
    return parent === null && path !== '_id' && presence >= COMMON && shareOfBytes < HEAVY_SHARE;
  });
}

/** The one text or binary that nearly all of a large document consists of. */
export function payloadOf({ paths, sizes }: DocumentProfile, leastBytes: number): PathProfile | null {
  const path = paths.find(({ parent, shareOfBytes }) => parent === null && shareOfBytes >= PAYLOAD_SHARE);
  if (path === undefined || sizes.median < leastBytes) return null;
  const { string = 0, binData = 0 } = path.types;
  const values = Object.values(path.types).reduce((sum, count) => sum + count, 0);
  return string + binData >= PAYLOAD_SHARE * values ? path : null;
}

/** Whether reads need the payload decides, if they are recorded. */
export function payloadSeverity(light: number, isMostlyLeftOut: boolean): Severity | null {
  if (isMostlyLeftOut) return light > 0 ? 'warning' : null;
  return light >= FIELDS_BESIDE_PAYLOAD ? 'info' : null;
}

export function isGridFsChunks({ paths }: DocumentProfile): boolean {
  const fields = paths.filter(({ parent }) => parent === null).map(({ path }) => path);
  return fields.length === GRID_FS_CHUNK.size && fields.every((field) => GRID_FS_CHUNK.has(field));
}

/** A bucket is one bounded array with its description, and is read whole. */
export function isBucket({ paths }: DocumentProfile): boolean {
  const heaviest = paths.filter(({ parent }) => parent === null).toSorted((a, b) => b.shareOfBytes - a.shareOfBytes)[0];
  const array = heaviest?.array;
  if (heaviest === undefined || array === undefined || heaviest.shareOfBytes < 1 - HEAVY_SHARE) return false;
  return arrayShape({ ...heaviest, array }, paths, ANY_LENGTH, WHOLE).kind === 'bounded';
}
