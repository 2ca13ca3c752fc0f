import { Buffer } from 'buffer';
/** The few parts of Node's modules that judging uses, made of what browsers have. Nothing here reads a disk or a network. */
import { md5 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import path from 'path-browserify';

export const posix = path;
export const { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } = path;

class Hash {
  constructor(state) {
    this.state = state;
  }
  update(data) {
    this.state.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
    return this;
  }
  copy() {
    return new Hash(this.state.clone());
  }
  digest(encoding) {
    const bytes = Buffer.from(this.state.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}
export const createHash = (name) => new Hash((name === 'md5' ? md5 : sha256).create());

/** The files that the page was given, by name. */
export const files = new Map();
/** Far more than a file of 10,000 collections takes. A smaller one may unzip to anything. */
const MOST_BYTES = 1024 * 1024 * 1024;

export async function stat(file) {
  if (!files.has(file)) throw Object.assign(new Error('there is no such file'), { code: 'ENOENT' });
  return { isDirectory: () => false, isFile: () => true, size: files.get(file).size };
}

export async function open(file) {
  const blob = files.get(file);
  return {
    async read(buffer, offset, length, position) {
      const bytes = new Uint8Array(await blob.slice(position, position + length).arrayBuffer());
      buffer.set(bytes, offset);
      return { buffer, bytesRead: bytes.length };
    },
    createReadStream: () => chunksOf(blob.stream()),
    close: async () => {},
  };
}

async function* chunksOf(stream) {
  const reader = stream.getReader();
  try {
    for (let total = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      total += value.length;
      if (total > MOST_BYTES) throw Object.assign(new Error('too large'), { code: 'ERR_OUT_OF_RANGE' });
      yield Buffer.from(value.buffer, value.byteOffset, value.length);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

export const createGunzip = () =>
  async function* (chunks) {
    const source = new ReadableStream({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    try {
      yield* chunksOf(source.pipeThrough(new DecompressionStream('gzip')));
    } catch (error) {
      const isCutOff = /truncated|unexpected end|incomplete/i.test(error.message);
      throw Object.assign(error, { code: error.code ?? (isCutOff ? 'Z_BUF_ERROR' : 'Z_DATA_ERROR') });
    }
  };
export const pipeline = (source, transform) => transform(source);

export const setImmediate = (value) => new Promise((done) => setTimeout(() => done(value), 0));
export const setTimeoutOf = (time, value) => new Promise((done) => setTimeout(() => done(value), time));

export const promisify =
  (of) =>
  (...given) =>
    new Promise((done, fail) => of(...given, (error, value) => (error ? fail(error) : done(value))));

export const styleText = (_, text) => text;

/** Of the plain data, dates and BSON values that evidence holds. */
export function isDeepStrictEqual(one, other) {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Date && one.getTime() !== other.getTime()) return false;
  if (one instanceof Map || one instanceof Set) return isDeepStrictEqual([...one], [...other]);
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isDeepStrictEqual(one[key], other[key]))
  );
}

/** Of files, which nothing here opens. */
export const constants = {};
