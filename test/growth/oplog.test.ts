import { BSON, type Document, Timestamp } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ClusterReader } from '../../src/connect/cluster-reader.js';
import { sampleOplog } from '../../src/growth/oplog.js';

const NOW = Date.UTC(2026, 5, 1) / 1_000;
const WEEK = 7 * 24 * 60 * 60;

function cursorOf(batches: readonly (readonly Document[])[]) {
  const left = batches.filter((batch) => batch.length > 0);
  return {
    hasNext: () => Promise.resolve(left.length > 0),
    readBufferedDocuments: () => (left.shift() ?? []).map((entry) => BSON.serialize(entry)),
    close: () => Promise.resolve(),
  };
}

/** A server whose oplog has so many entries between two times, in seconds, and gives out a batch for each period that is asked for. */
function serverWith(count: number, from: number, to: number, entriesOf: (from: number) => Document[] = () => []) {
  const asked: Document[][] = [];
  const reader = {
    findRaw: (_: string, __: string, ___: Document, { sort }: { sort: { $natural: number } }) =>
      cursorOf([[{ ts: new Timestamp({ t: 1, i: 1 }), wall: new Date(1_000 * (sort.$natural === 1 ? from : to)) }]]),
    command: () => Promise.resolve({ ok: 1, n: count }),
    aggregateRaw: (_: string, __: string, pipeline: readonly Document[]) => {
      asked.push([...pipeline]);
      const periods = [pipeline[0], ...pipeline.flatMap(({ $unionWith }) => $unionWith?.pipeline?.[0] ?? [])];
      return cursorOf(periods.map((stage) => entriesOf(stage?.['$match'].ts.$gte.t)));
    },
  };
  return { reader: reader as unknown as ClusterReader, asked };
}

describe('a sample of the oplog', () => {
  it('is read in 120 periods of a week, by one aggregation', async () => {
    const { reader, asked } = serverWith(500_000, NOW - WEEK, NOW);
    const sample = await sampleOplog(reader, 1_000);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.filter((stage) => '$unionWith' in stage)).toHaveLength(120);
    expect(sample?.window.share).toBeCloseTo(0.04, 2);
  });

  it('covers its whole time, however early a bound ends it', async () => {
    const note = 'x'.repeat(1024 * 1024);
    const { reader } = serverWith(500_000, NOW - WEEK, NOW, (t) => [{ ts: new Timestamp({ t, i: 1 }), op: 'n', note }]);
    const sample = await sampleOplog(reader, 1_000);
    expect(sample?.entries).toBe(8);
    expect(sample?.window.share).toBeCloseTo((0.04 * 8) / 121, 3);
  });

  it.each([
    ['of seconds', NOW - 3, NOW, 4],
    ['whose last entry is of the year 9000', NOW, Date.UTC(9_000, 0) / 1_000, 121],
    ['before 1970', -WEEK, -WEEK + 60, 61],
  ])('can be taken of an oplog %s', async (_, from, to, periods) => {
    const { reader, asked } = serverWith(100, from, to);
    expect((await sampleOplog(reader, 1_000))?.entries).toBe(0);
    expect(asked[0]?.filter((stage) => '$unionWith' in stage)).toHaveLength(periods - 1);
  });
});
