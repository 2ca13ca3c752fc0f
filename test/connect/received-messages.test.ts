import { describe, expect, it } from 'vitest';
import { ReceivedMessages } from '../../src/connect/received-messages.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';

/** A message of the wire protocol: its length, and bytes that tell it from others. */
function messageOf(length: number, fill: number): Buffer {
  const message = Buffer.alloc(length, fill);
  message.writeInt32LE(length);
  return message;
}

function putTogether(pieces: readonly Uint8Array[]): Buffer[] {
  const found: Buffer[] = [];
  const messages = new ReceivedMessages((message) => found.push(message));
  for (const piece of pieces) messages.add(piece);
  return found;
}

describe('messages from the bytes that a socket receives', () => {
  const sent = [messageOf(16, 1), messageOf(17, 2), messageOf(300, 3), messageOf(16, 4)];
  const bytes = Buffer.concat(sent);

  it('come whole in one piece', () => expect(putTogether([bytes])).toEqual(sent));

  it('are the same wherever the bytes are cut', () => {
    for (let cut = 0; cut <= bytes.length; cut += 1)
      expect(putTogether([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(sent);
  });

  it('are the same byte by byte, and in random pieces', () => {
    expect(putTogether(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(sent);
    const random = new SeededRandom(7);
    for (let round = 0; round < 200; round += 1) {
      const pieces: Buffer[] = [];
      for (let at = 0; at < bytes.length;) {
        const end = at + random.below(40);
        pieces.push(bytes.subarray(at, end));
        at = end;
      }
      expect(putTogether(pieces)).toEqual(sent);
    }
  });

  it('are the same if what is received next is put in their place', () => {
    const long = [16, 200_000, 70_000, 300, 1_000_000, 65_552, 16].map((length, index) => messageOf(length, index + 1));
    const all = Buffer.concat(long);
    const random = new SeededRandom(11);
    for (let round = 0; round < 20; round += 1) {
      const found: Buffer[] = [];
      const messages = new ReceivedMessages((message) => found.push(message));
      const own = Buffer.alloc(100_000);
      let inPlace = 0;
      for (let at = 0; at < all.length;) {
        const into = messages.place ?? own;
        if (into !== own) inPlace += 1;
        const length = Math.min(into.length, all.length - at, 1 + random.below(150_000));
        into.set(all.subarray(at, at + length));
        messages.add(into.subarray(0, length));
        at += length;
      }
      expect(inPlace).toBeGreaterThan(3);
      // Byte by byte, the comparison of large values takes seconds.
      expect(found.map((message, index) => message.equals(long[index] as Buffer))).toEqual(long.map(() => true));
    }
  });

  it('do not change when the piece that they came in is used again', () => {
    const piece = Buffer.from(bytes);
    const found = putTogether([piece]);
    piece.fill(0xff);
    expect(found).toEqual(sent);
  });

  it('come only when they are whole', () => {
    expect(putTogether([bytes.subarray(0, bytes.length - 1)])).toEqual(sent.slice(0, -1));
  });

  it.each([
    ['of no bytes', 0],
    ['of less than a header', 15],
    ['of a negative length', -1],
    ['longer than any server sends', 48_000_001],
    ['of 2 GB', 0x7fffffff],
  ])('%s are refused', (_, length) => {
    const header = Buffer.alloc(4);
    header.writeInt32LE(length);
    expect(() => putTogether([bytes, header])).toThrow(`The server began a message of ${length} bytes.`);
  });
});
