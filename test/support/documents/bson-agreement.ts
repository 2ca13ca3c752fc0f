import { BSON } from 'mongodb';
import { BSON_TYPES, type DocumentProfile, type TypeCounts } from '../../../src/profile/document-profile.js';
import { DocumentProfiler } from '../../../src/profile/document-profiler.js';

/** What is in a document, whatever the names: as the driver's own parser sees it, and as mongolint's profile does. */
export interface Content {
  readonly types: TypeCounts;
  readonly arrays: { readonly count: number; readonly elements: number; readonly bytes: number };
  readonly objects: { readonly count: number; readonly fields: number };
}

/** What the decoder finds wrong with content, which the server stores all the same. */
const CONTENT_ERRORS = /regular expression option|subtype 0x02/;
const [OBJECT, ARRAY] = [3, 4];
const MIN_KEY = 0xff;
const MAX_KEY = 0x7f;

/** Whether the decoder of the driver refuses the structure; null if it refuses content before it has seen all of that. */
export function isRefusedByDecoder(bytes: Uint8Array): boolean | null {
  try {
    BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true, validation: { utf8: false } });
    return false;
  } catch (error) {
    return CONTENT_ERRORS.test((error as Error).message) ? null : true;
  }
}

/** The profile of one document, whatever lies around it in its buffer. */
export function profileAmong(bytes: Uint8Array, filler: number, after: number): DocumentProfile {
  const profiler = new DocumentProfiler();
  profiler.add(surrounded(bytes, filler, after));
  return profiler.profile();
}

/** The bytes in a buffer that is otherwise filled with one byte; at its very end if nothing is to come after. */
export function surrounded(bytes: Uint8Array, filler: number, after: number): Uint8Array {
  const buffer = new Uint8Array(64 + bytes.length + after).fill(filler);
  buffer.set(bytes, 64);
  return buffer.subarray(64, 64 + bytes.length);
}

/** By the driver's parser, which is none of mongolint's code. */
export function contentByDriver(bytes: Uint8Array): Content {
  const types: Record<string, number> = {};
  const arrays = { count: 0, elements: 0, bytes: 0 };
  const objects = { count: 0, fields: 0 };
  const walk = (start: number, isArray: boolean) => {
    const elements = [...BSON.onDemand.parseToElements(bytes, start)];
    if (isArray) {
      arrays.count += 1;
      arrays.elements += elements.length;
    } else {
      objects.count += 1;
      objects.fields += elements.length;
    }
    for (const [type, , , offset, length] of elements) {
      const name = typeName(type);
      types[name] = (types[name] ?? 0) + 1;
      if (type === ARRAY) arrays.bytes += length;
      if (type === ARRAY || type === OBJECT) walk(offset, type === ARRAY);
    }
  };
  walk(0, false);
  return { types, arrays, objects };
}

/** By the profile of this one document. */
export function contentByProfile({ root, paths }: DocumentProfile): Content {
  const types: Record<string, number> = {};
  const arrays = { count: 0, elements: 0, bytes: 0 };
  const objects = { count: root.fields.count, fields: root.fields.sum };
  for (const path of paths) {
    for (const [type, count] of Object.entries(path.types)) types[type] = (types[type] ?? 0) + count;
    arrays.count += path.array?.lengths.count ?? 0;
    arrays.elements += path.array?.lengths.sum ?? 0;
    arrays.bytes += path.array?.bytes.sum ?? 0;
    objects.count += path.object?.fields.count ?? 0;
    objects.fields += path.object?.fields.sum ?? 0;
  }
  return { types, arrays, objects };
}

function typeName(type: number): string {
  if (type === MIN_KEY) return 'minKey';
  if (type === MAX_KEY) return 'maxKey';
  return BSON_TYPES[type - 1] as string;
}
