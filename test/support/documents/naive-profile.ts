import { BSON } from 'mongodb';
import type { BsonType } from '../../../src/profile/document-profile.js';

const { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } =
  BSON;

/** What a plain walk over decoded documents finds at one path. Lists where the profile keeps sketches. */
export interface NaivePath {
  parents: number;
  documents: Set<number>;
  depth: number;
  types: Partial<Record<BsonType, number>>;
  occurrences: number;
  bytes: number;
  arrayLengths: number[];
  arrayBytes: number[];
  arrayBytesByDocument: Map<number, number>;
  fieldCounts: number[];
  names: Set<string>;
  dates: number[];
  numbers: number[];
  objectIdTimes: number[];
  stringBytes: number[];
}

/** A profile as somebody would write it who has all the time and memory there is. */
export class NaiveProfile {
  readonly paths = new Map<string, NaivePath>();
  readonly sizes: number[] = [];

  add(bytes: Uint8Array): void {
    this.sizes.push(bytes.length);
    const document = BSON.deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true });
    this.walkFields(document, '', 0);
  }

  private path(path: string, depth: number): NaivePath {
    let found = this.paths.get(path);
    if (found === undefined) {
      found = {
        parents: 0,
        documents: new Set(),
        depth,
        types: {},
        occurrences: 0,
        bytes: 0,
        arrayLengths: [],
        arrayBytes: [],
        arrayBytesByDocument: new Map(),
        fieldCounts: [],
        names: new Set(),
        dates: [],
        numbers: [],
        objectIdTimes: [],
        stringBytes: [],
      };
      this.paths.set(path, found);
    }
    return found;
  }

  private walkFields(object: object, prefix: string, depth: number): void {
    for (const [name, value] of Object.entries(object)) {
      const isAmbiguous = name === '' || name === '*' || /[.[\]]/.test(name);
      const path = isAmbiguous ? `${prefix}[${JSON.stringify(name)}]` : prefix === '' ? name : `${prefix}.${name}`;
      this.walkValue(value, path, depth + 1, Buffer.byteLength(name));
    }
  }

  private walkValue(value: unknown, path: string, depth: number, nameBytes: number): void {
    const node = this.path(path, depth);
    const document = this.sizes.length;
    const type = typeOf(value);
    const bytes = BSON.calculateObjectSize({ '': value }, { ignoreUndefined: false }) - 5 - 2;
    node.occurrences += 1;
    node.documents.add(document);
    node.types[type] = (node.types[type] ?? 0) + 1;
    node.bytes += 1 + nameBytes + 1 + bytes;
    if (Array.isArray(value)) {
      node.arrayLengths.push(value.length);
      node.arrayBytes.push(bytes);
      node.arrayBytesByDocument.set(document, (node.arrayBytesByDocument.get(document) ?? 0) + bytes);
      value.forEach((element, index) => this.walkValue(element, `${path}[]`, depth + 1, String(index).length));
    } else if (type === 'object') {
      const names = Object.keys(value as object);
      node.fieldCounts.push(names.length);
      for (const name of names) node.names.add(name);
      this.walkFields(value as object, path, depth);
    }
    this.observe(node, value);
  }

  private observe(node: NaivePath, value: unknown): void {
    if (typeof value === 'string') node.stringBytes.push(Buffer.byteLength(value));
    if (value instanceof Date) node.dates.push(value.getTime());
    if (value instanceof ObjectId) node.objectIdTimes.push(value.getTimestamp().getTime());
    if (value instanceof Int32 || value instanceof Double) node.numbers.push(Number(value.value));
    if (value instanceof Long && !(value instanceof Timestamp)) node.numbers.push(Number(value.toBigInt()));
  }
}

function typeOf(value: unknown): BsonType {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Date) return 'date';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Long) return 'long';
  if (value instanceof Int32) return 'int';
  if (value instanceof Double) return 'double';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Binary) return 'binData';
  if (value instanceof Decimal128) return 'decimal';
  if (value instanceof BSONRegExp) return 'regex';
  if (value instanceof BSONSymbol) return 'symbol';
  if (value instanceof Code) return value.scope === null ? 'javascript' : 'javascriptWithScope';
  if (value instanceof MinKey) return 'minKey';
  if (value instanceof MaxKey) return 'maxKey';
  return 'object';
}
