import { describe, expect, it } from 'vitest';
import { risingShare, seriesFigures, type Reading } from '../../../src/evidence/measurements/measurement-series.js';

const MINUTE = 60_000;

/** Readings of so many sources in turn, each once a minute. */
function inTurn(sources: number, rounds: number): Reading[] {
  return Array.from({ length: sources * rounds }, (_, index) => ({
    source: `s${index % sources}`,
    time: Math.floor(index / sources) * MINUTE,
  }));
}

/** Each source's readings in one piece, as devices send what they have gathered. */
const inBatches = (sources: number, rounds: number) =>
  inTurn(sources, rounds).sort((a, b) => a.source.localeCompare(b.source));

describe('risingShare', () => {
  it.each<[string, readonly Reading[], number | null]>([
    ['sources in turn', inTurn(50, 10), 1],
    ['batches of each source', inBatches(50, 4), 1],
    ['newest first', inTurn(5, 10).toReversed(), 0],
    ['one of two in order', [0, 2, 1, 3, 2].map((time) => ({ source: 'a', time })), 0.5],
    ['equal times', [1, 1, 1].map((time) => ({ source: 'a', time })), 1],
    ['no source twice', inTurn(9, 1), null],
    ['nothing', [], null],
  ])('%s', (_, readings, share) => {
    expect(risingShare(readings)).toBe(share);
  });
});

describe('seriesFigures', () => {
  it('tells sources, interval and order', () => {
    expect(seriesFigures(inTurn(20, 10))).toEqual({
      sources: 20,
      readingsPerSource: 10,
      interval: MINUTE,
      intervalSpread: 0,
      risingShare: 1,
    });
  });

  it('is null where no source has enough readings', () => {
    expect(seriesFigures(inTurn(100, 4))).toBeNull();
  });
});
