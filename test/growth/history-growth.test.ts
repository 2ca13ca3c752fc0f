import { describe, expect, it } from 'vitest';
import type { HistoryGrowth } from '../../src/growth/growth.js';
import { historyGrowth, type SketchedRun } from '../../src/growth/history-growth.js';
import { HISTORY } from '../../src/growth/limits.js';
import { MS_PER_DAY } from '../../src/time-units.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');

/** Runs a day apart over the same documents. */
function runs(count: number, documents: number, lengthAt: (run: number, document: number) => number): SketchedRun[] {
  const hashes = Buffer.alloc(5 * documents);
  for (let document = 0; document < documents; document += 1) hashes.writeUInt32BE(document + 1, 5 * document);
  return Array.from({ length: count }, (_, run) => {
    const values = Array.from({ length: documents }, (__, document) => lengthAt(run, document));
    const sketch = {
      hashes: hashes.toString('base64'),
      sizes: values,
      lengths: [{ path: 'log', values }],
    };
    return { at: NOW - (count - 1 - run) * MS_PER_DAY, sketch };
  });
}

const judge = (series: readonly SketchedRun[], slack = 1) => historyGrowth(series, 'log', slack);

describe('the same documents show growth', () => {
  it('of all', () => {
    const growth = judge(runs(5, 100, (run, document) => 20 + 3 * run + (document % 7)));
    expect(growth).toMatchObject({ verdict: 'growing', runs: 5, windowDays: 4, documents: 100 });
    expect(growth?.rates?.typical.perDay.estimate).toBeCloseTo(3, 0);
  });

  it('of one in twenty', () => {
    const growth = judge(runs(5, 160, (run, document) => (document % 20 === 0 ? 80 + 5 * run : 20)));
    expect(growth).toMatchObject({ verdict: 'growing', rates: { largest: { value: 100 } } });
    expect(growth?.rates?.typical.perDay.estimate).toBeCloseTo(5, 0);
  });

  it('of sizes', () => {
    expect(
      historyGrowth(
        runs(5, 50, (run) => 500 + 100 * run),
        null,
        1,
      )?.verdict,
    ).toBe('growing');
  });
});

describe('the same documents show none where', () => {
  it.each<[string, HistoryGrowth['because'], HistoryGrowth['verdict'], SketchedRun[]]>([
    ['there are few runs', 'few', 'unknown', runs(3, 50, (run) => 10 + run)],
    ['there are few documents', 'few', 'unknown', runs(5, 4, (run) => 10 + run)],
    ['nothing changes', 'unchanged', 'not growing', runs(5, 50, () => 10)],
    ['all got some at once', 'steps', 'unknown', runs(5, 50, (run) => (run < 2 ? 10 : 15))],
    ['all got some at once, twice', 'steps', 'unknown', runs(5, 50, (run) => 10 + 5 * Math.floor(run / 2))],
    [
      'as much is lost as gained',
      'replaced',
      'not growing',
      runs(5, 50, (run, document) => 20 + ((run * 7 + document * 3) % 9)),
    ],
    ['arrays gained in the first days only', 'young', 'not growing', runs(7, 50, (run) => 10 + 3 * Math.min(run, 4))],
    [
      'only the short ones grow',
      'young',
      'not growing',
      runs(5, 50, (run, document) => (document < 10 ? 10 + 3 * run : 90)),
    ],
  ])('%s', (_, because, verdict, series) => {
    expect(judge(series)).toMatchObject({ because, verdict, rates: null });
  });
});

// A fifth of what is gained is lost again; nothing comes on every second day.
it.each<[string, SketchedRun[]]>([
  ['losses', runs(6, 50, (run, document) => 20 + (document % 5 === 0 ? 60 - 2 * run : 2 * run))],
  ['quiet days', runs(8, 50, (run) => 20 + 10 * Math.floor(run / 2))],
])('growth that the last run showed stays through %s', (_, series) => {
  expect(judge(series)?.verdict).not.toBe('growing');
  expect(judge(series, HISTORY.hysteresis)?.verdict).toBe('growing');
});

it('growth that the last run showed goes once it ends', () => {
  const ended = runs(14, 50, (run) => 20 + 3 * Math.min(run, 5));
  expect(judge(ended, HISTORY.hysteresis)?.verdict).not.toBe('growing');
});
