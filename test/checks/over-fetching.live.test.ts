/** Lists on a real server that fetch what they do not show: the printed list returns the same documents in a fraction of the bytes. */
import type { Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { bloatedDocument } from '../../checks/bloated-document.js';
import { overFetching } from '../../checks/over-fetching.js';
import { unboundedFind } from '../../checks/unbounded-find/check.js';
import type { AnyCheck } from '../../src/check.js';
import { separated } from '../../src/findings/further-reasons.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { runShellCode } from '../support/shell-code.js';

const POSTS = 400;
const PAGE = 20;
const BODY = 20_000;
const client = sharedClient();

const bytesOf = (entries: readonly Document[]) => Math.max(...entries.map((each) => Number(each['responseLength'])));

describe('over-fetching on a real server', () => {
  const database = freshDatabase(client);
  const posts = database.collection('posts');
  const page = { statusValue: 'active', limit: PAGE };

  beforeAll(async () => {
    await posts.insertMany(
      Array.from({ length: POSTS }, (_, number) => ({
        title: `Post ${number}`,
        slug: `post-${number}`,
        status: number % 4 === 0 ? 'draft' : 'active',
        at: new Date(1.7e12 + number),
        body: `${number} `.repeat(BODY).slice(0, BODY),
      })),
    );
    await posts.createIndex({ status: 1, at: -1 });
  });

  const list = (projection: Document = {}) =>
    posts.find({ status: 'active' }, { projection }).sort({ at: -1 }).limit(PAGE).toArray();
  const recorded = <Result>(run: () => Promise<Result>, checks: readonly AnyCheck[] = [overFetching]) =>
    judgedRun(database, run, { times: 5, only: posts, checks });

  it('is reported of whole documents, and gone with the printed projection', async () => {
    const before = await recorded(() => list());
    expect(before.findings).toMatchObject([{ check: 'over-fetching', severity: 'warning', confidence: 'medium' }]);
    const { evidence, remedy } = before.findings[0]!;
    expect(evidence['bytesReturned']).toBe(bytesOf(before.entries));
    expect(evidence['heaviest']).toMatchObject([{ path: 'body' }]);

    const [code = ''] = remedy.steps.flatMap((step) => step.code ?? []);
    const after = await recorded(async () => (await runShellCode(client, code, page)) as Document[]);
    expect(after.findings).toEqual([]);
    expect(after.result).toEqual(before.result.map(({ body: _body, ...post }) => post));
    expect(bytesOf(after.entries)).toBeLessThan(bytesOf(before.entries) / 50);
  });

  it('is sure if other reads leave the field out', async () => {
    const { findings } = await recorded(async () => {
      await list();
      for (let read = 0; read < 10; read += 1) await posts.findOne({ slug: 'post-7' }, { projection: { body: 0 } });
    });
    expect(findings).toMatchObject([{ check: 'over-fetching', confidence: 'high' }]);
  });

  it('is silent on a list of what it shows, and on single documents', async () => {
    const { findings, skipped } = await recorded(async () => {
      await list({ title: 1, slug: 1, at: 1 });
      await posts.findOne({ slug: 'post-7' });
    });
    expect({ findings, skipped }).toEqual({ findings: [], skipped: [] });
  });

  it('is one finding with the read of all that the same field makes large', async () => {
    const { findings } = await recorded(() => posts.find().toArray(), [overFetching, unboundedFind, bloatedDocument]);
    expect(findings.map((each) => separated(each).map(({ check }) => check))).toEqual([
      ['over-fetching', 'unbounded-find'],
    ]);
  });
});
