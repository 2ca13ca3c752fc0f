/** The key of package.json that holds a configuration. */
export const PACKAGE_KEY = 'mongolint';

/** A configuration file as it was read, not validated. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** As it is named to people: relative to the working directory. */
  readonly name: string;
  readonly value: unknown;
  /** The line, from 1, on which a key stands, or else the key above it; null where lines are not known. */
  lineOf(path: readonly PropertyKey[]): number | null;
}

/** What a loader gives: the value, and the way to its lines. */
export type Loaded = Pick<ConfigFile, 'value' | 'lineOf'>;
