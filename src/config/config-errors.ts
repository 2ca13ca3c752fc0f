import { z } from 'zod';
import { withoutUris } from '../connect/shown-uri.js';
import { pathText } from '../evidence-file/valid-parts.js';
import { LintError } from '../lint-error.js';
import { didYouMean } from '../text/spelling.js';
import type { ConfigFile } from './config-file.js';

/** Names of options, and ids of checks, of plugins too. */
const KEY = /^\$?[\w-]+(?:\/[\w-]+)?$/;

/** Something wrong in a configuration file. Messages never quote a value: it may be a secret. */
export interface ConfigIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
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
    const [best = []] = [...issue.errors].sort((a, b) => depthOf(b) - depthOf(a));
    return best.flatMap((nested) => flattened(nested, path));
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option: ')) {
    return [{ path, message: `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}` }];
  }
  return [{ path, message: sentenceOf(issue) }];
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
