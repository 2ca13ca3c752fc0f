import { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { archiveCandidate } from '../../checks/archive-candidate.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runShellCode } from '../support/shell-code.js';

const EVENTS = 3_000;
const READERS = 30;
const DAY = 86_400_000;

describe('archive-candidate on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const events = database.collection('events');
  /** One event a day, until now. */
  const now = Date.now();
  const ago = (days: number) => new Date(now - days * DAY);

  const lintIt = async () => {
    const { findings } = await lintShared({
      include: [`${database.databaseName}.events`],
      checks: [archiveCandidate],
      // Nothing can be recorded for a week in a test.
      settings: { 'archive-candidate': { thresholds: { bytes: 1, days: 0, executions: READERS } } },
    });
    return findings;
  };
  const run = (code = '') => runShellCode(client, code, { ISODate: (day: string) => new Date(day), ObjectId });
  const ask = (further?: () => Promise<unknown>) =>
    recordOperations(database, async () => {
      for (let reader = 0; reader < READERS; reader += 1) {
        await events.find({ at: { $gte: ago(200) } }).toArray();
        await events.find().sort({ at: -1 }).limit(20).toArray();
        await events.findOne({ _id: ObjectId.createFromTime(Math.floor(ago(reader).getTime() / 1_000)) });
      }
      await further?.();
    });

  beforeEach(async () => {
    await database.dropDatabase();
    await events.insertMany(
      Array.from({ length: EVENTS }, (_, index) => ({
        _id: ObjectId.createFromTime(Math.floor(ago(index).getTime() / 1_000)),
        at: ago(index),
        secret: `secret ${index}`,
      })),
    );
    await events.createIndex({ at: 1 });
  });

  it('finds that only the newest are read, and nothing once the others are moved, which can be undone', async () => {
    await ask();
    const findings = await lintIt();
    expect(findings.map(({ severity, confidence, path }) => `${severity} ${confidence} ${path}`)).toEqual([
      'info low at',
    ]);
    const found = findings[0];
    const evidence: Readonly<Record<string, unknown>> = found?.evidence ?? {};
    const { message = '', remedy = { steps: [] } } = found ?? {};
    // Eight tenths are older than the tenth with the newest; a tenth at most may be another one that is read by `_id`.
    expect(evidence).toMatchObject({ unreadShareAtLeast: expect.closeTo(0.7, 1), boundedBy: ['_id', 'at'] });
    expect(Math.round(Number(evidence['oldestReadMs']) / DAY)).toBeGreaterThanOrEqual(200);
    expect(`${message} ${JSON.stringify(evidence)}`).not.toContain(ago(200).toISOString().slice(0, 10));
    const codes = remedy.steps.flatMap(({ code }) => code ?? []);
    const [copy, remove, undo] = codes;
    await run(copy);
    const archive = database.collection(/"(events_archive_\d{8})"/.exec(copy ?? '')?.[1] ?? '');
    const moved = await archive.countDocuments();
    expect(await run(remove)).toMatchObject({ deletedCount: moved });
    expect(moved).toBeGreaterThan(EVENTS / 2);
    await database.collection('system.profile').drop();
    await ask();
    expect(await lintIt()).toEqual([]);
    // What else is in the archive stays there.
    await archive.insertOne({ at: ago(1) });
    await run(undo);
    expect(await events.countDocuments()).toBe(EVENTS);
  });

  it('is silent once one query asks for documents of any age', async () => {
    await ask(() => events.findOne({ secret: 'secret 7' }));
    expect(await lintIt()).toEqual([]);
  });

  it('is silent if another collection is joined with it', async () => {
    await database.collection('visits').insertOne({ event: ago(3) });
    await ask(() =>
      database
        .collection('visits')
        .aggregate([{ $lookup: { from: 'events', localField: 'event', foreignField: 'at', as: 'events' } }])
        .toArray(),
    );
    expect(await lintIt()).toEqual([]);
  });
});
