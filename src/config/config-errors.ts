import { z } from 'zod';
import { withoutUris } from '../connect/shown-uri.js';
import { pathText } from '../evidence-file/valid-parts.js';
import { LintError } from '../lint-error.js';
import { didYouMean } from '../text/spelling.js';

/** It stands for `uri`. Variables of options are in their table. */
export const URI_VARIABLE = 'MONGODB_URI';

/** Names of options, and ids of checks, of plugins too. */
const KEY = /^\$?[\w-]+(?:\/[\w-]+)?$/;

/** Something wrong in a configuration file. Messages never quote a value: it may be a secret. */
export interface ConfigIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

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

export function configError(file: ConfigFile, issues: readonly ConfigIssue[]): LintError {
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

/** What zod found, an issue for each unknown key; of a union, the branch that fits best. */
export function issuesOf({ issues }: z.core.$ZodError): ConfigIssue[] {
  return issues.flatMap((issue) => flattened(issue, []));
}

function flattened(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): ConfigIssue[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const messages = issue.message.split('\n');
    return issue.keys.map((key, index) => ({ path: [...path, key], message: messages[index] as string }));
  }
  if (issue.code === 'invalid_union') {
    const [best] = [...issue.errors].sort((a, b) => depthOf(b) - depthOf(a));
    // No branch was tried, since the key that tells them apart has a value of none.
    if (best === undefined) return [{ path, message: oneOf('options' in issue ? (issue.options ?? []) : []) }];
    return best.flatMap((nested) => flattened(nested, path));
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option: ')) {
    return [{ path, message: oneOf(issue.values) }];
  }
  return [{ path, message: sentenceOf(issue) }];
}

function oneOf(values: readonly unknown[]): string {
  const written = values.filter((value) => value !== undefined).map((value) => JSON.stringify(value));
  return `must be one of ${written.join(', ')}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
};

/** What is wrong, for people who don't know the schema. What mongolint's own schema says of an error stays. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input: ')) {
    const wanted = TYPE_NAMES[issue.expected] ?? `of the type ${issue.expected}`;
    return issue.message.endsWith('received undefined') ? `is missing: it must be ${wanted}` : `must be ${wanted}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small: ')) {
    if (issue.origin === 'string') return 'must not be empty';
    if (issue.origin === 'array') return 'must not be an empty list';
    return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}`;
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big: '))
    return `must be ${issue.inclusive === false ? 'below' : 'at most'} ${issue.maximum}`;
  return issue.message.replace(/^Invalid input: /, '');
}

function depthOf(branch: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...branch.map(({ path }) => path.length));
}

function shownKey(key: string): string {
  return KEY.test(key) ? key : '<key>';
}

function withKey(path: readonly PropertyKey[], message: string): string {
  const key = pathText(path.map((part) => (typeof part === 'number' ? part : shownKey(String(part)))));
  return key === '' ? message : `${key}: ${message}`;
}

/** An object whose unknown keys are errors that suggest the nearest known key, a line for each. */
export function known<S extends z.ZodRawShape>(shape: S, noun = 'key') {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error: ({ code, keys: unknown }) =>
      code === 'unrecognized_keys'
        ? (unknown as string[]).map((key) => `unknown ${noun}${didYouMean(key, keys)}`).join('\n')
        : undefined,
  });
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
