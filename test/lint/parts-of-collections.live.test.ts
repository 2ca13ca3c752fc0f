/** One cluster, whose collections several runs share: together they report what one run reports. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { targetReportsSchema } from '../../src/report/target-reports.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const client = sharedClient();
const database = freshDatabase(client);
const PARTS = 3;
const DEEP = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) as object;

beforeAll(async () => {
  for (let index = 0; index < 8; index += 1) await database.collection(`deep_${index}`).insertOne({ a: DEEP });
  // A join whose foreign key has no index: only a check of the whole cluster sees it.
  const items = Array.from({ length: 2_000 }, (_, index) => ({ order: index % 500, name: `item ${index}` }));
  await database.collection('items').insertMany(items);
  await database.collection('orders').insertMany(Array.from({ length: 500 }, (_, index) => ({ _id: index as never })));
  await database.createCollection('orders_with_items', {
    viewOn: 'orders',
    pipeline: [{ $lookup: { from: 'items', localField: '_id', foreignField: 'order', as: 'items' } }],
  });
});

const lintInto = async (folder: string, file: string, ...argv: string[]) => {
  const include = ['--include', `${database.databaseName}.*`];
  const env = { MONGODB_URI: sharedReplicaSetUri() };
  return runCaptured(['--format', `json=${join(folder, file)}`, ...include, ...argv], env, folder);
};
const shownOf = ({ findings, skipped, collections }: Report) => ({
  findings: findings.map(({ check, namespace, path, severity }) => `${severity} ${check} ${namespace} ${path}`).sort(),
  collections: collections.map(({ namespace }) => namespace),
  skipped: skipped.map(({ check, namespace, reason }) => `${check} ${namespace} ${reason}`).sort(),
});

describe('the collections of one cluster', () => {
  it('are judged once each, and the whole cluster by the first part', async () => {
    const folder = await temporaryFolder();
    const codes = [(await lintInto(folder, 'whole.json')).exitCode];
    for (let number = 1; number <= PARTS; number += 1)
      codes.push((await lintInto(folder, `part-${number}.json`, '--shard', `${number}/${PARTS}`)).exitCode);
    const read = async (...argv: string[]) => {
      const { stdout, exitCode } = await runCaptured(['report', ...argv, '--format', 'json'], {}, folder);
      return { exitCode, document: JSON.parse(stdout) as unknown };
    };
    const whole = (await read('whole.json')).document as Report;
    const merged = await read('--merge', 'part-*.json');
    const { targets } = targetReportsSchema.parse(merged.document);
    expect(targets).toHaveLength(1);
    const together = targets[0]?.report as Report;
    expect(shownOf(together)).toEqual(shownOf(whole));
    expect(together.summary).toEqual(whole.summary);
    expect(together.checks?.toSorted((a, b) => a.check.localeCompare(b.check))).toEqual(
      whole.checks?.toSorted((a, b) => a.check.localeCompare(b.check)),
    );
    expect(whole.findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['deep-nesting', 'missing-lookup-index']),
    );
    expect(together.part).toBeUndefined();
    expect(merged.exitCode).toBe(codes[0]);

    const parts = await Promise.all(
      Array.from({ length: PARTS }, async (_, index) => (await read(`part-${index + 1}.json`)).document as Report),
    );
    expect(parts.map(({ part }) => part?.number)).toEqual([1, 2, 3]);
    expect(parts.map(({ findings }) => findings.some(({ check }) => check === 'missing-lookup-index'))).toEqual([
      true,
      false,
      false,
    ]);
    const { stdout } = await runCaptured(['report', 'part-2.json', '--format', 'compact'], {}, folder);
    expect(stdout).toContain('This is part 2 of 3: others judge the other collections, and the first one judges');

    // One part is missing: what is there is kept, and it is no pass.
    const cut = await read('--merge', 'part-[13].json', '--fail-on', 'never');
    const [incomplete] = targetReportsSchema.parse(cut.document).targets;
    expect(incomplete?.report?.failures).toEqual([
      { reason: 'part-missing', detail: 'part 2 of 3 has no report; run it again, and merge.' },
    ]);
    expect(cut.exitCode).toBe(2);
  });

  it('compare with a baseline each for themselves', async () => {
    const folder = await temporaryFolder();
    const known = join(folder, 'known.jsonl');
    await lintInto(folder, 'first.json', '--baseline', known, '--update-baseline');
    await database.collection('deep_3').drop();
    for (let number = 1; number <= PARTS; number += 1)
      await lintInto(folder, `part-${number}.json`, '--shard', `${number}/${PARTS}`, '--baseline', known);
    const merged = await runCaptured(['report', '--merge', 'part-*.json', '--format', 'json'], {}, folder);
    const [target] = targetReportsSchema.parse(JSON.parse(merged.stdout)).targets;
    expect(target?.report?.summary.baseline).toMatchObject({ new: 0, fixed: 0, gone: 1, notJudged: 0 });
    expect(target?.report?.gone).toMatchObject([{ namespace: `${database.databaseName}.deep_3` }]);
    expect(merged.exitCode).toBe(0);
  });
});
