/** Searches by text, place, several ranges and for distinct values, on a real server: what their remedies save, and that they help. */
import { type Collection, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { runRemedies } from '../support/remedy.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 12_000;
const OF_KIND = 600;
const client = sharedClient();

const document = (number: number): Document => ({
  kind: `kind${number % OF_KIND}`,
  status: number % 2 === 0 ? 'open' : 'paid',
  total: (number * 7_919) % 10_007,
  rank: number % 100 === 0 ? 2 : 1,
  price: (number * 31) % 200,
  text: `common word${number % 50}`,
  place: { type: 'Point', coordinates: [((number * 37) % 3_600) / 10 - 180, ((number * 91) % 1_700) / 10 - 85] },
  at: new Date(1.7e12 + number * 1_000),
});
const NEAR = { type: 'Point', coordinates: [0, 0] } as const;
const near = (query: Document, $geoNear: Document = {}) => ({
  $geoNear: { near: NEAR, distanceField: 'distance', query, ...$geoNear },
});

type Run = (on: Collection) => Promise<unknown>;

interface Bad {
  readonly what: string;
  readonly index?: Document;
  readonly run: Run;
  /** How it is asked once the remedy is followed; the same unless given. */
  readonly asAdvised?: Run;
  readonly found: string;
}

const BAD: readonly Bad[] = [
  {
    what: 'a text search that sets a field equal',
    index: { text: 'text' },
    run: (on) => on.find({ $text: { $search: 'common' }, kind: 'kind7' }).toArray(),
    found: 'warning poor-targeting kind',
  },
  {
    what: 'a text search of an aggregate',
    index: { text: 'text' },
    run: (on) =>
      on
        .aggregate([
          { $match: { $text: { $search: 'common' }, kind: 'kind7' } },
          { $sort: { at: 1 } },
          { $project: { at: 1 } },
        ])
        .toArray(),
    found: 'warning poor-targeting kind',
  },
  {
    what: '$near with a condition',
    index: { place: '2dsphere' },
    run: (on) =>
      on
        .find({ place: { $near: { $geometry: NEAR } }, kind: 'kind8' })
        .limit(10)
        .toArray(),
    found: 'warning poor-targeting place',
  },
  {
    what: '$geoNear with a query',
    index: { place: '2dsphere' },
    run: (on) => on.aggregate([near({ kind: 'kind8' }, { key: 'place' }), { $limit: 10 }]).toArray(),
    found: 'warning poor-targeting place',
  },
  {
    what: '$geoNear without a key',
    index: { place: '2dsphere' },
    run: (on) => on.aggregate([near({ kind: 'kind8' }), { $limit: 10 }]).toArray(),
    asAdvised: (on) => on.aggregate([near({ kind: 'kind8' }, { key: 'place' }), { $limit: 10 }]).toArray(),
    found: 'warning poor-targeting kind',
  },
  {
    what: '$geoNear with a condition behind it',
    index: { place: '2dsphere' },
    run: (on) =>
      on
        .aggregate([near({}, { key: 'place' }), { $match: { kind: 'kind8', distance: { $gt: 1 } } }, { $limit: 10 }])
        .toArray(),
    asAdvised: (on) =>
      on
        .aggregate([near({ kind: 'kind8' }, { key: 'place' }), { $match: { distance: { $gt: 1 } } }, { $limit: 10 }])
        .toArray(),
    found: 'warning poor-targeting place',
  },
  {
    what: '$geoWithin without an index',
    run: (on) => on.find({ place: { $geoWithin: { $centerSphere: [[0, 0], 0.05] } } }).toArray(),
    found: 'warning collection-scan place',
  },
  {
    what: 'a range behind another',
    index: { at: 1, total: 1 },
    run: (on) => on.find({ at: { $gt: new Date(1.7e12) }, total: { $gt: 9_995 } }).toArray(),
    found: 'warning poor-targeting total',
  },
  {
    what: 'a range behind the sort',
    index: { status: 1, at: 1, total: 1 },
    run: (on) =>
      on
        .find({ status: 'open', total: { $gt: 10_000 } })
        .sort({ at: 1 })
        .limit(10)
        .toArray(),
    found: 'warning poor-targeting status_1_total_1',
  },
  {
    what: 'a page of a range, in the order of another field',
    run: (on) =>
      on
        .find({ price: { $gt: 100 } })
        .sort({ at: -1 })
        .limit(10)
        .toArray(),
    found: 'warning collection-scan at_-1',
  },
  {
    what: 'a page of the newest documents, in the order of another field',
    run: (on) =>
      on
        .find({ at: { $gt: new Date(1.7e12 + (DOCUMENTS - 100) * 1_000) } })
        .sort({ total: -1 })
        .limit(10)
        .toArray(),
    found: 'warning collection-scan at_1',
  },
  {
    what: 'a page of a beginning, in the order of another field',
    run: (on) =>
      on
        .find({ kind: /^kind599/ })
        .sort({ at: -1 })
        .limit(10)
        .toArray(),
    found: 'warning collection-scan kind_1',
  },
  {
    what: 'distinct values of all documents',
    run: (on) => on.distinct('status'),
    found: 'warning collection-scan status_1',
  },
  {
    what: 'distinct values of documents that have another',
    run: (on) => on.distinct('status', { kind: 'kind9' }),
    found: 'warning collection-scan kind_1_status_1',
  },
  {
    what: 'a count of what is tested on documents',
    index: { status: 1 },
    run: (on) => on.countDocuments({ status: 'open', total: { $gt: 9_995 } }),
    found: 'warning poor-targeting status_1_total_1',
  },
];

const GOOD: readonly { readonly what: string; readonly index?: Document; readonly run: Run }[] = [
  {
    what: 'a text search for rare words',
    index: { text: 'text' },
    run: (on) => on.find({ $text: { $search: 'word7' } }).toArray(),
  },
  {
    what: '$near of all',
    index: { place: '2dsphere' },
    run: (on) =>
      on
        .find({ place: { $near: { $geometry: NEAR } } })
        .limit(10)
        .toArray(),
  },
  {
    what: 'a range in front of another',
    index: { total: 1, at: 1 },
    run: (on) => on.find({ at: { $gt: new Date(1.7e12) }, total: { $gt: 9_995 } }).toArray(),
  },
  {
    what: 'ranges that most documents meet',
    index: { at: 1, total: 1 },
    run: (on) => on.find({ at: { $gt: new Date(1.7e12) }, total: { $gt: 100 } }).toArray(),
  },
  { what: 'distinct values of an index', index: { status: 1 }, run: (on) => on.distinct('status') },
];

/** A fifth of the documents. */
const ofMany: Run = (docs) => docs.find({ status: 'open', total: { $gt: 5_803 } }).toArray();

describe('narrowed searches', () => {
  const database = freshDatabase(client);
  const on = database.collection('docs');

  const recorded = async (run: Run) => {
    const checks = [collectionScan, poorTargeting, inMemorySort];
    const { findings, topShapes, entries } = await judgedRun(database, () => run(on), { only: on, times: 3, checks });
    const examined = entries.reduce(
      (sum, { docsExamined = 0, keysExamined = 0 }) => sum + Math.max(docsExamined as number, keysExamined as number),
      0,
    );
    return { findings, examined, why: topShapes?.[0]?.why };
  };

  const planted = async (index?: Document) => {
    await on.drop();
    await on.insertMany(Array.from({ length: DOCUMENTS }, (_, number) => document(number)));
    if (index !== undefined) await on.createIndex(index as Record<string, 1>);
  };

  it.each(BAD)(
    '$what: $found, and a tenth or less is examined as advised',
    async ({ index, run, asAdvised, found }) => {
      await planted(index);
      const before = await recorded(run);
      expect(before.findings.map(({ severity, check, path }) => `${severity} ${check} ${path}`)).toEqual([found]);
      if (before.findings[0]?.remedy.commands !== undefined) await runRemedies(client, before.findings);
      else
        for (const { code } of before.findings[0]?.remedy.steps ?? [])
          if (code !== undefined) await runShellCode(client, code);
      const after = await recorded(asAdvised ?? run);
      expect(after.findings).toEqual([]);
      expect(after.examined).toBeLessThanOrEqual(before.examined / 10);
    },
  );

  it.each(GOOD)('$what is no finding', async ({ index, run }) => {
    await planted(index);
    expect((await recorded(run)).findings).toEqual([]);
  });

  it.each<[string, Document, number]>([
    ['that nearly all have', { rank: 1 }, 0],
    ['that few have', { kind: 'kind7' }, 2],
  ])(
    'puts a field in front of the words of a sorted text search if it narrows it: a value %s',
    async (_, condition, steps) => {
      await planted({ text: 'text' });
      const { findings } = await recorded((docs) =>
        docs
          .find({ $text: { $search: 'common' }, ...condition })
          .sort({ at: 1 })
          .limit(5)
          .toArray(),
      );
      expect(findings.map(({ check }) => check)).toEqual(['in-memory-sort']);
      expect(findings[0]?.remedy.steps.filter(({ code }) => code !== undefined)).toHaveLength(steps);
    },
  );

  it('lets a tailable cursor read a capped collection, but not a search', async () => {
    const capped = await database.createCollection('log', { capped: true, size: 16 * 1024 * 1024 });
    await capped.insertMany(Array.from({ length: DOCUMENTS }, (_, number) => ({ channel: number % 2 })));
    const reported = async (run: () => Promise<unknown>) => {
      const checks = [collectionScan, poorTargeting, inMemorySort];
      const { findings, topShapes } = await judgedRun(database, run, { only: capped, times: 3, checks });
      return [findings.map(({ check }) => check), topShapes?.map(({ why }) => why)];
    };
    const tail = async () => {
      const cursor = capped.find({ channel: 2 }, { tailable: true });
      await cursor.tryNext();
      await cursor.close();
    };
    expect(await reported(tail)).toEqual([[], ['follows inserts']]);
    expect(await reported(() => capped.find({ channel: 2 }).toArray())).toEqual([['collection-scan'], [undefined]]);
  });

  it('says of a search that returns a fifth of what it reads that an index would narrow it, until it is there', async () => {
    await planted();
    expect(await recorded(ofMany)).toMatchObject({ findings: [], why: 'an index would narrow it' });
    await on.createIndex({ status: 1, total: 1 });
    expect(await recorded(ofMany)).toMatchObject({ findings: [], why: 'reads what it returns' });
  });

  it('says of a text search that is sorted that no index helps', async () => {
    await planted({ text: 'text' });
    const { findings } = await recorded((docs) =>
      docs
        .find({ $text: { $search: 'common' } })
        .sort({ at: 1 })
        .limit(5)
        .toArray(),
    );
    expect(findings.map(({ severity, check }) => [severity, check])).toEqual([['info', 'in-memory-sort']]);
  });
});
