import { expect, it } from 'vitest';
import { hasReached, isBefore, isPatchOf } from '../../src/connect/server-version.js';

it.each([
  ['6.0.6', false],
  ['6.0.7', true],
  ['6.0.10', true],
  ['6.1.9', false],
  ['5.0.17', false],
  ['5.0.18', true],
  ['7.0.0-rc0', true],
  ['7.0.0', true],
  ['10.0.0', true],
])('whether %s has reached a change of 5.0.18, 6.0.7 and 7.0.0: %s', (version, reached) => {
  expect(hasReached(version, ['5.0.18', '6.0.7', '7.0.0'])).toBe(reached);
});

it('compares versions by number', () => {
  expect(isBefore('6.0.5', '6.0.27')).toBe(true);
  expect(isBefore('6.0.27', '6.0.27')).toBe(false);
  expect(isBefore('10.0.0', '9.1.0')).toBe(false);
});

it('knows the patches of a branch', () => {
  expect(isPatchOf('6.0.18', '6.0.18')).toBe(true);
  expect(isPatchOf('6.0.17', '6.0.18')).toBe(false);
  expect(isPatchOf('6.1.20', '6.0.18')).toBe(false);
});
