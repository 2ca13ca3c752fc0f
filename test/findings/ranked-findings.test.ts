import { describe, expect, it } from 'vitest';
import type { Impact } from '../../src/finding.js';
import { rankedFindings } from '../../src/findings/ranked-findings.js';
import type { StampedFinding } from '../../src/findings/stamp.js';
import { absent, present } from '../../src/presence.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { FigureSource, Operation, OperationFigures, Workload } from '../../src/workload/workload.js';
import { findingOf } from '../support/report/sample-report.js';

const HOUR = 3_600_000;
const none = absent('unsupported', 'not there.');

type Figures = Partial<OperationFigures>;

function operation(field: string, figures: Partial<Record<FigureSource, Figures>>): Operation {
  const shape = operationShape(
    { kind: 'find', namespace: 'shop.orders', command: { filter: { [field]: 1 } }, truncated: false },
    literalPlaceholder,
  );
  const entries = Object.entries(figures).map(([source, each]) => [
    source,
    { ...new FiguresSum().figures(), executions: 10, ...each },
  ]);
  return { shape, figures: Object.fromEntries(entries) as Operation['figures'] };
}

/** A profiler that recorded everything for so many hours. */
function recordedFor(hours: number, operations: readonly Operation[], coverage: 'all' | 'part' = 'all') {
  const part = {
    database: 'shop',
    coverage: { operations: coverage, slowMilliseconds: null, sampleRate: null },
    window: { from: 0, to: hours * HOUR },
    entries: 1,
    ignored: 0,
    unreadable: 0,
    bounded: false,
  };
  const sources: Workload['sources'] = {
    profiler: present({ parts: [part], gaps: [] }),
    queryStats: none,
    logFile: none,
    recentLog: none,
    routerLog: none,
  };
  return traceWorkload({ operations, views: [], sources, counters: none });
}

const about = (operations: readonly Operation[]): StampedFinding => ({
  ...findingOf({ namespace: 'shop.orders', evidence: { source: 'profiler', window: 'of a test' } }),
  operations,
});
const bytes = () => ({ size: 5_000_000, averageDocumentSize: 100 });

const scan = operation('a', {
  profiler: { documentsExamined: 9_000, documentsReturned: 1_000, milliseconds: 300 },
});
const served = operation('b', { profiler: { documentsExamined: 1_000, documentsReturned: 1_000, milliseconds: 100 } });
const covered = operation('c', { profiler: { documentsExamined: 0, documentsReturned: 500, milliseconds: 0 } });
const uncounted = operation('d', { queryStats: { documentsReturned: 10, milliseconds: 20 } });
const logged = operation('a', { logFile: { documentsExamined: 50, documentsReturned: 0 } });

const impactOf = (finding: StampedFinding, workload: ReturnType<typeof recordedFor> | null): Impact | undefined =>
  rankedFindings([finding], workload, bytes).findings[0]?.impact;

describe('what findings cost', () => {
  it('is what was examined beyond what was returned, as share of all that was examined', () => {
    expect(impactOf(about([scan]), recordedFor(0.1, [scan, served]))).toEqual({
      source: 'profiler',
      window: '10 executions in 6 min',
      executions: 10,
      documents: 8_000,
      bytes: 800_000,
      milliseconds: 300,
      share: 0.8,
      shareOfTime: 0.75,
      shareOfTimeSaved: expect.closeTo(2 / 3, 9) as number,
      operations: [
        {
          id: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
          share: 0.8,
          shareOfTimeSaved: expect.closeTo(2 / 3, 9) as number,
        },
      ],
      bytesAtStake: 5_000_000,
    });
  });

  it('is told a day if hours were recorded', () => {
    expect(impactOf(about([scan]), recordedFor(2, [scan]))).toMatchObject({
      executionsPerDay: 120,
      documentsPerDay: 96_000,
      bytesPerDay: 9_600_000,
      msPerDay: 3_600,
    });
  });

  it.each([
    ['minutes were recorded', recordedFor(0.5, [scan])],
    ['a part was recorded', recordedFor(5, [scan], 'part')],
  ])('has nothing a day if %s', (_, workload) => {
    const names = Object.keys(impactOf(about([scan]), workload) ?? {});
    expect(names.filter((name) => name.endsWith('PerDay'))).toEqual([]);
  });

  it('is unknown, not 0, if the source does not count what it examines', () => {
    const impact = impactOf(about([uncounted]), recordedFor(2, [scan, uncounted]));
    expect(impact).toMatchObject({ source: 'query stats', executions: 10, milliseconds: 20 });
    expect(impact).not.toHaveProperty('documents');
    expect(impact).not.toHaveProperty('share');
  });

  it('is unknown if a damaged record makes it larger than any number', () => {
    const endless = operation('e', {
      profiler: { documentsExamined: 1e308, documentsReturned: 0, milliseconds: 1e308 },
    });
    const damaged = ['f', 'g', 'h'].map((id) => ({ ...endless, shape: operation(id, {}).shape }));
    const impact = impactOf(about(damaged), recordedFor(0.1, damaged));
    expect(Object.values(impact ?? {}).filter((value) => typeof value === 'number' && !Number.isFinite(value))).toEqual(
      [],
    );
    expect(impact).toHaveProperty('executions');
  });

  it('is never below 0: an index alone may return all', () => {
    expect(impactOf(about([covered]), recordedFor(0.1, [scan, covered]))).toMatchObject({ documents: 0, share: 0 });
  });

  it('is of the source that saw the most examined, and of no two added up', () => {
    const both = { ...scan, figures: { ...scan.figures, ...logged.figures } };
    expect(impactOf(about([both]), recordedFor(0.1, [both]))).toMatchObject({ source: 'profiler', documents: 8_000 });
  });

  it('counts an operation once that is named twice, and none that is not of the workload', () => {
    const impact = impactOf(about([scan, scan, logged]), recordedFor(0.1, [scan]));
    expect(impact).toMatchObject({ executions: 10, documents: 8_000 });
  });

  it('is what is at stake without a workload: bytes of the index before those of the collection, and days left', () => {
    const evidence = { source: 'sample', window: 'of a test', indexBytes: 700, forecastDays: { '16 MB': [12.5, 40] } };
    const { operations: _, ...finding } = about([]);
    expect(impactOf({ ...finding, evidence }, null)).toEqual({ bytesAtStake: 700, daysLeft: 12.5 });
  });
});
