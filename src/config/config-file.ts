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

export interface OptionSource<T> {
  readonly values: Partial<T>;
  /** For people: "--fail-on", "mongolint.config.yaml:3", "default". */
  originOf(option: keyof T & string): string;
}

export interface ResolvedOptions<T> {
  readonly values: T;
  readonly origins: ReadonlyMap<string, string>;
}

/** A later source wins over an earlier one, except for what is undefined in it. */
export function resolvedOptions<T extends object>(sources: readonly OptionSource<T>[]): ResolvedOptions<T> {
  const values: Record<string, unknown> = {};
  const origins = new Map<string, string>();
  for (const source of sources) {
    for (const [option, value] of Object.entries(source.values)) {
      if (value === undefined) continue;
      values[option] = value;
      origins.set(option, source.originOf(option as keyof T & string));
    }
  }
  return { values: values as T, origins };
}
