import { describe, expect, it } from 'vitest';
import { coverageFacts } from '../../src/report/coverage.js';
import type { Report } from '../../src/report/report.js';
import { BRIEF } from '../../src/report/section.js';
import { reportOf } from '../support/report/sample-report.js';

const textsOf = (label: string, more: Partial<Report>) =>
  coverageFacts({ ...reportOf({}), ...more }, BRIEF)
    .filter((fact) => fact.label === label)
    .flatMap(({ texts }) => texts);

const reads = (...finds: readonly (readonly [string, number, number])[]) => ({
  nodeReads: finds.map(([node, count, seconds]) => ({ node, finds: count, seconds })),
});

/** In seconds. */
const DAY = 86_400;

describe('reads of the members', () => {
  it.each<[string, Partial<Report>, string | null]>([
    ['nothing, if they are unknown', {}, null],
    ['nothing, if there were few', reads(['the primary', 900, DAY], ['secondary 1', 0, DAY]), null],
    ['nothing, if secondaries are read', reads(['the primary', 9_000, DAY], ['secondary 1', 8_000, DAY]), null],
    [
      'that the primary answers all',
      reads(['the primary', 9_000, 3 * DAY], ['secondary 1', 0, 3 * DAY]),
      'the primary answers 100 % of the finds, by the averages of the 2 members since they started, 3 days ago or more: what may be seconds old can be read from secondaries',
    ],
    [
      'nothing, if a member started an hour ago',
      reads(['the primary', 9_000, DAY], ['secondary 1', 0, DAY / 24]),
      null,
    ],
    [
      'nothing, if the primary has only been up for longer',
      reads(['the primary', 990_000, 99 * DAY], ['secondary 1', 10_000, DAY]),
      null,
    ],
  ])('say %s', (_, report, expected) => {
    expect(textsOf('reads', report)).toEqual(expected === null ? [] : [expected]);
  });
});

describe('operations that wait', () => {
  const waiting = { namespace: 'shop.a', operation: 'update by `n` ($eq)', source: 'profiler', executions: 3 };

  it.each<[NonNullable<Report['waiting']>[number], string]>([
    [
      { ...waiting, cause: 'locks', averageMs: 604, waitedMs: 603 },
      'update by `n` ($eq) on shop.a waits 603 ms of 604 ms per execution for locks (profiler, 3 executions): no index makes it faster',
    ],
    [
      { ...waiting, cause: 'unknown', averageMs: 604, waitedMs: 603 },
      'update by `n` ($eq) on shop.a waits 603 ms of 604 ms per execution (profiler, 3 executions): no index makes it faster',
    ],
    [
      { ...waiting, cause: 'write conflicts', averageMs: 604, waitedMs: null },
      'update by `n` ($eq) on shop.a tried again after write conflicts, 604 ms per execution (profiler, 3 executions): no index makes it faster',
    ],
  ])('are told in a line: $cause', (one, text) => {
    expect(textsOf('waiting', { waiting: [one] })).toEqual([text]);
  });
});

describe('what is not recorded', () => {
  it('is told of encrypted collections', () => {
    const collections = [{ namespace: 'shop.patients', encrypted: true }, { namespace: 'shop.a' }];
    expect(textsOf('not recorded', { collections: collections as Report['collections'] })).toEqual([
      'shop.patients (encrypted: the server leaves operations of encrypting clients out of its records, so none of these is judged)',
    ]);
  });
});

describe('query settings', () => {
  it('are told if they reject shapes, or could not be read', () => {
    const rejected = [1, 2].map(() => ({ namespace: 'shop.orders', command: 'find' }));
    expect(textsOf('query settings', { rejected })).toEqual([
      'query settings make the server reject 2 shapes of find on shop.orders',
    ]);
    expect(textsOf('query settings', { querySettingsUnread: 'not authorized.' })).toEqual([
      'indexes that query settings name are unknown: not authorized.',
    ]);
    expect(textsOf('query settings', {})).toEqual([]);
  });
});

describe('what a record does not tell', () => {
  it('is told in a line each: operations without an end, and kinds that are not known', () => {
    const unfinished = { namespace: 't.c', operation: 'find', source: 'log file', executions: 1, longestMs: 6_998 };
    expect(textsOf('unfinished', { unfinished: [unfinished, { ...unfinished, executions: 3 }] })).toEqual([
      'find on t.c had run for 7 s, and the log file does not show its end: what it examined is unknown',
      'find on t.c had run for 7 s, the longest of 3, and the log file does not show its end: what it examined is unknown',
    ]);
    const notUnderstood = [{ source: 'profiler', kind: 'mapReduce', entries: 2 }];
    expect(textsOf('not understood', { notUnderstood })).toEqual([
      '2 operations of the profiler of a kind that mongolint does not know: mapReduce. No finding counts them',
    ]);
  });
});

describe('applications without a name', () => {
  it('are told once, with what to do', () => {
    const unnamedApplications = { source: 'profiler', executions: 400, unnamed: 100 };
    expect(textsOf('unnamed', { unnamedApplications })).toEqual([
      "25 % of executions (profiler) name no application: add appName=NAME to the applications' connection strings",
    ]);
    expect(textsOf('unnamed', {})).toEqual([]);
  });
});
