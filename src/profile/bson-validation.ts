import {
  ARRAY,
  BIN_DATA,
  BOOL,
  DB_POINTER,
  EMPTY_OBJECT_BYTES,
  JAVASCRIPT_WITH_SCOPE,
  OBJECT,
  OBJECT_ID_BYTES,
  REGEX,
  STRING,
  VALUE_BYTES,
  VARIABLE,
} from './bson-types.js';
import { afterName } from './field-name.js';

// Deeper documents are refused. The server stores 180 levels (measured on 6.0.5), drivers and tools handle no more.
export const MAXIMUM_LEVELS = 500;

const EMPTY_SCOPE_BYTES = 4 + 5 + EMPTY_OBJECT_BYTES;

// As strict as the server's own check of stored documents, so that the walk needs no checks; skips the content of
// strings and binary data.
export class BsonValidator {
  problem = '';
  problemOffset = 0;
  /** The last byte of each open object, by level. */
  private readonly terminators = new Int32Array(MAXIMUM_LEVELS + 1);

  /** @returns -1 if the bytes are no valid document; an empty object or array counts as a value, as on the server */
  levels(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const { terminators } = this;
    const size = end - start;
    if (size < EMPTY_OBJECT_BYTES) return this.fail('shorter than the smallest document', 0);
    const length = view.getInt32(start, true);
    if (length < EMPTY_OBJECT_BYTES) return this.fail('document length too small', 0);
    if (length > size) return this.fail('document length beyond the end of the bytes', 0);
    if (length < size) return this.fail('bytes after the end of the document', length);
    if (bytes[end - 1] !== 0) return this.fail('document without terminator', size - 1);

    let level = 1;
    let deepest = 0;
    // The variables of a code's scope are no values of the document.
    let scopeLevel = MAXIMUM_LEVELS + 1;
    let terminator = end - 1;
    let at = start + 4;
    terminators[1] = terminator;
    for (;;) {
      const type = bytes[at] as number;
      if (type === 0) {
        if (at !== terminator) return this.fail('object or array ends before its length', at - start);
        at += 1;
        level -= 1;
        if (level === 0) return deepest;
        if (level < scopeLevel) scopeLevel = MAXIMUM_LEVELS + 1;
        terminator = terminators[level] as number;
        continue;
      }
      const valueBytes = VALUE_BYTES[type] as number;
      if (level > deepest && level < scopeLevel) deepest = level;
      at += 1;
      // The terminator is known to be 0, so no name runs past it.
      at = afterName(view, bytes, at);
      if (valueBytes >= 0) {
        at += valueBytes;
        if (at > terminator)
          return this.fail('value runs past the end of its object or array', at - valueBytes - start);
        if (type === BOOL && (bytes[at - 1] as number) > 1)
          return this.fail('boolean other than 0 or 1', at - 1 - start);
        continue;
      }
      if (type === STRING && at + 4 < terminator) {
        const stringBytes = view.getInt32(at, true);
        const last = at + 3 + stringBytes;
        if (stringBytes > 0 && stringBytes < terminator - at - 3 && bytes[last] === 0) {
          at = last + 1;
          continue;
        }
      }
      if (type === OBJECT || type === ARRAY) {
        if (at + EMPTY_OBJECT_BYTES > terminator)
          return this.fail('object or array runs past the end of its parent', at - start);
        const bytesInside = view.getInt32(at, true);
        if (bytesInside < EMPTY_OBJECT_BYTES) return this.fail('object or array length too small', at - start);
        if (bytesInside > terminator - at)
          return this.fail('object or array length beyond the end of its parent', at - start);
        if (level === MAXIMUM_LEVELS) return this.fail(`more than ${MAXIMUM_LEVELS} levels of nesting`, at - start);
        terminator = at + bytesInside - 1;
        if (bytes[terminator] !== 0) return this.fail('object or array without terminator', terminator - start);
        level += 1;
        terminators[level] = terminator;
        at += 4;
        continue;
      }
      if (type === JAVASCRIPT_WITH_SCOPE) {
        const scope = this.scope(bytes, view, start, at, terminator);
        if (scope < 0) return -1;
        if (level === MAXIMUM_LEVELS) return this.fail(`more than ${MAXIMUM_LEVELS} levels of nesting`, at - start);
        terminator = scope + view.getInt32(scope, true) - 1;
        level += 1;
        scopeLevel = Math.min(scopeLevel, level);
        terminators[level] = terminator;
        at = scope + 4;
        continue;
      }
      at = this.variable(bytes, view, type, start, at, terminator);
      if (at < 0) return -1;
    }
  }

  private variable(
    bytes: Uint8Array,
    view: DataView,
    type: number,
    start: number,
    at: number,
    terminator: number,
  ): number {
    if (type === REGEX) {
      let after = at;
      while (after < terminator && bytes[after] !== 0) after += 1;
      after += 1;
      while (after < terminator && bytes[after] !== 0) after += 1;
      after += 1;
      return after > terminator ? this.fail('regex without terminator', at - start) : after;
    }
    if (VALUE_BYTES[type] !== VARIABLE)
      return this.fail(`unknown type 0x${type.toString(16).padStart(2, '0')}`, at - start);
    if (at + 4 > terminator) return this.fail('length runs past the end of its object or array', at - start);
    const length = view.getInt32(at, true);
    const lengthAt = at - start;
    if (type === BIN_DATA) {
      if (length < 0) return this.fail('negative length of binary data', lengthAt);
      return length > terminator - at - 5
        ? this.fail('binary data runs past the end of its object or array', lengthAt)
        : at + 5 + length;
    }
    const bytesAfter = type === DB_POINTER ? OBJECT_ID_BYTES : 0;
    if (length < 1) return this.fail('string length too small', lengthAt);
    if (length > terminator - at - 4 - bytesAfter)
      return this.fail('string runs past the end of its object or array', lengthAt);
    if (bytes[at + 3 + length] !== 0) return this.fail('string without terminator', at + 3 + length - start);
    return at + 4 + length + bytesAfter;
  }

  private scope(bytes: Uint8Array, view: DataView, start: number, at: number, terminator: number): number {
    const valueAt = at - start;
    if (at + EMPTY_SCOPE_BYTES > terminator)
      return this.fail('code with scope runs past the end of its object or array', valueAt);
    const length = view.getInt32(at, true);
    if (length < EMPTY_SCOPE_BYTES) return this.fail('length of code with scope too small', valueAt);
    if (length > terminator - at) return this.fail('code with scope runs past the end of its object or array', valueAt);
    const codeLength = view.getInt32(at + 4, true);
    if (codeLength < 1 || codeLength > length - EMPTY_SCOPE_BYTES + 1)
      return this.fail('length of code does not fit its scope', valueAt + 4);
    if (bytes[at + 7 + codeLength] !== 0) return this.fail('string without terminator', valueAt + 7 + codeLength);
    const scope = at + 8 + codeLength;
    if (scope + view.getInt32(scope, true) !== at + length)
      return this.fail('length of a scope does not fit its code', scope - start);
    if (bytes[at + length - 1] !== 0) return this.fail('object or array without terminator', valueAt + length - 1);
    return scope;
  }

  private fail(problem: string, offset: number): -1 {
    this.problem = problem;
    this.problemOffset = offset;
    return -1;
  }
}
