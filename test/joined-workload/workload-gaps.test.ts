import { describe, expect, it } from 'vitest';
import { absent, present, type Absent, type Evidence } from '../../src/evidence/evidence.js';
import type { Coverage, Workload, WorkloadSource } from '../../src/evidence/workload/workload.js';
import { workloadGaps } from '../../src/joined-workload/workload-gaps.js';

const OFF = absent('insufficient', 'the profiler is off in shop.');
const UNSUPPORTED = absent('unsupported', 'no query stats.');
const NO_LOGS = absent('insufficient', 'no log files were given.');
const SILENT = absent('insufficient', '1 of 3 members did not tell.');

function read(count: number, gaps: readonly Absent[] = [], operations: Coverage['operations'] = 'slow'): Evidence<WorkloadSource> {
  const part = { name: 'shop on the primary', coverage: { operations, slowMilliseconds: 100, sampleRate: 1 }, window: null, entries: count, ignored: 0, unreadable: 0, bounded: false };
  return present({ parts: [part], gaps });
}

const DEFAULTS: Workload['sources'] = { profiler: read(0, [OFF], 'none'), queryStats: UNSUPPORTED, logFile: NO_LOGS, recentLog: read(3) };

function entries(sources: Partial<Workload['sources']>): readonly (readonly [reason: string, detail: string])[] {
  const workload = { sources: { ...DEFAULTS, ...sources } } as Workload;
  return workloadGaps(workload).map(({ notJudged, detail }) => [notJudged, detail]);
}

describe('what keeps a workload from being judged', () => {
  it('is one entry where all is as it comes', () => {
    expect(entries({})).toEqual([['insufficient', expect.stringMatching(/: the profiler is off in shop\. no query stats\. no log files were given\.$/)]]);
  });

  it.each<[string, Partial<Workload['sources']>]>([
    ['a profiler that is on in every database', { profiler: read(0) }],
    ['a profiler that recorded something', { profiler: read(9, [], 'none') }],
    ['query stats', { queryStats: read(9) }],
    ['logs', { logFile: read(9) }],
  ])('is nothing with %s', (_, sources) => {
    expect(entries(sources)).toEqual([]);
  });

  it.each<[string, Partial<Workload['sources']>, readonly (readonly [string, string])[]]>([
    ['a source that was refused', { profiler: read(9), recentLog: absent('privilege', 'grant getLog.') }, [['privilege', 'grant getLog.']]],
    ['a log that was cut', { logFile: read(9, [absent('malformed', 'cut.')]) }, [['malformed', 'cut.']]],
    ['a log that says nothing', { profiler: read(9), logFile: read(0, [absent('insufficient', 'no slow operation.')]) }, [['insufficient', 'no slow operation.']]],
    ['a member that is silent, once', { profiler: read(9, [SILENT]), queryStats: read(9, [SILENT]), recentLog: read(9, [SILENT]) }, [['insufficient', SILENT.detail]]],
    [
      'a server that is gone, once',
      { profiler: absent('connection', 'gone.'), queryStats: absent('connection', 'gone.'), recentLog: absent('connection', 'gone.'), logFile: read(9) },
      [['connection', 'gone.']],
    ],
  ])('is said of %s', (_, sources, expected) => {
    expect(entries(sources)).toEqual(expected);
  });
});
