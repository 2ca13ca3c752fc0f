import { createHash } from 'node:crypto';

/** Hex digits of a fingerprint: 64 bits, so that among a million findings two meet with a chance of 1 in 37 million. */
const FINGERPRINT_DIGITS = 16;

/**
 * The identity of a finding between runs: a hash of check, namespace and path, never of a measured value.
 *
 * The three are joined as JSON, so that no two different triples can be written alike.
 */
export function fingerprint(check: string, namespace: string, path: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([check, namespace, path]))
    .digest('hex')
    .slice(0, FINGERPRINT_DIGITS);
}
