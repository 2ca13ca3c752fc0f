import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FEWEST_HELD_PER_READ, HeldCollections, MOST_HELD_BYTES, MOST_HELD_PER_READ } from '../../src/lint/collect.js';
import type { SampledDocuments } from '../../src/profile/sample.js';

const CONCURRENCY = 2;
const COLLECTIONS = 100;

function sampled(paths: number, lengths: number): SampledDocuments {
  const series = { documents: Array.from({ length: lengths }), lengths: Array.from({ length: lengths }) };
  const path = { path: 'items' };
  return {
    evidence: { profile: { paths: Array.from({ length: paths }, () => path) } },
    growth: { lengths: new Map([['items', series]]) },
  } as unknown as SampledDocuments;
}

/** How many collections are under way before what they wait for is there, and how many end once it is. */
async function heldAtOnce(read: SampledDocuments | null): Promise<{ readonly atOnce: number; readonly ended: number }> {
  const held = new HeldCollections(CONCURRENCY);
  const awaited = new EventEmitter();
  const shared = once(awaited, 'there');
  let begun = 0;
  const all = Array.from({ length: COLLECTIONS }, () =>
    held.collect(() => {
      begun += 1;
      return held.whileHeld(read, shared);
    }),
  );
  await setImmediate();
  const atOnce = begun;
  awaited.emit('there');
  return { atOnce, ended: (await Promise.all(all)).length };
}

describe('collections that wait for what they share', () => {
  it.each([
    ['light profiles', sampled(40, 4_000), MOST_HELD_PER_READ],
    ['collections without a sample', null, MOST_HELD_PER_READ],
    ['profiles of many paths', sampled(5_000, 0), FEWEST_HELD_PER_READ],
    ['profiles of many arrays', sampled(100, 100_000), FEWEST_HELD_PER_READ],
  ])('%s: so many are held, and all end', async (_, read, perRead) => {
    expect(await heldAtOnce(read)).toEqual({ atOnce: perRead * CONCURRENCY, ended: COLLECTIONS });
  });

  it('holds many again once heavy ones are done with', async () => {
    const held = new HeldCollections(1);
    const light = sampled(40, 0);
    const collections = [...Array.from({ length: 10 }, () => sampled(MOST_HELD_BYTES / 1_000, 0)), light];
    for (const read of collections) await held.collect(() => held.whileHeld(read, Promise.resolve()));
    let begun = 0;
    for (let each = 0; each < COLLECTIONS; each += 1)
      void held.collect(() => {
        begun += 1;
        return held.whileHeld(light, new Promise(() => {}));
      });
    await setImmediate();
    expect(begun).toBe(MOST_HELD_PER_READ);
  });
});
