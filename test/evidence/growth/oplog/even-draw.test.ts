/** The server's answers are stood in for: on a real one, no bound cuts off a draw of 500 entries at a place that is known. */
import { BSON, MongoServerError, Timestamp } from 'mongodb';
import { expect, it } from 'vitest';
import { EvenDraw, type DrawnOplog } from '../../../../src/evidence/growth/oplog/even-draw.js';
import type { OplogEntries } from '../../../../src/evidence/growth/oplog/oplog-entries.js';

const COUNT = 1_000_000;
/** All entries but the newest tenth, which is scanned. */
const OLDER = 900_000;
const FIRST_DRAW = 500;
const SHARE_GIVEN = 0.25;
/** Where the scan begins, in ms: what is drawn is older, but for three. */
const START = 500_000;

const DRAWN = Array.from({ length: 100_000 }, (_, drawn) => ({
  seconds: drawn < 99_950 ? 1 : START / 1_000,
  increment: 0,
  mayHoldUpdates: drawn < 100_000 * SHARE_GIVEN,
}));

function cutOffAfter(updates: number): OplogEntries {
  const entries = Array.from({ length: updates }, (_, i) =>
    BSON.serialize({ ts: new Timestamp({ t: 1_000, i }), op: 'n', o: {} }),
  );
  const answers: Partial<OplogEntries> = {
    shareOfBytes: 0.1,
    isExhausted: () => true,
    drawTimes: () => Promise.resolve(DRAWN),
    countSince: () => Promise.resolve(COUNT - OLDER),
    draw: () => Promise.resolve({ entries, isAll: false }),
  };
  return answers as OplogEntries;
}

it.each([10, 100])('a first draw that is cut off after %d updates counts the entries between them', async (updates) => {
  const { drawnFrom } = await new EvenDraw(cutOffAfter(updates), COUNT, { from: 0, to: 600_000 }).drawAndScan();
  expect((drawnFrom.share * OLDER) / (updates / SHARE_GIVEN)).toBeCloseTo(1, 2);
  expect(drawnFrom.to).toBe(START);
});

it('a draw that is cut off never counts for more than was asked for', async () => {
  const { drawnFrom } = await new EvenDraw(cutOffAfter(400), COUNT, { from: 0, to: 600_000 }).drawAndScan();
  expect((drawnFrom.share * OLDER) / FIRST_DRAW).toBeCloseTo(1, 2);
});

function drawnDespite(code: number): Promise<DrawnOplog> {
  const entry = BSON.serialize({ ts: new Timestamp({ t: 500, i: 1 }), op: 'n', o: {} });
  const failing: Partial<OplogEntries> = {
    shareOfBytes: 0.1,
    isExhausted: () => false,
    drawTimes: () => Promise.reject(new MongoServerError({ message: 'refused', code })),
    scan: () => Promise.resolve({ entries: [entry], isAll: true }),
  };
  return new EvenDraw(failing as OplogEntries, COUNT, { from: 0, to: 600_000 }).drawAndScan();
}

it('all entries are scanned if the random cursor meets none but the same', async () => {
  expect((await drawnDespite(28_799)).drawnFrom).toMatchObject({ from: 0, to: 600_000 });
});

it('no other error of the random cursor is taken for that', async () => {
  await expect(drawnDespite(13)).rejects.toThrow('refused');
});
