import { describe, expect, it } from 'vitest';
import type { Skipped } from '../../src/finding.js';
import { conclusion } from '../../src/report/conclusion.js';
import { painter } from '../../src/report/paint.js';
import {
  findingOf,
  reportOf,
  type ReportParts,
  sampledCollection,
  unsampledCollection,
} from '../support/report/sample-report.js';

const orders = sampledCollection('shop.orders');
const threads = sampledCollection('shop.threads');
const secret = unsampledCollection('hr.salaries', 'reading documents of hr.salaries: not authorized.');
const view = unsampledCollection('shop.recent', 'a view', 'view');
const empty = sampledCollection('shop.empty', {
  documents: 0,
  sampled: { documents: 0, bytes: 0, method: 'whole-collection', complete: true, boundedBy: null },
});
const forbidden: Skipped = {
  check: 'unbounded-array',
  namespace: 'hr.salaries',
  reason: 'privilege',
  detail: 'not authorized.',
};
const cutShort: Skipped = {
  check: 'oversized-document',
  namespace: 'shop.orders',
  reason: 'bound',
  detail: 'too large.',
};
const unlisted: Skipped = { check: '*', reason: 'privilege', detail: 'listing every database: not authorized.' };
const suppressed = findingOf({ suppressed: { by: 'config', reason: 'known', expires: null } });

const cases: readonly [string, ReportParts, string][] = [
  ['nothing found', { collections: [orders, threads] }, 'No anti-patterns found in 2 collections.'],
  [
    'empty collections and views do not count as clean',
    { collections: [orders, empty, view] },
    'No anti-patterns found in 1 collection.',
  ],
  [
    'nothing found but a collection could not be read',
    { collections: [orders, secret], skipped: [forbidden] },
    'No anti-patterns found in what was judged. This is not an all-clear: 1 of 2 collections could not be fully judged.',
  ],
  [
    'nothing found but one check could not judge one collection',
    { collections: [orders], skipped: [cutShort] },
    'No anti-patterns found in what was judged. This is not an all-clear: 1 of 1 collection could not be fully judged.',
  ],
  [
    'nothing found but databases could not be listed',
    { collections: [orders], skipped: [unlisted] },
    'No anti-patterns found in what was judged. This is not an all-clear: parts of the cluster could not be fully judged.',
  ],
  [
    'nothing could be read',
    { collections: [secret], skipped: [forbidden] },
    'Nothing could be judged: this run says nothing about the cluster.',
  ],
  ['no collections', {}, 'Nothing was judged: no collections were found.'],
  [
    'only views and empty collections',
    { collections: [view, empty] },
    'Nothing was judged: none of the 2 collections holds documents to sample.',
  ],
  [
    'findings of each severity',
    {
      collections: [orders, threads],
      findings: [
        findingOf(),
        findingOf({ path: 'a' }),
        findingOf({ severity: 'warning' }),
        findingOf({ severity: 'info', namespace: 'shop.orders' }),
      ],
    },
    '2 errors, 1 warning, 1 info in 2 of 2 collections.',
  ],
  [
    'findings, and something not judged',
    { collections: [orders, threads, secret], findings: [findingOf()], skipped: [forbidden, cutShort, unlisted] },
    '1 error in 1 of 3 collections. Not fully judged: 2 of 3 collections and some checks of the whole cluster.',
  ],
  [
    'findings of single collections, and of a family of them',
    {
      collections: [orders, threads],
      findings: [findingOf(), findingOf({ severity: 'info', namespace: 'shop.orders_*' })],
    },
    '1 error, 1 info in 1 of 2 collections, and across several of them.',
  ],
  [
    'only a finding of the whole cluster',
    { collections: [orders, threads], findings: [findingOf({ severity: 'warning', namespace: '*' })] },
    '1 warning across several of 2 collections.',
  ],
  [
    'findings, and suppressed ones',
    { collections: [orders, threads], findings: [findingOf(), suppressed] },
    '1 error in 1 of 2 collections. 1 finding is suppressed.',
  ],
  [
    'only suppressed findings',
    { collections: [orders, threads], findings: [suppressed] },
    'No anti-patterns found in 2 collections beyond the 1 suppressed.',
  ],
];

describe('conclusion', () => {
  it.each(cases)('%s', (_, parts, expected) => {
    expect(conclusion(reportOf(parts), painter(false))).toBe(expected);
  });
});
