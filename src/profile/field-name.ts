const WORD_BYTES = 4;
/** Masks of a name's last word, by the bytes it uses of that word; 0 stands for all. */
const LAST_WORD_MASKS = [-1, 0xff, 0xffff, 0xffffff];

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A field's name as BSON holds it: bytes with a terminator. Decoded only for people. */
export class FieldName {
  readonly length: number;
  private readonly words: Int32Array;
  private readonly lastWordMask: number;
  private text: string | null = null;

  constructor(
    private readonly bytes: Uint8Array,
    readonly hash: number,
  ) {
    this.length = bytes.length;
    this.lastWordMask = LAST_WORD_MASKS[bytes.length % WORD_BYTES] as number;
    const padded = new Uint8Array(Math.ceil(bytes.length / WORD_BYTES) * WORD_BYTES);
    padded.set(bytes);
    const view = new DataView(padded.buffer);
    this.words = new Int32Array(padded.length / WORD_BYTES);
    for (let index = 0; index < this.words.length; index += 1)
      this.words[index] = view.getInt32(index * WORD_BYTES, true);
  }

  isAt(view: DataView, bytes: Uint8Array, at: number): boolean {
    const length = this.length;
    if (length === 0) return false;
    if (at + length + WORD_BYTES > bytes.length) return this.equals(bytes.subarray(at, at + length));
    const words = this.words;
    const last = words.length - 1;
    let index = 0;
    while (index < last && view.getInt32(at + index * WORD_BYTES, true) === words[index]) index += 1;
    if (index < last) return false;
    return ((view.getInt32(at + index * WORD_BYTES, true) ^ (words[index] as number)) & this.lastWordMask) === 0;
  }

  isSameAs(other: FieldName): boolean {
    return this.hash === other.hash && this.equals(other.bytes);
  }

  /** Bytes that are not UTF-8 read as U+FFFD. */
  toString(): string {
    this.text ??= decoder.decode(this.bytes.subarray(0, -1));
    return this.text;
  }

  private equals(bytes: Uint8Array): boolean {
    return bytes.length === this.length && bytes.every((byte, index) => byte === this.bytes[index]);
  }
}

/** A name for people, from its place up to the end of its terminator. */
export function nameText(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start - 1).toString();
}

const LOW_BITS = 0x01010101;
const HIGH_BITS = 0x80808080;
const BITS_PER_BYTE_SHIFT = 3;
const LAST_BIT = 31;

/** Looks at four bytes at a time; finds the 0 by https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord. */
export function afterName(view: DataView, bytes: Uint8Array, at: number): number {
  const lastWord = bytes.length - WORD_BYTES;
  let position = at;
  while (position <= lastWord) {
    const word = view.getInt32(position, true);
    const zeros = (word - LOW_BITS) & ~word & HIGH_BITS;
    if (zeros !== 0) return position + 1 + ((LAST_BIT - Math.clz32(zeros & -zeros)) >> BITS_PER_BYTE_SHIFT);
    position += WORD_BYTES;
  }
  while (bytes[position] !== 0) position += 1;
  return position + 1;
}

/** The name of a step that has none of its own: the elements of an array, or any field. */
export const NO_NAME = new FieldName(new Uint8Array(0), 0);
