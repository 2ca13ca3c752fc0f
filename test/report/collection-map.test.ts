import { describe, expect, it } from 'vitest';
import { collectionMap } from '../../src/report/html/collection-map.js';
import { findingOf, reportOf, sampledCollection } from '../support/report/sample-report.js';

const MB = 1024 * 1024;

const tilesOf = (source = '') =>
  [
    ...source.matchAll(/<title>(.*?)<\/title><rect class="(.*?)" x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"/g),
  ].map(([, title = '', state = '', ...area]) => ({
    title,
    state,
    area: area.map(Number) as [number, number, number, number],
  }));

function mapOf(sizes: Readonly<Record<string, readonly [size: number | null, indexes?: number]>>) {
  const collections = Object.entries(sizes).map(([name, [size, indexBytes]]) =>
    sampledCollection(`shop.${name}`, { size, ...(indexBytes !== undefined && { indexBytes }) }),
  );
  return collectionMap(reportOf({ collections, findings: [findingOf({ namespace: 'shop.big' })] }))?.source;
}

describe('the map of the collections', () => {
  const source = mapOf({ small: [MB], big: [4 * MB, 2 * MB], mid: [MB, MB], unknown: [null], indexed: [0, MB] });
  const tiles = tilesOf(source);

  it('has an area for each of known size, the largest first, with its data, indexes and state', () => {
    expect(tiles.map(({ title }) => title)).toEqual([
      'shop.big: 4 MB of data, 2 MB of indexes, with errors',
      'shop.mid: 1 MB of data, 1 MB of indexes, fine',
      'shop.small: 1 MB of data, 0 B of indexes, fine',
      'shop.indexed: 0 B of data, 1 MB of indexes, fine',
    ]);
    expect(tiles[0]?.state).toBe('error');
  });

  it('has areas that are as large as the bytes, and fill the drawing without an overlap', () => {
    const areas = tiles.map(({ area: [, , width, height] }) => width * height);
    const all = areas.reduce((sum, area) => sum + area, 0);
    expect(Math.abs(all / (760 * 240) - 1)).toBeLessThan(0.01);
    [0.6, 0.2, 0.1, 0.1].forEach((share, index) =>
      expect(Math.abs((areas[index] ?? 0) / all - share)).toBeLessThan(0.01),
    );
    for (const [index, one] of tiles.entries())
      for (const other of tiles.slice(index + 1)) {
        const [x, y, width, height] = one.area;
        const [left, top, across, down] = other.area;
        const overlap =
          Math.min(x + width, left + across) - Math.max(x, left) > 0.2 &&
          Math.min(y + height, top + down) - Math.max(y, top) > 0.2;
        expect(overlap).toBe(false);
      }
  });

  it('is not drawn of fewer than two, and names how many of too many it leaves out', () => {
    expect(mapOf({ big: [MB], unknown: [null] })).toBeUndefined();
    const many = mapOf(Object.fromEntries(Array.from({ length: 75 }, (_, index) => [`c${index}`, [MB + index]])));
    expect(tilesOf(many)).toHaveLength(60);
    expect(many).toContain('15 smaller ones not drawn.');
  });
});
