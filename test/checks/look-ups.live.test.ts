/** Look-ups that examine far more than they return, and indexes that none needs, on a real server: told, and gone as advised. */
import { type Collection, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { deepSkip } from '../../checks/deep-skip.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { uselessIndex } from '../../checks/useless-index/check.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { lintShared } from '../support/linted-collection.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 6_000;
const WITHOUT_CASE = { locale: 'en', strength: 2 };
const client = sharedClient();

const document = (number: number): Document => ({
  number,
  name: `Name ${String(number).padStart(5, '0')}`,
  deleted: number % 50 === 0,
  owner: number % 12,
  group: number % 40,
});

type Run = (on: Collection) => Promise<unknown>;

interface Case {
  readonly what: string;
  readonly indexes: readonly Document[];
  readonly run: Run;
  readonly found: string;
  /** How it is asked once the advice is followed; the same unless given. */
  readonly asAdvised?: Run;
  readonly twin: Run;
}

const CASES: readonly Case[] = [
  {
    what: 'one name in any case',
    indexes: [{ name: 1 }],
    run: (on) => on.findOne({ name: /^name 05900$/i }),
    found: 'warning case-insensitive-regex name',
    asAdvised: (on) => on.findOne({ name: 'name 05900' }, { collation: WITHOUT_CASE }),
    twin: (on) => on.findOne({ name: 'Name 05900' }),
  },
  {
    what: 'a tenth of what an index on two values finds',
    indexes: [{ deleted: 1 }],
    run: (on) => on.find({ owner: 7, deleted: false }).toArray(),
    found: 'warning poor-targeting owner_1_deleted_1',
    twin: (on) => on.find({ deleted: true }).toArray(),
  },
  {
    what: 'a page behind 5,000 others',
    indexes: [{ number: 1, _id: 1 }],
    run: (on) => on.find().sort({ number: 1, _id: 1 }).skip(5_000).limit(10).toArray(),
    found: 'warning deep-skip null',
    asAdvised: (on) =>
      on
        .find({ number: { $gt: 5_000 } })
        .sort({ number: 1, _id: 1 })
        .limit(10)
        .toArray(),
    twin: (on) => on.find().sort({ number: 1, _id: 1 }).skip(20).limit(10).toArray(),
  },
];

describe('look-ups', () => {
  const database = freshDatabase(client);
  const on = database.collection('docs');

  const checks = [caseInsensitiveRegex, collectionScan, deepSkip, poorTargeting];
  const recorded = async (run: Run) =>
    (await judgedRun(database, () => run(on), { only: on, times: 4, checks })).findings;
  const planted = async (indexes: readonly Document[]) => {
    await on.drop();
    await on.insertMany(Array.from({ length: DOCUMENTS }, (_, number) => document(number)));
    for (const key of indexes) await on.createIndex(key as Record<string, 1>);
  };

  it.each(CASES)('$what: $found, and nothing as advised', async ({ indexes, run, found, asAdvised = run, twin }) => {
    await planted(indexes);
    expect(await recorded(twin)).toEqual([]);
    const findings = await recorded(run);
    expect(findings.map(({ severity, check, path }) => `${severity} ${check} ${path}`)).toEqual([found]);
    for (const { command, code } of findings[0]?.remedy.steps ?? []) {
      if (command !== undefined) await client.db(command.db).command(command.command);
      else if (code?.includes('createIndex') === true) await runShellCode(client, code);
    }
    expect(await recorded(asAdvised)).toEqual([]);
  });

  it('a field that no document has: a name to correct, and nothing once it is', async () => {
    await planted([{ deleted: 1 }, { group: 1, deleted: 1 }]);
    const [found, ...others] = await recorded((docs) =>
      docs.find({ groups: { $in: [1, 2] }, deleted: false }).toArray(),
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({ check: 'poor-targeting', severity: 'warning' });
    expect(found?.message).toContain('no sampled document has `groups`');
    expect(found?.remedy.commands).toBeUndefined();
    expect(await recorded((docs) => docs.find({ group: { $in: [1, 2] }, deleted: false }).toArray())).toEqual([]);
  });

  it('indexes on fields without a value, where all documents are not read: one finding a database, gone with them', async () => {
    const names = ['first', 'second'];
    for (const name of names) {
      await database
        .collection(name)
        .insertMany(Array.from({ length: 1_500 }, (_, number) => ({ number, from: null })));
      await database
        .collection(name)
        .createIndexes([{ key: { gone: 1 } }, { key: { from: 1 } }, { key: { number: 1 } }]);
    }
    const useless = async () =>
      (
        await lintShared({
          include: names.map((name) => `${database.databaseName}.${name}`),
          checks: [uselessIndex],
          sampleSize: 200,
        })
      ).findings;
    const [finding, ...others] = await useless();
    expect(others).toEqual([]);
    expect([finding, ...(finding?.furtherReasons ?? [])].map((each) => each?.path)).toEqual(
      expect.arrayContaining(['from_1', 'gone_1']),
    );
    expect(finding?.furtherReasons).toHaveLength(3);
    expect(finding?.remedy.commands).toBeUndefined();
    for (const name of names) {
      await database.collection(name).dropIndex('gone_1');
      await database.collection(name).dropIndex('from_1');
    }
    expect(await useless()).toEqual([]);
  });
});
