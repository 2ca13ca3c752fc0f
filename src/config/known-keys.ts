import { z } from 'zod';
import { didYouMean } from '../spelling.js';

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
