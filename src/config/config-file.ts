export const PACKAGE_KEY = 'mongolint';

/** Not validated yet. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the working directory. */
  readonly name: string;
  readonly value: unknown;
  /** The line of a key, from 1, or of the key above it; null if lines are not known. */
  lineOf(path: readonly PropertyKey[]): number | null;
}

export type Loaded = Pick<ConfigFile, 'value' | 'lineOf'>;
