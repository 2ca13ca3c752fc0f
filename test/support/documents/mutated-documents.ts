import * as fc from 'fast-check';
import { BSON, ObjectId, Timestamp, UUID, type Document } from 'mongodb';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { int32 } from './bson-bytes.js';
import { anyDocument } from './random-documents.js';

/** Documents that mutations start from, of those that were made: the smaller ones, which are faster to change and to read. */
const MADE_DOCUMENTS = 400;
const MOST_BYTES = 600;
const MOST_MUTATIONS = 4;
/** Longer parts are not cut out or put in. */
const MOST_PART_BYTES = 12;
/** Types, lengths near the limits, and the terminator. */
const ODD_BYTES = [0, 1, 2, 3, 4, 5, 7, 8, 0x0a, 0x0b, 0x0c, 0x0d, 0x0f, 0x10, 0x12, 0x13, 0x14, 0x7f, 0x80, 0xff];
const ODD_LENGTHS = [0, 1, -1, 4, 5, 0x7f_ff_ff_ff, -0x80_00_00_00].map((length) => Buffer.from(int32(length)));

const DIFFS: readonly Document[] = [
  { sreviews: { a: true, u3: { stars: 5 }, u4: [1, 2] } },
  { sthread: { sposts: { a: true, u5: 1, l: 9 } } },
  { srows: { a: true, s1: { a: true, u9: [[1], [2]] } } },
  { u: { last: [1, 2, 3], pattern: /a/i }, i: { first: [[1], { list: [2] }] }, d: { old: false } },
];

/** Cuts some bytes out at a place and puts others in. */
interface Change {
  readonly at: number;
  readonly out: number;
  readonly put: Uint8Array;
}

type Mutation = (bytes: Uint8Array, random: SeededRandom, others: readonly Uint8Array[]) => Change;

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => ({ at: random.below(bytes.length), out: 1, put: Uint8Array.of(random.below(256)) }),
  (bytes, random) => ({ at: random.below(bytes.length), out: 1, put: Uint8Array.of(random.choose(ODD_BYTES)) }),
  (bytes, random) => ({ at: random.below(bytes.length), out: random.below(MOST_PART_BYTES), put: new Uint8Array(0) }),
  (bytes, random) => ({ at: random.below(bytes.length), out: 0, put: randomPart(random) }),
  (bytes, random) => ({ at: random.below(bytes.length), out: 4, put: random.choose(ODD_LENGTHS) }),
  (bytes, random) => ({ at: random.below(bytes.length), out: 0, put: partOf(bytes, random) }),
  (bytes, random, others) => ({
    at: random.below(bytes.length),
    out: MOST_PART_BYTES,
    put: partOf(random.choose(others), random),
  }),
];

/** As many documents with bytes changed, cut out or put in as are asked for; a seed repeats them. */
export function* mutatedDocuments(
  count: number,
  seed: number,
  sound: readonly Uint8Array[] = soundDocuments(seed),
): Generator<Uint8Array> {
  const random = new SeededRandom(seed);
  for (let number = 0; number < count; number += 1) {
    let bytes = Buffer.from(random.choose(sound));
    const mutations = random.below(MOST_MUTATIONS + 1);
    for (let index = 0; index < mutations && bytes.length > 0; index += 1) {
      const { at, out, put } = random.choose(MUTATIONS)(bytes, random, sound);
      bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + out)]);
    }
    // Else most documents would be refused for their length alone.
    if (bytes.length >= 4 && random.chance(0.8)) bytes.writeInt32LE(bytes.length);
    yield bytes;
  }
}

/** Documents of all types. */
export function soundDocuments(seed: number): readonly Uint8Array[] {
  return fc.sample(anyDocument, { numRuns: MADE_DOCUMENTS, seed }).filter(({ length }) => length <= MOST_BYTES);
}

/** Entries as servers from 5.0 on write them, for updates of all kinds, and for transactions. */
export function oplogEntries(seed: number): readonly Uint8Array[] {
  const ts = new Timestamp({ t: 1_700_000_000, i: 1 });
  const common = { ts, ui: new UUID(), wall: new Date(1_700_000_000_000) };
  const updates = DIFFS.map((diff) => ({ ...common, op: 'u', o2: { _id: new ObjectId() }, o: { $v: 2, diff } }));
  const inserted = { ...common, op: 'i', o2: { _id: 7 } };
  const deleted = { ...common, op: 'd', o: { _id: 'x' } };
  const transaction = { ...common, op: 'c', o: { applyOps: [...updates.slice(0, 3), inserted, deleted] } };
  const entries = [
    ...updates,
    inserted,
    deleted,
    transaction,
    { ...transaction, o: { ...transaction.o, prepare: true } },
  ];
  return [...entries.map((entry) => BSON.serialize(entry)), ...soundDocuments(seed)];
}

function partOf(bytes: Uint8Array, random: SeededRandom): Uint8Array {
  const at = random.below(bytes.length);
  return bytes.subarray(at, at + MOST_PART_BYTES);
}

function randomPart(random: SeededRandom): Uint8Array {
  return Uint8Array.from({ length: random.between(1, MOST_PART_BYTES) }, () => random.below(256));
}
