import { describe, expect, it } from 'vitest';
import type { Skipped } from '../../src/finding.js';
import { judgedIn, type TargetRun } from '../../src/policy/judged.js';
import { policyRun } from '../support/policy-finding.js';

const inUse = {
  checks: ['unbounded-array', 'missing-lookup-index'],
  settings: { 'unbounded-array': { namespaces: [{ glob: 'logs.*', severity: 'off' as const }] } },
};
const NAMESPACES = ['shop.orders', 'logs.access'];
const skipping = (entry: Partial<Skipped>): TargetRun =>
  policyRun(NAMESPACES, { skipped: [{ check: 'unbounded-array', reason: 'privilege', detail: 'no.', ...entry }] });

describe('judgedIn', () => {
  it.each<[string, TargetRun, string, string, boolean]>([
    ['a collection that was linted', policyRun(NAMESPACES), 'unbounded-array', 'shop.orders', true],
    ['a collection that was dropped', policyRun(NAMESPACES), 'unbounded-array', 'shop.old', true],
    ['a check that is not among those in use', policyRun(NAMESPACES), 'deep-nesting', 'shop.orders', false],
    ['a check that is off for the namespace', policyRun(NAMESPACES), 'unbounded-array', 'logs.access', false],
    [
      'a namespace that was excluded',
      policyRun(['logs.access'], {}, { exclude: ['shop.*'] }),
      'unbounded-array',
      'shop.orders',
      false,
    ],
    [
      'a namespace that was not included',
      policyRun(['logs.access'], {}, { include: ['logs'] }),
      'unbounded-array',
      'shop.old',
      false,
    ],
    [
      'a collection that its check skipped',
      skipping({ namespace: 'shop.orders' }),
      'unbounded-array',
      'shop.orders',
      false,
    ],
    [
      'a collection that another check skipped',
      skipping({ namespace: 'shop.orders', check: 'deep-nesting' }),
      'unbounded-array',
      'shop.orders',
      true,
    ],
    [
      'a collection beside one that was skipped',
      skipping({ namespace: 'shop.carts' }),
      'unbounded-array',
      'shop.orders',
      true,
    ],
    [
      'a collection that was left out in part',
      skipping({ namespace: 'shop.orders', check: '*', reason: 'bound' }),
      'unbounded-array',
      'shop.orders',
      false,
    ],
    [
      'a check that was skipped everywhere',
      skipping({ check: 'missing-lookup-index' }),
      'missing-lookup-index',
      'shop.orders',
      false,
    ],
    [
      'a listed collection, where others could not be listed',
      skipping({ check: '*' }),
      'unbounded-array',
      'shop.orders',
      true,
    ],
    [
      'an unlisted collection, where others could not be listed',
      skipping({ check: '*' }),
      'unbounded-array',
      'shop.old',
      false,
    ],
    [
      'a listed collection of a database that could not be listed',
      skipping({ check: '*', namespace: 'shop.*' }),
      'unbounded-array',
      'shop.orders',
      true,
    ],
    [
      'an unlisted collection of such a database',
      skipping({ check: '*', namespace: 'shop.*' }),
      'unbounded-array',
      'shop.old',
      false,
    ],
    [
      'a dropped collection of another database',
      skipping({ check: '*', namespace: 'crm.*' }),
      'unbounded-array',
      'shop.old',
      true,
    ],
    [
      'one of several collections that an entry names',
      skipping({ namespaces: ['shop.carts', 'shop.orders'], count: 2 }),
      'unbounded-array',
      'shop.orders',
      false,
    ],
    [
      'a collection beside those that an entry names',
      skipping({ namespaces: ['shop.carts', 'shop.users'], count: 2 }),
      'unbounded-array',
      'shop.orders',
      true,
    ],
    [
      'a collection that may be among those that an entry only counts',
      skipping({ namespaces: ['shop.carts', 'shop.users'], count: 3 }),
      'unbounded-array',
      'shop.orders',
      false,
    ],
    [
      'a listed collection, where more databases could not be listed than are named',
      skipping({ check: '*', namespaces: ['crm.*', 'logs.*'], count: 3 }),
      'unbounded-array',
      'shop.orders',
      true,
    ],
    [
      'a listed collection, where more collections were left out in part than are named',
      skipping({ check: '*', namespaces: ['shop.carts', 'shop.users'], count: 3 }),
      'unbounded-array',
      'shop.orders',
      false,
    ],
  ])('%s', (_, run, check, namespace, expected) => {
    expect(judgedIn(run, inUse)(check, namespace)).toBe(expected);
  });
});
