import { beforeAll, describe, expect, it } from 'vitest';
import { defineCheck } from '../../../src/check.js';
import { recordOperations } from '../../../src/demo/recorded-operations.js';
import { LintError } from '../../../src/lint-error.js';
import type { CollectionReads } from '../../../src/workload/reads/collection-reads.js';
import { freshDatabase, sharedClient } from '../../support/database.js';
import { lintShared } from '../../support/linted-collection.js';

describe('the reads of collections', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const heard = new Map<string, CollectionReads>();
  const listener = defineCheck({
    id: 'listener',
    title: 'Listener',
    summary: 'hears of reads',
    appliesTo: ['collection'],
    needs: ['reads'],
    thresholds: {},
    judge({ collection, reads }) {
      heard.set(collection.name, reads);
      return [];
    },
  });
  const run = (options: { logFiles?: string[] } = {}) =>
    lintShared({ include: [`${database.databaseName}.*`], checks: [listener], ...options });

  beforeAll(async () => {
    for (const name of ['posts', 'notes']) await database.collection(name).insertOne({ comments: [1, 2, 3] });
    await database.createCollection('recent_posts', { viewOn: 'posts', pipeline: [{ $match: { open: true } }] });
    await recordOperations(database, async () => {
      await database
        .collection('posts')
        .find({}, { projection: { comments: { $slice: -2 } } })
        .toArray();
      await database
        .collection('posts')
        .aggregate([{ $project: { newest: { $slice: ['$comments', 7] } } }])
        .toArray();
      await database.collection('recent_posts').find().toArray();
      await database.collection('posts').updateOne({}, { $set: { title: 'x' } });
      await database.collection('posts').countDocuments({ comments: 1 });
    });
  });

  it('reach a check that needs nothing else, with the slices they ask for and those of views among them', async () => {
    const { skipped } = await run();
    const { source, executions, writes, reads } = heard.get('posts') ?? { reads: [] };
    expect({ source, executions, writes }).toEqual({ source: 'profiler', executions: 4, writes: 1 });
    expect(reads.flatMap(({ slices }) => Object.values(slices))).toEqual(
      expect.arrayContaining([
        { first: 0, last: 2 },
        { first: 7, last: 0 },
      ]),
    );
    expect(heard.has('notes')).toBe(false);
    expect(skipped.filter(({ namespace }) => namespace?.endsWith('.notes'))).toMatchObject([
      {
        check: 'listener',
        reason: 'insufficient',
        detail: expect.stringContaining('no source of operations shows a read or a write of'),
      },
    ]);
  });

  it('fail the run where a log that was given can’t be opened', async () => {
    await expect(run({ logFiles: ['/nowhere/mongod.log'] })).rejects.toBeInstanceOf(LintError);
  });
});
