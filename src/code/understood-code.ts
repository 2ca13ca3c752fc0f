import type { Ignore } from './ignores.js';
import type { DeclaredIndex, DeclaredPath, FileRole, LocatedPush, Place } from './place.js';

/** A file that was not read, and why. */
export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

/** A file that was read. */
export interface SourceFile {
  readonly role: FileRole;
  /** How many it has. */
  readonly lines: number;
}

/** What is understood of the source below a folder. */
export interface UnderstoodCode {
  readonly places: readonly Place[];
  /** At places whose collection is known, and in documents that are saved later. */
  readonly pushes: readonly LocatedPush[];
  readonly indexes: readonly DeclaredIndex[];
  /** How many indexes more it declares, whose collection or key is not known. */
  readonly unknownIndexes: number;
  readonly paths: readonly DeclaredPath[];
  readonly ignores: readonly Ignore[];
  /** Those that were read, by name. */
  readonly byName: ReadonlyMap<string, SourceFile>;
  /** How many were read. */
  readonly files: number;
  /** How many were left out, since a bundler or another program wrote them. */
  readonly generated: number;
  readonly unread: readonly UnreadFile[];
}

/** What is understood of several folders. */
export function joined(read: readonly UnderstoodCode[]): UnderstoodCode {
  return {
    places: read.flatMap(({ places }) => places),
    pushes: read.flatMap(({ pushes }) => pushes),
    indexes: read.flatMap(({ indexes }) => indexes),
    unknownIndexes: read.reduce((sum, { unknownIndexes }) => sum + unknownIndexes, 0),
    paths: read.flatMap(({ paths }) => paths),
    ignores: read.flatMap(({ ignores }) => ignores),
    byName: new Map(read.flatMap(({ byName }) => [...byName])),
    files: read.reduce((sum, { files }) => sum + files, 0),
    generated: read.reduce((sum, { generated }) => sum + generated, 0),
    unread: read.flatMap(({ unread }) => unread),
  };
}
