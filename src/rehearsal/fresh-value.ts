import { Binary, Double, Int32, Long, ObjectId } from 'mongodb';
import { SeededRandom } from '../demo/seeded-random.js';

/** A string shorter than this has too few others of its kind. */
const SHORTEST_TEXT = 4;
/** Different texts that are made of one. */
const MOST_TEXTS = 10_000_000;
/** A prime, so that texts of neighbours differ in more than their last character. */
const SPREAD = 7_368_787;
const UUID_SUBTYPES = new Set([Binary.SUBTYPE_UUID, Binary.SUBTYPE_UUID_OLD]);
const LARGEST_INT32 = 2 ** 31 - 1;
const MS_PER_SECOND = 1_000;
const ALPHABETS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const HEXADECIMAL = /^[\da-f]+$/;

/** Values of one field in a sample. */
export interface FieldValues {
  /** Numbers and times in ms, ascending. */
  readonly sorted: readonly number[];
  /** True if none occurs twice. */
  readonly unique: boolean;
  /** True if all of these numbers are whole. */
  readonly whole: boolean;
}

/** A number that stands for a value's place in the order of its type; null if it has none here. */
export function orderOf(value: unknown): number | null {
  if (value instanceof Date) return value.getTime();
  if (value instanceof ObjectId) return value.getTimestamp().getTime();
  if (value instanceof Int32 || value instanceof Double || value instanceof Long) return Number(value.toString());
  return typeof value === 'number' ? value : null;
}

/**
 * Another value of the same type and length: numbers and times as they are spread in the sample, whole numbers that are
 * unique counted on, texts with another second half of the same kinds of characters. What can't be varied stays.
 *
 * @param number of the value among the fresh ones, from 1: the same one gives the same value
 */
export function freshValue(value: unknown, values: FieldValues, number: number, seed: number): unknown {
  const random = new SeededRandom(seed ^ Math.imul(number, 0x9e3779b1));
  if (typeof value === 'string') return freshText(value, number, random);
  if (value instanceof Date) return new Date(Math.round(between(values.sorted, random)));
  if (value instanceof ObjectId) return freshObjectId(value, values, random);
  if (value instanceof Binary && UUID_SUBTYPES.has(value.sub_type)) return freshUuid(value, random);
  if (orderOf(value) === null) return value;
  if (value instanceof Double && !values.whole) return new Double(between(values.sorted, random));
  const whole = values.unique ? (values.sorted.at(-1) ?? 0) + number : Math.round(between(values.sorted, random));
  if (value instanceof Double) return new Double(whole);
  return value instanceof Int32 && Math.abs(whole) <= LARGEST_INT32 ? new Int32(whole) : Long.fromNumber(whole);
}

/** Between two neighbours of the sample, so that fresh values are spread as the sampled ones are. */
function between(sorted: readonly number[], random: SeededRandom): number {
  const place = random.next() * (sorted.length - 1);
  const [low = 0, high = low] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return low + (high - low) * (place % 1);
}

function freshObjectId(value: ObjectId, { sorted }: FieldValues, random: SeededRandom): ObjectId {
  const bytes = Buffer.from(value.id);
  bytes.writeUInt32BE(Math.floor(between(sorted, random) / MS_PER_SECOND), 0);
  for (let place = 4; place < bytes.length; place += 1) bytes[place] = random.below(256);
  return new ObjectId(bytes);
}

/** The first half holds the time in some versions, and stays. */
function freshUuid(value: Binary, random: SeededRandom): Binary {
  const bytes = Buffer.from(value.buffer.subarray(0, value.position));
  for (let place = bytes.length / 2 + 1; place < bytes.length; place += 1) bytes[place] = random.below(256);
  return new Binary(bytes, value.sub_type);
}

/** Its end stands for the number, so that other numbers give other texts; the rest of its second half is random. */
function freshText(text: string, number: number, random: SeededRandom): string {
  if (text.length < SHORTEST_TEXT) return text;
  const alphabets = HEXADECIMAL.test(text) ? ['0123456789abcdef'] : ALPHABETS;
  const characters = [...text];
  let rest = number * SPREAD;
  let different = 1;
  for (let place = characters.length - 1; place >= 0; place -= 1) {
    const alphabet = alphabets.find((each) => each.includes(characters[place] as string));
    if (alphabet === undefined) continue;
    if (different >= MOST_TEXTS && place < characters.length / 2) break;
    const isRandom = different >= MOST_TEXTS;
    characters[place] = alphabet.charAt(isRandom ? random.below(alphabet.length) : rest % alphabet.length);
    rest = Math.floor(rest / alphabet.length);
    different *= alphabet.length;
  }
  return characters.join('');
}
