import { createHash } from 'node:crypto';

/** 64 bits: among a million findings, two collide with a chance of 1 in 37 million. */
const FINGERPRINT_DIGITS = 16;

/** The identity of a finding between runs: never of a measured value. As JSON, no two different triples are written alike. */
export function fingerprint(check: string, namespace: string, path: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([check, namespace, path]))
    .digest('hex')
    .slice(0, FINGERPRINT_DIGITS);
}
