/**
 * A number of 53 bits that stands for an `_id`: quick, and even in its lowest bits. Not one-way: never printed or stored.
 * Source: `cyrb53` by bryc, public domain.
 *
 * @param start the type byte of the element `_id`
 */
export function idDigest(bytes: Uint8Array, start: number, end: number): number {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    one = Math.imul(one ^ byte, 0x9e3779b1);
    other = Math.imul(other ^ byte, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return HIGH * (other & LOW_BITS) + (one >>> 0);
}

const HIGH = 2 ** 32;
const LOW_BITS = 0x1fffff;
