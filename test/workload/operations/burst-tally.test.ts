import { describe, expect, it } from 'vitest';
import { BurstTally } from '../../../src/workload/operations/list-tally.js';

const START = Date.UTC(2026, 10, 23);

function add(tally: BurstTally, appName: string | null, ms: number): void {
  const batch = { at: START + ms, cursor: null, recorded: {}, isContinuation: false, isUnfinished: false };
  tally.add({ appName, user: null, driver: null }, batch);
}

/** Adds executions of an application, so many a second. */
function tallied(...runs: readonly (readonly [appName: string | null, from: number, seconds: number, rate: number])[]) {
  const tally = new BurstTally();
  for (const [appName, from, seconds, rate] of runs) {
    for (let index = 0; index < seconds * rate; index += 1) add(tally, appName, 1_000 * (from + index / rate));
  }
  return tally.figure();
}

describe('the busiest ten seconds', () => {
  it('are those of the application that ran the most', () => {
    expect(tallied(['shop', 0, 100, 6], ['export', 200, 5, 40])).toEqual({ appName: 'export', executions: 200 });
  });

  it('are counted for each application by itself', () => {
    expect(tallied(['shop', 0, 10, 30], ['export', 0, 10, 40])).toEqual({ appName: 'export', executions: 400 });
  });

  it('hold a burst of five seconds whole, wherever it begins', () => {
    for (const from of [0, 3, 7, 9.9])
      expect(tallied(['shop', from, 5, 20])).toEqual({ appName: 'shop', executions: 100 });
  });

  it('count for an application without a name too', () => {
    expect(tallied([null, 0, 10, 6])).toEqual({ appName: null, executions: 60 });
  });

  it('are no figure if there were few', () => {
    expect(tallied(['shop', 0, 1_000, 1])).toBeUndefined();
  });

  it('are found in entries that come from the newest to the oldest, and nearly in order', () => {
    const tally = new BurstTally();
    for (let index = 999; index >= 0; index -= 1) add(tally, 'shop', 100 * (index ^ 3));
    expect(tally.figure()).toEqual({ appName: 'shop', executions: 100 });
  });
});
