import { createHash } from 'node:crypto';
import type { FooterLine } from '../../src/evidence-file/evidence-lines.js';
import { footerDigest } from '../../src/evidence-file/write-evidence.js';

/** A file of evidence of these lines, with counts and a checksum that are right for it. */
export function evidenceText(lines: readonly unknown[]): string {
  const before = lines.slice(0, -1).map((line) => `${JSON.stringify(line)}\n`);
  const hash = createHash('sha256').update(before.join(''));
  const { sha256: _, ...rest } = (lines.at(-1) ?? {}) as FooterLine;
  try {
    return `${before.join('')}${JSON.stringify({ ...rest, sha256: footerDigest(hash, rest) })}\n`;
  } catch (error) {
    if (error instanceof RangeError) return `${before.join('')}${JSON.stringify(rest)}\n`;
    throw error;
  }
}
