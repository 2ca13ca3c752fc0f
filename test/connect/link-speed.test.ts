import { describe, expect, it } from 'vitest';
import { LinkSpeed } from '../../src/connect/raw-cursor.js';

const MB = 1024 * 1024;

/** Bytes per ms, and ms that every answer takes besides. */
interface Link {
  readonly speed: number;
  readonly latency: number;
}

const answered = (link: LinkSpeed, bytes: number, { speed, latency }: Link) =>
  link.observe(bytes, latency + bytes / speed);

/** Batches until so many documents of 1 KB have come. */
function batches(documents: number, over: Link): number[] {
  const link = new LinkSpeed();
  for (const bytes of [700, 2_500]) answered(link, bytes, over);
  const sizes: number[] = [];
  for (let left = documents; left > 0; left -= sizes.at(-1) as number) {
    sizes.push(Math.min(left, link.documentsPerBatch(4_096, 1_024)));
    answered(link, (sizes.at(-1) as number) * 1_024, over);
  }
  return sizes;
}

describe('documents per batch', () => {
  it.each<[string, Link, most: number]>([
    ['of a fast link are as many as wanted, after a first small one', { speed: 100_000, latency: 0.5 }, 4],
    ['of a distant one too', { speed: 10_000, latency: 100 }, 4],
  ])('%s', (_, link, most) => {
    const sizes = batches(10_000, link);
    expect(sizes[0]).toBe(39);
    expect(sizes.length).toBeLessThanOrEqual(most + 1);
  });

  it.each<[string, number]>([
    ['20 KB/s', 20],
    ['1 KB/s', 1],
  ])('take few seconds at %s', (_, speed) => {
    const link = { speed, latency: 20 };
    for (const size of batches(200, link)) expect((size * 1_024) / speed).toBeLessThan(4_000);
  });

  it('become fewer when the link becomes slow, and more again', () => {
    const link = new LinkSpeed();
    answered(link, 4 * MB, { speed: 100_000, latency: 1 });
    expect(link.documentsPerBatch(4_096, 1_024)).toBe(4_096);
    for (let index = 0; index < 12; index += 1) answered(link, MB, { speed: 50, latency: 1 });
    expect(link.documentsPerBatch(4_096, 1_024)).toBeLessThan(100);
    answered(link, MB, { speed: 100_000, latency: 1 });
    expect(link.documentsPerBatch(4_096, 1_024)).toBe(4_096);
  });

  it('are never none, and stay the default of the server on a fast link', () => {
    const link = new LinkSpeed();
    expect(link.documentsPerBatch(undefined, 16 * MB)).toBe(1);
    answered(link, MB, { speed: 100_000, latency: 1 });
    expect(link.documentsPerBatch(undefined, 16 * MB)).toBeUndefined();
  });

  it('lets batches be asked for ahead only where they come quickly', () => {
    const batch = 4 * 1024 * 1024;
    const ahead = (bytesPerSecond: number, bytes = batch) => {
      const link = new LinkSpeed();
      link.observe(0, 60);
      link.observe(bytesPerSecond, 1_060);
      return link.batchesAhead(bytes);
    };
    expect([batch / 2, batch, 100 * batch].map((speed) => ahead(speed))).toEqual([0, 1, 2]);
    expect(ahead(100 * batch, batch + 1)).toBe(0);
  });
});
