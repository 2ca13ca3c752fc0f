import { LintError } from '../../lint-error.js';
import type { Mongod } from './mongod.js';

/** Is told, in a short phrase, what takes long: "downloading MongoDB 6.0.5 (40 MB)". */
export type ProgressListener = (message: string) => void;

/** One way of getting at a mongod. */
export interface MongodSource {
  /** The way's name, for the message that lists every way tried. */
  readonly name: string;
  /**
   * Finds or fetches a mongod.
   *
   * @throws MongodNotFoundError where the search must end here; any other Error is the reason to try the next way.
   */
  find(onProgress: ProgressListener): Promise<Mongod>;
}

/** No mongod could be had. The message is one line: what was tried, why each way failed, and what to do. */
export class MongodNotFoundError extends LintError {}

/** A reason as others worded it, in one line, and without the credentials that an address in it may carry. */
export function asReason(text: string): string {
  return text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\/\/[^/\s]*@/g, '//');
}
