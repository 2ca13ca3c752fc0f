import { createHash } from 'node:crypto';

const HEX_DIGITS = 32;

/** By which a collection is recognised in another file. One-way: from its UUID follows what the file must not tell. */
export function identityInFile(uuid: string): string {
  return createHash('sha256').update(`mongolint collection ${uuid}`).digest('hex').slice(0, HEX_DIGITS);
}
