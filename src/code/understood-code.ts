import type { DeclaredIndex, DeclaredPath, Place } from './place.js';

/** A file that was not read, and why. */
export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

/** What is understood of the source below a folder. */
export interface UnderstoodCode {
  readonly places: readonly Place[];
  readonly indexes: readonly DeclaredIndex[];
  readonly paths: readonly DeclaredPath[];
  /** Files that were read. */
  readonly files: number;
  readonly unread: readonly UnreadFile[];
}
