import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { reportedRemedy } from '../../src/findings/stamp.js';
import { doFirst } from '../../src/report/do-first.js';
import { findingOf } from '../support/report/sample-report.js';

const command = { db: 'shop', command: { createIndexes: 'orders', indexes: [{ key: { a: 1 }, name: 'a_1' }] } };
const indexed = reportedRemedy({ steps: [{ text: 'Create the index.', command }] });

/** A finding whose remedy saves shares of the recorded time and of what is examined, in parts of a hundred, by operation. */
function saving(
  name: string,
  operations: Readonly<Record<string, readonly [time: number | null, examined: number]>>,
  more: Partial<Finding> = {},
): Finding {
  const each = Object.entries(operations).map(([id, [time, examined]]) => ({
    id,
    share: examined / 100,
    ...(time !== null && { shareOfTimeSaved: time / 100 }),
  }));
  const impact = { source: 'profiler', documents: 1_000, operations: each };
  return findingOf({
    namespace: `shop.${name}`,
    fingerprint: name,
    severity: 'warning',
    remedy: indexed,
    impact,
    ...more,
  });
}

const names = (findings: readonly Finding[]) => doFirst(findings).map(({ finding }) => finding.fingerprint);
const suppressed = { by: 'config', reason: 'known', expires: null };

// The labels were written before the first run of the code.
describe('what to do first', () => {
  it.each<[string, readonly Finding[], readonly string[]]>([
    ['nothing was found', [], []],
    ['time decides', [saving('examined', { a: [5, 60] }), saving('slow', { b: [30, 7] })], ['slow', 'examined']],
    [
      'without times, what is examined does',
      [saving('few', { a: [null, 10] }), saving('most', { b: [null, 40] })],
      ['most', 'few'],
    ],
    [
      'two findings name one operation: what one saves, the other does not save again',
      [saving('most', { a: [40, 40] }), saving('twin', { a: [40, 40] }), saving('other', { b: [5, 5] })],
      ['most', 'other', 'twin'],
    ],
    [
      'a command comes before a change of the application that saves little more',
      [
        saving('code', { a: [12, 2] }, { remedy: reportedRemedy({ steps: [{ text: 'Rewrite it.' }] }) }),
        saving('index', { b: [9, 9] }),
      ],
      ['index', 'code'],
    ],
    [
      'an error that no recording measures weighs as much as a quarter of the time',
      [
        saving('slow', { a: [50, 50] }),
        saving('third', { b: [12, 12] }),
        findingOf({ severity: 'error', fingerprint: 'giant' }),
      ],
      ['slow', 'giant', 'third'],
    ],
    [
      'a warning that saves nothing comes last',
      [findingOf({ severity: 'warning', fingerprint: 'array' }), saving('slow', { a: [2, 2] })],
      ['slow', 'array'],
    ],
    [
      'infos are for another day',
      [saving('slow', { a: [2, 2] }), findingOf({ severity: 'info', fingerprint: 'info' })],
      ['slow'],
    ],
    ['there is nothing but infos', [findingOf({ severity: 'info', fingerprint: 'info' })], ['info']],
    ['one is suppressed', [saving('slow', { a: [40, 40] }, { suppressed }), saving('other', { b: [5, 5] })], ['other']],
    [
      'there are more than three',
      ['a', 'b', 'c', 'd'].map((name, index) => saving(name, { [name]: [20 - index, 1] })),
      ['a', 'b', 'c'],
    ],
  ])('%s', (_, findings, expected) => {
    expect(names(findings)).toEqual(expected);
  });

  it('says the query, what it costs, what the remedy saves, and the command', () => {
    const finding = saving(
      'orders',
      {},
      {
        check: 'collection-scan',
        path: 'status_1_at_1',
        pathIs: 'missing-index',
        evidence: {
          source: 'profiler',
          window: '60 executions in 3 h',
          queries: ['find by `status`, sorted by `at`', 'find by `status`'],
          documentsExamined: 9_000,
          keysExamined: 20,
          documentsReturned: 10,
          executions: 60,
          averageMs: 40,
        },
        impact: { source: 'profiler', share: 0.6, shareOfTimeSaved: 0.3 },
      },
    );
    const [first] = doFirst([finding]);
    expect(first).toMatchObject({
      title: 'shop.orders: find by `status`, sorted by `at` and 1 similar query',
      costs: ['60 executions of 40 ms', 'each reads 9,000 documents to return 10'],
      saves: 'saves about 30 % of time, 60 % examined',
    });
    expect(first?.commands.map((block) => block.lines(200).join())).toEqual([
      'db.getSiblingDB("shop").orders.createIndex({ a: 1 });',
    ]);
  });

  it('says the anti-pattern, its figures and the first step of what was not recorded', () => {
    const remedy = reportedRemedy({ steps: [{ text: 'Move it to `logs`. Then drop it.' }, { text: 'Check.' }] });
    const message = '`log`: median 8, max 992 elements. No visible bound. It grows.';
    const [first] = doFirst([
      findingOf({ title: 'Unbounded array', namespace: 'shop.jobs', path: 'log', message, remedy }),
    ]);
    expect(first).toMatchObject({
      title: 'Unbounded array: shop.jobs log',
      costs: ['`log`: median 8, max 992 elements. No visible bound.'],
      saves: null,
      commands: [],
      step: 'Move it to `logs`.',
    });
  });
});
