import { describe, expect, it } from 'vitest';
import { eachTarget } from '../../src/cli/each-target.js';
import type { Io } from '../../src/cli/io.js';
import type { RunOptions } from '../../src/cli/run-options.js';
import { DEFAULTS, type RunTarget } from '../../src/cli/run-settings.js';

const io: Io = { stdout: { write: () => true }, stderr: { write: () => true }, env: {}, cwd: () => '/work' };

function targetOf(alias: string, history?: string): RunTarget {
  const options = { ...DEFAULTS.values, progress: false, ...(history !== undefined && { history }) } as RunOptions;
  return { alias, uri: 'mongodb://a', origin: 'a test', options, expect: [], isNarrowed: false };
}

/** Runs that end when they are let go, one at a time, the last that began first. */
async function runAll(targets: readonly RunTarget[], concurrency: number) {
  const waiting: { readonly alias: string; readonly end: () => void }[] = [];
  const atOnce: string[][] = [];
  const all = eachTarget(targets, concurrency, io, async ({ alias = '' }) => {
    await new Promise<void>((end) => waiting.push({ alias, end }));
    return alias;
  });
  for (let ended = 0; ended < targets.length; ended += 1) {
    // Everything that can begin has begun once the queue of microtasks is empty.
    await new Promise((resolve) => void setImmediate(resolve));
    atOnce.push(waiting.map(({ alias }) => alias));
    waiting.pop()?.end();
  }
  return { results: await all, atOnce };
}

describe('targets', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((alias) => targetOf(alias));

  it.each([1, 2, 5, 9])('are under way %i at once, and their results in order', async (concurrency) => {
    const { results, atOnce } = await runAll(five, concurrency);
    expect(results).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(Math.max(...atOnce.map(({ length }) => length))).toBe(Math.min(concurrency, five.length));
  });
});
