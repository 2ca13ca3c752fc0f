import type { z } from 'zod';

/** Something wrong in what somebody wrote. Messages never quote a value: it may be a secret. */
export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What zod found, an issue for each unknown key; of a union, the branch that fits best. */
export function issuesOf({ issues }: z.core.$ZodError): SchemaIssue[] {
  return issues.flatMap((issue) => flattened(issue, []));
}

function flattened(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): SchemaIssue[] {
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
  string: 'text',
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
