import { describe, expect, it } from 'vitest';
import { notificationText } from '../../src/cli/notification-text.js';
import type { Finding, Severity } from '../../src/finding.js';
import {
  type BaselineEntry,
  type SampleOfFinding,
  formatBaseline,
  parseBaseline,
} from '../../src/policy/baseline-file.js';
import { comparedWithBaseline, updatedBaseline } from '../../src/policy/baseline.js';
import { judgedIn } from '../../src/policy/judged.js';
import { chanceMissed, missingState, type MissingState } from '../../src/policy/missing-findings.js';
import { ReportIndex } from '../../src/report/report-index.js';
import type { Report } from '../../src/report/report.js';
import type { ReportedCollection } from '../../src/report/reported-collection.js';
import { policyFinding } from '../support/policy-finding.js';
import { reportOf, sampledCollection, unsampledCollection } from '../support/report/sample-report.js';

// The labels were written before the first run of the code.

type Method = NonNullable<ReportedCollection['sampled']>['method'];

const NAMESPACE = 'shop.orders';

function collectionOf(method: Method, documents: number, of: number): ReportedCollection {
  const complete = method === 'whole-collection';
  const sampled = { documents, bytes: documents * 800, method, complete, boundedBy: null };
  return sampledCollection(NAMESPACE, { documents: of, sampled });
}

function entryOf(sample: SampleOfFinding | undefined, changes: Partial<BaselineEntry> = {}): BaselineEntry {
  const { check, severity, namespace, path, fingerprint } = policyFinding();
  return { check, severity, namespace, path, fingerprint, ...(sample !== undefined && { sample }), ...changes };
}

const random = (documents: number, of: number, showing?: number): SampleOfFinding => ({
  documents,
  of,
  method: 'random-cursor',
  ...(showing !== undefined && { showing }),
});
const byHash = (documents: number, of: number, showing?: number): SampleOfFinding => ({
  ...random(documents, of, showing),
  method: 'id-hash',
});
const whole = (documents: number, showing?: number): SampleOfFinding => ({
  ...random(documents, documents, showing),
  method: 'whole-collection',
});

describe('a known finding that is missing', () => {
  it.each<[string, Severity, SampleOfFinding | undefined, ReportedCollection | null, MissingState]>([
    ['collection read whole, once and now', 'info', whole(900), collectionOf('whole-collection', 900, 900), 'fixed'],
    [
      'sampled once, read whole now',
      'info',
      random(1000, 90_000, 1),
      collectionOf('whole-collection', 90_000, 90_000),
      'fixed',
    ],
    ['the same sample by hash', 'info', byHash(1000, 15_000, 1), collectionOf('id-hash', 1000, 15_000), 'fixed'],
    [
      'the same sample, listed from the index',
      'info',
      byHash(1000, 15_000, 1),
      collectionOf('id-index', 1000, 15_000),
      'fixed',
    ],
    ['hardly grown, by hash', 'info', byHash(1000, 15_000, 1), collectionOf('id-hash', 1000, 15_500), 'fixed'],
    [
      'doubled, by hash: one document may be out',
      'info',
      byHash(1000, 9_000, 1),
      collectionOf('id-hash', 1000, 18_000),
      'notSeen',
    ],
    [
      'shrunk, by hash: what is left is in',
      'info',
      byHash(1000, 15_000, 1),
      collectionOf('id-hash', 1000, 8_000),
      'fixed',
    ],
    ['a smaller sample by hash', 'info', byHash(1000, 15_000, 1), collectionOf('id-hash', 300, 15_000), 'notSeen'],
    ['read whole once, sampled by hash now', 'info', whole(900, 1), collectionOf('id-hash', 300, 900), 'notSeen'],
    [
      'one in 1,000 at random',
      'warning',
      random(1000, 90_000, 1),
      collectionOf('random-cursor', 1000, 90_000),
      'notSeen',
    ],
    [
      'five in 1,000 at random',
      'warning',
      random(1000, 90_000, 5),
      collectionOf('random-cursor', 1000, 90_000),
      'notSeen',
    ],
    [
      'ten in 1,000 at random',
      'warning',
      random(1000, 90_000, 10),
      collectionOf('random-cursor', 1000, 90_000),
      'fixed',
    ],
    [
      'ten in 1,000 at random, of fewer now',
      'warning',
      random(1000, 90_000, 10),
      collectionOf('random-cursor', 200, 90_000),
      'notSeen',
    ],
    [
      'one in 1,000, of far more now',
      'info',
      random(1000, 90_000, 1),
      collectionOf('random-cursor', 80_000, 900_000),
      'fixed',
    ],
    [
      'a figure surely over its line, at random',
      'warning',
      random(1000, 90_000),
      collectionOf('random-cursor', 1000, 90_000),
      'fixed',
    ],
    [
      'a figure over its line, not surely',
      'info',
      random(1000, 90_000),
      collectionOf('random-cursor', 1000, 90_000),
      'notSeen',
    ],
    [
      'a figure surely over its line, of fewer now',
      'error',
      random(1000, 90_000),
      collectionOf('random-cursor', 500, 90_000),
      'notSeen',
    ],
    [
      'by hash once, at random now',
      'info',
      byHash(1000, 15_000, 2),
      collectionOf('random-cursor', 1000, 25_000),
      'notSeen',
    ],
    [
      'the first documents only',
      'info',
      random(1000, 90_000, 1),
      collectionOf('natural-order', 1000, 90_000),
      'notSeen',
    ],
    [
      'no sample under it, such as an index',
      'warning',
      undefined,
      collectionOf('random-cursor', 1000, 90_000),
      'fixed',
    ],
    ['nothing sampled now', 'warning', random(1000, 90_000), unsampledCollection(NAMESPACE, 'a bound'), 'notSeen'],
    ['a view in its place', 'warning', random(1000, 90_000), unsampledCollection(NAMESPACE, 'a view', 'view'), 'fixed'],
    ['its collection dropped', 'info', random(1000, 90_000, 1), null, 'gone'],
    ['its collection dropped, without a sample', 'warning', undefined, null, 'gone'],
  ])('%s (%s)', (_, severity, sample, now, expected) => {
    const report = { collections: now === null ? [sampledCollection('shop.other')] : [now] };
    expect(missingState(entryOf(sample, { severity }), new ReportIndex(report), false)).toBe(expected);
  });

  it.each<[string, NonNullable<Report['lookUps']>[number]['state'], number | undefined, MissingState]>([
    ['found', 'found', 1, 'stillThere'],
    ['found, though the sample should have shown it', 'found', 900, 'stillThere'],
    ['not there', 'absent', 1, 'fixed'],
    ['cut off', 'unfinished', 1, 'notSeen'],
    ['cut off, though the sample should have shown it', 'unfinished', 900, 'fixed'],
  ])('and was searched for: %s', (_, state, showing, expected) => {
    const entry = entryOf(random(1000, 90_000, showing));
    const { namespace, fingerprint } = entry;
    const collections = [collectionOf('random-cursor', 1000, 90_000)];
    const searched = { collections, lookUps: [{ namespace, fingerprint, state }] };
    expect(missingState(entry, new ReportIndex(searched), false)).toBe(expected);
    const other = { collections, lookUps: [{ namespace, fingerprint: 'f'.repeat(16), state }] };
    expect(missingState(entry, new ReportIndex(other), false)).toBe(
      missingState(entry, new ReportIndex({ collections }), false),
    );
  });

  it('is gone with its collection, whatever was searched for', () => {
    const entry = entryOf(random(1000, 90_000, 1));
    const { namespace, fingerprint } = entry;
    expect(
      missingState(
        entry,
        new ReportIndex({ collections: [], lookUps: [{ namespace, fingerprint, state: 'absent' }] }),
        false,
      ),
    ).toBe('gone');
  });

  it('is proven by nothing but its sample if its severity is set', () => {
    const report = { collections: [collectionOf('random-cursor', 1000, 90_000)] };
    expect(missingState(entryOf(random(1000, 90_000), { severity: 'error' }), new ReportIndex(report), true)).toBe(
      'notSeen',
    );
  });

  it.each(['*', 'shop.events_*', 'shop.'])('of no single collection, %j, is not gone', (namespace) => {
    expect(missingState(entryOf(undefined, { namespace }), new ReportIndex({ collections: [] }), false)).toBe('fixed');
  });
});

describe('chanceMissed', () => {
  // By hand: of 1 in 1,000 the lower bound is 5.13e-5, of 10 in 1,000 it is 5.43e-3 (Clopper and Pearson, one side of 5 %).
  it.each([
    [1, 1000, 1000, 0.95],
    [10, 1000, 1000, 0.0043],
    [1000, 1000, 1000, 0],
    [0, 1000, 1000, 1],
  ])('%i of %i, in %i', (showing, documents, drawn, expected) => {
    expect(chanceMissed(showing, documents, drawn)).toBeCloseTo(expected, 2);
  });
});

/** Compares as the command does, and keeps the baseline as its file does. */
function nextDay(report: Report, baseline: readonly BaselineEntry[]) {
  const run = { report, include: [], exclude: [], isNarrowed: false };
  const used = { checks: ['unbounded-array', 'mixed-types', 'missing-lookup-index'], settings: {} };
  const compared = comparedWithBaseline(report, baseline, {
    wasJudged: judgedIn(run, used),
    hasSetSeverity: () => false,
  });
  const after = parseBaseline(formatBaseline(updatedBaseline(baseline, [compared])), 'baseline');
  const text = notificationText({ reports: [compared], faults: [], reportUrl: null });
  return { compared, after, text };
}

const stray = (severity: Severity, documentsShowing: number, severityIfSure?: Severity): Finding =>
  policyFinding({
    check: 'mixed-types',
    path: 'amount',
    severity,
    ...(severityIfSure !== undefined && { severityIfSure }),
    restsOn: ['sample'],
    evidence: { source: 'sample', window: '1,000 of 90,000 documents', documentsShowing },
  });
const long = (severity: Severity, severityIfSure?: Severity): Finding =>
  policyFinding({ severity, ...(severityIfSure !== undefined && { severityIfSure }) });
const dayOf = (findings: readonly Finding[], changes: Parameters<typeof reportOf>[0] = {}): Report =>
  reportOf({ findings, collections: [collectionOf('random-cursor', 1000, 90_000)], ...changes });

const hours = (source: string, length: number, database?: string) => ({
  source,
  ...(database !== undefined && { database }),
  from: '2026-11-22T00:00:00.000Z',
  to: new Date(Date.UTC(2026, 10, 22, length)).toISOString(),
});

describe('a finding of recorded operations', () => {
  const scan = policyFinding({
    check: 'collection-scan',
    restsOn: ['profiler'],
    evidence: { source: 'profiler', window: '40 executions in 10 h' },
  });
  const collections = [sampledCollection(NAMESPACE)];
  const dayWith = (findings: readonly Finding[], recorded: Report['recorded']): Report => ({
    ...reportOf({ findings, collections }),
    recorded,
  });
  const known = nextDay(dayWith([scan], [hours('profiler', 10, 'shop'), hours('query stats', 99)]), []).after;

  it('is known with the time over which its source recorded', () => {
    expect(known).toMatchObject([{ record: { source: 'profiler', duration: 36_000_000 } }]);
  });

  it.each<[string, Report['recorded'], MissingState]>([
    ['as long a record', [hours('profiler', 10, 'shop')], 'fixed'],
    ['a longer one', [hours('profiler', 20, 'shop')], 'fixed'],
    ['the quiet hour before', [hours('profiler', 1, 'shop')], 'notSeen'],
    ['a record of another database', [hours('profiler', 20, 'blog')], 'notSeen'],
    ['a record of another source', [hours('recent log lines', 20)], 'notSeen'],
    ['none', undefined, 'notSeen'],
  ])('that is missing from %s', (_, recorded, expected) => {
    expect(known.map((entry) => missingState(entry, new ReportIndex(dayWith([], recorded)), false))).toEqual([
      expected,
    ]);
  });
});

describe('ten runs over unchanged data, each with a sample of its own', () => {
  // A stray type in 0.4 % of the documents, and arrays of which as many as the line asks for are longer.
  const days: readonly Finding[][] = [
    [stray('info', 4, 'warning'), long('warning', 'error')],
    [stray('warning', 6), long('error')],
    [stray('info', 1, 'warning'), long('warning', 'error')],
    [long('error')],
    [stray('warning', 9), long('warning', 'error')],
    [stray('info', 3, 'warning'), long('error')],
    [long('warning', 'error')],
    [stray('info', 2, 'warning'), long('warning', 'error')],
    [stray('warning', 5), long('error')],
    [stray('info', 4, 'warning'), long('warning', 'error')],
  ];

  it.each([
    ['accepting each', true],
    ['against the first', false],
  ])('notify nobody, %s, and leave the baseline as it is', (_, isUpdated) => {
    const first = nextDay(dayOf(days[0] ?? []), []);
    let { after } = first;
    for (const findings of days) {
      const day = nextDay(dayOf(findings), after);
      expect(day.text).toBeNull();
      expect(day.after).toEqual(first.after);
      if (isUpdated) ({ after } = day);
    }
    expect(after).toHaveLength(2);
  });

  it.each<[string, readonly Finding[], readonly boolean[]]>([
    ['once, if nothing was known yet', [], [false, true, false, false, false, false]],
    ['never, beside what was known', [long('error')], [false, false, false, false, false, false]],
  ])('tell of a rare thing that is seen on some day %s', (_, known, expected) => {
    let after: readonly BaselineEntry[] = nextDay(dayOf(known), []).after;
    const told = [[], [stray('info', 1)], [], [stray('info', 2)], [], []].map((findings) => {
      const day = nextDay(dayOf([...known, ...findings]), after);
      ({ after } = day);
      return day.text !== null;
    });
    expect(told).toEqual(expected);
  });
});

describe('a change', () => {
  const before = nextDay(dayOf([stray('info', 4, 'warning'), long('warning')]), []).after;

  it.each<[string, Report, RegExp, number]>([
    [
      'worse than the error of the last sample',
      dayOf([stray('info', 4), long('error')]),
      /1 worse.*\n• error, was warning/,
      2,
    ],
    ['less severe', dayOf([stray('info', 4), long('info')]), /: 1 better\n• info, was warning: unbounded-array/, 2],
    ['less severe, but not surely', dayOf([stray('info', 4), long('info', 'warning')]), /^nothing$/, 2],
    ['fixed, as far as the sample proves', dayOf([stray('info', 4)]), /1 fixed\n• fixed: unbounded-array/, 1],
    ['rare and not seen', dayOf([long('warning')]), /^nothing$/, 2],
    ['read whole', dayOf([], { collections: [collectionOf('whole-collection', 900, 900)] }), /2 fixed/, 0],
    ['dropped', dayOf([], { collections: [sampledCollection('shop.other')] }), /2 gone with their collections/, 0],
    [
      'too small to tell',
      dayOf([], {
        skipped: ['unbounded-array', 'mixed-types'].map((check) => ({
          check,
          namespace: NAMESPACE,
          reason: 'too-small',
          detail: '60 documents.',
        })),
      }),
      /^nothing$/,
      2,
    ],
  ])('%s', (_, report, expected, entries) => {
    const { text, after } = nextDay(report, before);
    expect(text ?? 'nothing').toMatch(expected);
    expect(after).toHaveLength(entries);
  });

  it('that is too small for one run to show counts from the last verdict, not from the last run', () => {
    const anchor = nextDay(dayOf([long('warning', 'error')]), []).after;
    const within = nextDay(dayOf([long('error')]), anchor);
    expect(within.text).toBeNull();
    expect(within.after).toEqual(anchor);
    const eased = nextDay(dayOf([long('info')]), anchor);
    expect(eased.after).toMatchObject([{ severity: 'info' }]);
    expect(nextDay(dayOf([long('error')]), eased.after).text).toMatch(/1 worse/);
  });
});
