import { pathText } from '../evidence-file/valid-parts.js';
import { LintError } from '../lint-error.js';
import { withoutUris } from '../text/hidden-uris.js';
import type { SchemaIssue } from '../text/schema-issues.js';

/** It stands for `uri`. Variables of options are in their table. */
export const URI_VARIABLE = 'MONGODB_URI';

/** Names of options, and ids of checks, of plugins too. */
const KEY = /^\$?[\w-]+(?:\/[\w-]+)?$/;

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

export function configError(file: ConfigFile, issues: readonly SchemaIssue[]): LintError {
  const inOrder = [...issues].sort((a, b) => (file.lineOf(a.path) ?? 0) - (file.lineOf(b.path) ?? 0));
  return new LintError(
    inOrder.map(({ path, message }) => `${placeOf(file, path)}: ${withKey(path, message)}`).join('\n'),
  );
}

/** `file:line` of a key, or the file alone if lines are not known, as in a JavaScript file. */
export function placeOf(file: ConfigFile, path: readonly PropertyKey[]): string {
  const line = file.lineOf(path);
  return line === null ? file.name : `${file.name}:${line}`;
}

function shownKey(key: string): string {
  return KEY.test(key) ? key : '<key>';
}

function withKey(path: readonly PropertyKey[], message: string): string {
  const key = pathText(path.map((part) => (typeof part === 'number' ? part : shownKey(String(part)))));
  return key === '' ? message : `${key}: ${message}`;
}

/** What went wrong in a module, in one line. A syntax error quotes the source, which may hold a password. */
export function loadingFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof SyntaxError) return `${error.name}; \`node --check FILE\` shows where.`;
  return withoutUris(`${error.name}: ${error.message}`.replace(/\s+/g, ' '));
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

type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;

/** Replaces each `${NAME}` by that variable. Throws a LintError for the first one that is unset or empty. */
export function withEnvironment(
  text: string,
  file: ConfigFile,
  path: readonly PropertyKey[],
  environment: Environment,
): string {
  return text.replace(REFERENCE, (_, name: string) => {
    const value = environment[name];
    if (value === undefined || value === '') {
      throw configError(file, [{ path, message: `the environment variable ${name} is not set` }]);
    }
    return value;
  });
}
