import { describe, expect, it } from 'vitest';
import type { Skipped } from '../../src/finding.js';
import type { TargetRun } from '../../src/policy/judged.js';
import { covering, suppressed, suppressionNotices, type Suppression } from '../../src/policy/suppression.js';
import { policyFinding, policyRun } from '../support/policy-finding.js';

const TODAY = '2026-06-15';
const suppression = (changes: Partial<Suppression> = {}): Suppression => ({
  check: 'unbounded-array',
  reason: 'emptied at night',
  by: 'mongolint.config.yaml:12',
  ...changes,
});
const skipped = (entry: Partial<Skipped>) =>
  policyRun(['shop.orders'], { skipped: [{ check: 'unbounded-array', reason: 'privilege', detail: 'no.', ...entry }] });

describe('what a suppression covers', () => {
  it.each<[string, Partial<Suppression>, Parameters<typeof policyFinding>[0], boolean]>([
    ['the check, everywhere', {}, {}, true],
    ['another check', { check: 'deep-nesting' }, {}, false],
    ['every check', { check: '*' }, {}, true],
    ['every check of a plugin', { check: 'finance/*' }, { check: 'finance/no-cents' }, true],
    ['every check, those of plugins too', { check: '*' }, { check: 'finance/no-cents' }, true],
    ['a namespace', { namespace: 'shop.orders' }, {}, true],
    ['another namespace', { namespace: 'shop.carts' }, {}, false],
    ['a glob over namespaces', { namespace: 'shop.*' }, { namespace: 'shop.orders.2026' }, true],
    ['a whole database', { namespace: 'shop' }, {}, true],
    ['a path', { path: 'items' }, {}, true],
    ['another path', { path: 'item' }, {}, false],
    ['a path through arrays', { path: 'items[].tags' }, { path: 'items[].tags' }, true],
    ['brackets stand for themselves', { path: 'items[].tags' }, { path: 'itemsx.tags' }, false],
    ['a glob over paths', { path: 'items*' }, { path: 'items[].tags' }, true],
    ['a path, of a finding on the whole collection', { path: '*' }, { path: null }, false],
    ['every path, of a finding on the whole collection', {}, { path: null }, true],
    ['a path of data-like names', { path: 'byDay.*.events' }, { path: 'byDay.*.events' }, true],
  ])('%s', (_, changes, finding, expected) => {
    expect(covering(suppression(changes))(policyFinding(finding))).toBe(expected);
  });
});

describe('suppressed findings', () => {
  it('carry who, why and until when', () => {
    const [finding] = suppressed(
      [policyFinding()],
      [suppression({ expires: '2026-12-31', owner: 'team-shop' })],
      TODAY,
    );
    expect(finding?.suppressed).toEqual({
      by: 'mongolint.config.yaml:12',
      reason: 'emptied at night',
      expires: '2026-12-31',
      owner: 'team-shop',
    });
  });

  it.each([
    ['without an end', undefined, true],
    ['on its last day', TODAY, true],
    ['on the day after', '2026-06-14', false],
    ['long after', '2025-12-31', false],
  ])('%s', (_, expires, expected) => {
    const [finding] = suppressed([policyFinding()], [suppression(expires === undefined ? {} : { expires })], TODAY);
    expect(finding?.suppressed !== undefined).toBe(expected);
  });

  it('name the first suppression that holds', () => {
    const all = [
      suppression({ expires: '2026-01-01', by: 'a:1' }),
      suppression({ by: 'a:2' }),
      suppression({ by: 'a:3' }),
    ];
    expect(suppressed([policyFinding()], all, TODAY)[0]?.suppressed?.by).toBe('a:2');
  });
});

describe('notices', () => {
  const inUse = { checks: ['unbounded-array', 'deep-nesting'], settings: {} };
  const noticesOf = (runs: readonly TargetRun[], of: Partial<Suppression>) =>
    suppressionNotices([suppression(of)], runs, inUse, TODAY);
  const found = policyRun(['shop.orders'], { findings: [policyFinding()] });
  const clean = policyRun(['shop.orders']);

  it('say that a suppression has expired, and how many findings count again', () => {
    expect(noticesOf([found], { namespace: 'shop.*', expires: '2026-06-14', owner: 'team-shop' })).toEqual([
      {
        kind: 'suppression-expired',
        text: 'The suppression of unbounded-array on shop.* (mongolint.config.yaml:12) expired on 2026-06-14 (owner: team-shop). 1 finding counts again.',
      },
    ]);
  });

  it('say that one has expired which nothing needs any more', () => {
    expect(noticesOf([clean], { expires: '2026-06-14' })[0]?.text).toMatch(
      /expired on 2026-06-14\. It matches nothing: remove it\.$/,
    );
  });

  it('say that one matches nothing', () => {
    expect(noticesOf([clean], { path: 'items' })).toEqual([
      {
        kind: 'suppression-unused',
        text: 'The suppression of unbounded-array on items (mongolint.config.yaml:12) matches no finding: remove it, or correct it.',
      },
    ]);
  });

  it.each<[string, TargetRun[], Partial<Suppression>]>([
    ['it is used', [found], {}],
    ['it is used in another target', [clean, found], {}],
    ['its check could not judge the collection', [skipped({ namespace: 'shop.orders' })], {}],
    ['no check could judge the collection', [skipped({ check: '*', namespace: 'shop.orders' })], {}],
    ['its check could not judge anything', [skipped({})], {}],
    ['a database could not be listed', [skipped({ check: '*', namespace: 'crm.*' })], { namespace: 'crm.leads' }],
    ['its check is off', [clean], { check: 'bloated-document' }],
    [
      'its namespace was left out of the run',
      [{ ...clean, include: ['shop.*'], isNarrowed: true }],
      { namespace: 'crm.leads' },
    ],
  ])('are silent where %s', (_, runs, of) => {
    expect(noticesOf(runs, of)).toEqual([]);
  });

  it.each<[string, TargetRun, Partial<Suppression>]>([
    ['its collection does not exist', clean, { namespace: 'shop.oders' }],
    ['something else could not be judged', skipped({ check: 'deep-nesting' }), {}],
    ['another collection could not be judged', skipped({ namespace: 'crm.leads' }), { namespace: 'shop.orders' }],
    [
      'the run was narrowed, and its collection judged',
      { ...clean, include: ['shop.*'], isNarrowed: true },
      { namespace: 'shop.orders' },
    ],
    ['its namespace is never linted', { ...clean, include: ['shop.*'] }, { namespace: 'crm.leads' }],
  ])('speak where %s', (_, run, of) => {
    expect(noticesOf([run], of).map(({ kind }) => kind)).toEqual(['suppression-unused']);
  });
});
