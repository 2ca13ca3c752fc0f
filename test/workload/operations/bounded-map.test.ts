import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../../src/workload/operations/bounded-map.js';
import { ConnectionTally, MOST_CLIENTS } from '../../../src/workload/operations/connection-tally.js';

describe('a map with room for some keys', () => {
  it('keeps the first, and counts entries of others', () => {
    const map = new BoundedMap<string[]>(2);
    for (const key of ['a', 'b', 'c', 'a', 'c']) map.at(key, () => [])?.push(key);
    expect(map.values()).toEqual([['a', 'a'], ['b']]);
    expect([map.get('b'), map.get('c'), map.leftOut]).toEqual([['b'], undefined, 2]);
  });

  it('keeps as many clients as there is room for', () => {
    const tally = new ConnectionTally();
    const counts = tally.of({ source: 'logFile' });
    for (let client = 0; client < MOST_CLIENTS + 3; client += 1)
      counts.opened({ appName: `job-${client}`, driver: null }, 0, null);
    expect([tally.summary().length, tally.leftOut]).toEqual([MOST_CLIENTS, 3]);
  });
});
