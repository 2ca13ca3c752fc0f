import { describe, expect, it } from 'vitest';
import { workloadGaps } from '../../../src/judgement/joins/workload-gaps.js';
import { absent, present, type Absent, type Evidence } from '../../../src/presence.js';
import type { Coverage, Workload, WorkloadSource } from '../../../src/workload/workload.js';

const OFF = absent('insufficient', 'the profiler is off in shop.');
const UNSUPPORTED = absent('unsupported', 'no query stats.');
const NO_LOGS = absent('insufficient', 'no log files were given.');
const REFUSED = absent('privilege', 'grant getLog.');
const NO_VIEWS: Workload['views'] = [];
const SILENT = absent('insufficient', '1 of 3 members did not tell.');

function read(
  count: number,
  gaps: readonly Absent[] = [],
  operations: Coverage['operations'] = 'slow',
): Evidence<WorkloadSource> {
  const part = {
    database: 'shop',
    member: 'the primary',
    coverage: { operations, slowMilliseconds: 100, sampleRate: 1 },
    window: null,
    entries: count,
    ignored: 0,
    unreadable: 0,
    bounded: false,
  };
  return present({ parts: [part], gaps });
}

const DEFAULTS: Workload['sources'] = {
  profiler: read(0, [OFF], 'none'),
  queryStats: UNSUPPORTED,
  logFile: NO_LOGS,
  recentLog: read(3),
  routerLog: absent('insufficient', 'no log of mongos was given.'),
};

function entries(sources: Partial<Workload['sources']>): readonly (readonly [reason: string, detail: string])[] {
  const workload = { sources: { ...DEFAULTS, ...sources }, views: NO_VIEWS } as Workload;
  return workloadGaps(workload).map(({ notJudged, detail }) => [notJudged, detail]);
}

const gapsOfPlans = (sources: Partial<Workload['sources']>) =>
  workloadGaps({ sources: { ...DEFAULTS, ...sources }, views: NO_VIEWS } as Workload, 'plans');

describe('what keeps plans from being judged', () => {
  it('is that query stats do not hold any', () => {
    const onlyQueryStats = { queryStats: read(9, [], 'all'), recentLog: read(0, [], 'none') };
    expect(gapsOfPlans(onlyQueryStats)).toEqual([
      {
        notJudged: 'insufficient',
        detail: expect.stringMatching(
          /^query stats do not say how operations were executed: nothing else .* is off in shop\./,
        ),
        nothingJudged: true,
      },
    ]);
    expect(workloadGaps({ sources: { ...DEFAULTS, ...onlyQueryStats }, views: NO_VIEWS } as Workload)).toEqual([]);
  });

  it('is nothing if logs or a profiler hold them too', () => {
    expect(gapsOfPlans({ queryStats: read(9, [], 'all'), logFile: read(9) })).toEqual([]);
    expect(gapsOfPlans({ queryStats: read(9, [], 'all'), profiler: read(0) })).toEqual([]);
  });
});

describe('what keeps a workload from being judged', () => {
  it('is one entry where all is as it comes', () => {
    expect(entries({})).toEqual([
      [
        'insufficient',
        expect.stringMatching(/ The profiler is off in shop\. No log files were given\. No query stats\.$/),
      ],
    ]);
  });

  it.each<[string, Partial<Workload['sources']>]>([
    ['a profiler that is on in every database', { profiler: read(0) }],
    ['a profiler that recorded something', { profiler: read(9, [], 'none') }],
    ['whole query stats', { queryStats: read(9, [], 'all') }],
    ['logs', { logFile: read(9) }],
  ])('is nothing with %s', (_, sources) => {
    expect(entries(sources)).toEqual([]);
  });

  it('is what query stats left out, if nothing else covers it', () => {
    const part = absent('insufficient', '1,380 requests were left out.');
    const queryStats = read(9, [part], 'part');
    expect(entries({ queryStats })).toEqual([
      ['insufficient', expect.stringContaining(' 1,380 requests were left out.')],
    ]);
    expect(entries({ queryStats, profiler: read(9) })).toEqual([]);
  });

  it.each<[string, Partial<Workload['sources']>, string]>([
    ['recent log lines', {}, 'the workload is only known from the slow queries in the recent log lines.'],
    [
      'a profiler that is on in part',
      { profiler: read(0, [OFF]) },
      "known from the profiler's entries and the slow queries in the recent log lines.",
    ],
    [
      'no log lines where they were refused',
      { profiler: read(0, [OFF]), recentLog: REFUSED },
      "the workload is only known from the profiler's entries.",
    ],
    ['nothing where nothing is on', { recentLog: REFUSED }, 'no operations were recorded.'],
  ])('names as what is known %s', (_, sources, expected) => {
    expect(entries(sources).at(-1)?.[1]).toContain(`${expected} The profiler is off in shop.`);
  });

  it.each<[string, Partial<Workload['sources']>, number, Parameters<typeof workloadGaps>[1], boolean]>([
    ['operations, with a log', {}, 0, 'operations', false],
    [
      'operations, with a profiler that was on',
      { recentLog: REFUSED, profiler: read(9, [OFF], 'none') },
      0,
      'operations',
      false,
    ],
    ['operations, with no source', { recentLog: REFUSED }, 1, 'operations', true],
    ['joins, with a view', { recentLog: REFUSED }, 1, 'operations and views', false],
    ['joins, with neither', { recentLog: REFUSED }, 0, 'operations and views', true],
  ])('says whether nothing was judged: of %s', (_, sources, views, looksInto, isNothing) => {
    const workload = {
      sources: { ...DEFAULTS, ...sources },
      views: Array.from({ length: views }),
    } as unknown as Workload;
    const marks = workloadGaps(workload, looksInto).map(({ nothingJudged = false }) => nothingJudged);
    expect([marks.length > 0, new Set(marks)]).toEqual([true, new Set([isNothing])]);
  });

  it.each<[string, Partial<Workload['sources']>, readonly (readonly [string, string])[]]>([
    [
      'a source that was refused',
      { profiler: read(9), recentLog: absent('privilege', 'grant getLog.') },
      [['privilege', 'grant getLog.']],
    ],
    ['a log that was cut', { logFile: read(9, [absent('malformed', 'cut.')]) }, [['malformed', 'cut.']]],
    [
      'a log that says nothing',
      { profiler: read(9), logFile: read(0, [absent('insufficient', 'no slow operation.')]) },
      [['insufficient', 'no slow operation.']],
    ],
    [
      'a member that is silent, once',
      { profiler: read(9, [SILENT]), queryStats: read(9, [SILENT], 'all'), recentLog: read(9, [SILENT]) },
      [['insufficient', SILENT.detail]],
    ],
    [
      'a server that is gone, once',
      {
        profiler: absent('connection', 'gone.'),
        queryStats: absent('connection', 'gone.'),
        recentLog: absent('connection', 'gone.'),
        logFile: read(9),
      },
      [['connection', 'gone.']],
    ],
  ])('is said of %s', (_, sources, expected) => {
    expect(entries(sources)).toEqual(expected);
  });
});
