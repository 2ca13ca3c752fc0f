import { describe, expect, it } from 'vitest';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import { PREFIXED, UNPREFIXED } from './regular-expressions.js';

const placeholder = ([pattern, options]: readonly [string, string]) =>
  literalPlaceholder({ $regularExpression: { pattern, options } });

describe('the placeholder of a regular expression', () => {
  it.each(PREFIXED)('/%s/%s says that an index serves it', (...expression) => {
    expect(placeholder(expression)).toBe('?regex:prefix');
  });

  it.each(UNPREFIXED)('/%s/%s says that none does', (...expression) => {
    expect(placeholder(expression)).toBe('?regex');
  });
});
