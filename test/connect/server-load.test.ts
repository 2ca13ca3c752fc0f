import { describe, expect, it } from 'vitest';
import { ServerLoad, START_PROBES, type Pace } from '../../src/connect/load-control.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';

/** The paces after the first probes, which take `start` ms. */
function pacesAfter(start: number, times: readonly number[], queued: number | null = null): Pace[] {
  const load = new ServerLoad();
  for (let probe = 0; probe < START_PROBES; probe += 1) load.observe({ milliseconds: start, queued: 0 });
  return times.map((milliseconds) => load.observe({ milliseconds, queued }));
}

const repeated = (milliseconds: number, count: number) => Array.from({ length: count }, () => milliseconds);

describe('the pace of a run', () => {
  it.each([
    { name: 'from 1 to 5 ms', start: 1, times: repeated(5, 100) },
    { name: 'from 1 to 200 ms, as over a road that got longer', start: 1, times: repeated(200, 100) },
    { name: 'slow from the start on', start: 900, times: repeated(1_500, 100) },
    { name: 'with four of five slow', start: 1, times: [...repeated(1, 20), 9_000, 9_000, 1, 9_000, 9_000, 1, 1] },
    { name: 'slow two times of three', start: 2, times: Array.from({ length: 90 }, (_, n) => (n % 3 ? 5_000 : 2)) },
  ])('stays full for a server that is, or answers, $name', ({ start, times }) => {
    expect(new Set(pacesAfter(start, times))).toEqual(new Set(['full']));
  });

  it('stays full for hundreds of runs on a server that is healthy, but jitters', () => {
    const random = new SeededRandom(5);
    // One in 20 is caught by a checkpoint or the like; a day of a run's probes.
    const jitter = () => (random.chance(0.05) ? 2_000 * random.next() : 4 * random.exponential());
    for (let run = 0; run < 300; run += 1) {
      expect(pacesAfter(jitter(), Array.from({ length: 600 }, jitter))).not.toContain('slow');
    }
  });

  it('is slow after five probes, and stopped after five more', () => {
    const paces = pacesAfter(10, repeated(400, 12));
    expect(paces).toEqual([...repeatedPace('full', 4), ...repeatedPace('slow', 5), ...repeatedPace('stopped', 3)]);
  });

  it('is full again if slowing down helped, and slow again if that did not last', () => {
    const paces = pacesAfter(10, [...repeated(400, 5), ...repeated(10, 5), ...repeated(400, 5)]);
    expect([paces[4], paces[8], paces[9], paces[13], paces[14]]).toEqual(['slow', 'slow', 'full', 'full', 'slow']);
  });

  it('follows the queue of the server, which cheap commands pass', () => {
    expect(pacesAfter(1, repeated(2, 10), 500)).toContain('stopped');
    expect(pacesAfter(1, repeated(2, 10), 50)).not.toContain('slow');
  });

  it('is told with the times that decided', () => {
    const load = new ServerLoad();
    for (const milliseconds of [1, 30, 2, ...repeated(400, 5)]) load.observe({ milliseconds, queued: null });
    expect(load.times).toEqual({ start: 2, slowest: 400 });
  });
});

function repeatedPace(pace: Pace, count: number): Pace[] {
  return Array.from({ length: count }, () => pace);
}
