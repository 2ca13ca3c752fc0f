import { describe, expect, it } from 'vitest';
import { painter } from '../../src/report/paint.js';
import { histogramLines } from '../../src/report/plain-table.js';
import { textWidth } from '../../src/report/text-layout.js';

const plain = painter(false);

describe('histogramLines', () => {
  it('draws bars to scale, with range, count and share', () => {
    const buckets = [
      { from: 0, to: 9, count: 8 },
      { from: 10, to: 99, count: 4 },
      { from: 100, to: 1_000, count: 1 },
    ];
    expect(histogramLines({ unit: 'elements', buckets }, 40, plain)).toEqual([
      '   elements                 count  share',
      '      0 – 9  █████████████      8   62 %',
      '    10 – 99  ██████▌            4   31 %',
      '100 – 1,000  █▋                 1  7.7 %',
    ]);
  });

  it('shows a bar for a single value among a million', () => {
    const buckets = [
      { from: 1, to: 1, count: 1_000_000 },
      { from: 2, to: 2, count: 1 },
    ];
    expect(histogramLines({ unit: 'levels', buckets }, 60, plain).at(-1)).toMatch(/^ +2 {2}▏ +1 {3}< 0\.1 %$/);
  });

  it('puts ranges in a row that are empty into one line, without a bar', () => {
    const counts = [5, 0, 0, 0, 2, 0];
    const buckets = counts.map((count, index) => ({ from: index * 10, to: index * 10 + 9, count }));
    expect(
      histogramLines({ unit: 'fields', buckets }, 60, plain).map((line) =>
        line.replace(/[█▉▊▋▌▍▎▏]+/, '#').replace(/ +/g, ' '),
      ),
    ).toEqual([' fields count share', ' 0 – 9 # 5 71 %', '10 – 39 0', '40 – 49 # 2 29 %', '50 – 59 0']);
  });

  it('gives sizes in bytes as sizes', () => {
    const buckets = [{ from: 1_536, to: 2_097_152, count: 1 }];
    expect(histogramLines({ unit: 'bytes', buckets }, 60, plain)[1]).toMatch(/^1\.5 KB – 2 MB {2}█/);
  });

  it.each([[[]], [[{ from: 0, to: 1, count: 0 }]]])('draws nothing where nothing was counted: %j', (buckets) => {
    expect(histogramLines({ unit: 'bytes', buckets }, 60, plain)).toEqual([]);
  });

  it.each([48, 68, 200])('stays within %i columns, coloured too', (width) => {
    const buckets = [
      { from: 1, to: 999, count: 123_456 },
      { from: 1_000, to: 1_234_567, count: 98_765 },
    ];
    const lines = histogramLines({ unit: 'elements', buckets }, width, painter(true));
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
  });
});
