import { DAY, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

const specOf = (number: number) => `cypress/integration/${number % 60}.spec.ts`;

/** Requests that cost more with all that was ever stored. */
export const HISTORIES: readonly Incident[] = [
  {
    name: 'bike4mind-lake-memory',
    source: 'https://github.com/Bike4Mind/bike4mind/issues/2088',
    why: 'The ids of all files of a lake go into one find without a projection; the cap of a hundred files is applied after all came, with content and vectors.',
    faults: [
      {
        what: 'Files are read whole, content and vector with them, where every other read leaves these out.',
        collection: 'fabfiles',
        about: 'content',
        severity: 'warning',
        cure: 'A page of the live members, sorted and limited by the server, with the three fields that are used',
      },
    ],
    async plant(p) {
      const prose = p.words(6_000);
      await p.fill(
        'fabfiles',
        p.times(900, (index) => ({
          _id: numbered(p, index),
          userId: `user-${index % 45}`,
          fileName: `${p.word()}-${index}.md`,
          mimeType: p.random.choose(['text/markdown', 'application/pdf', 'text/html']),
          fileSize: p.heavyTailed(4_000, 90_000),
          tags: [{ name: `datalake:lake-${index % 6}` }, ...p.times(p.random.below(4), () => ({ name: p.word() }))],
          status: 'complete',
          content: prose.slice(0, p.heavyTailed(8_000, prose.length)),
          vector: p.times(384, () => p.random.next() - 0.5),
          deletedAt: p.random.chance(0.2) ? p.date(90 * DAY) : null,
          createdAt: p.date(300 * DAY - index * MINUTE),
        })),
      );
      await p.fill(
        'datalakes',
        p.times(6, (index) => ({ _id: numbered(p, index), slug: `lake-${index}`, status: 'active' })),
      );
      await p.database.collection('fabfiles').createIndex({ userId: 1, createdAt: -1 });
      await p.database.collection('fabfiles').createIndex({ 'tags.name': 1 });
    },
    async use(database, p) {
      const files = database.collection('fabfiles');
      const projection = { content: 0, vector: 0 };
      await repeat(30, async (index) => {
        const lake = { 'tags.name': `datalake:lake-${index % 6}` };
        const ids = await files.find(lake, { projection: { _id: 1 } }).toArray();
        await files.find({ _id: { $in: ids.map(({ _id }) => _id) } }).toArray();
      });
      await repeat(300, () =>
        files
          .find({ userId: `user-${p.random.below(45)}` }, { projection })
          .sort({ createdAt: -1 })
          .limit(30)
          .toArray(),
      );
      await repeat(250, () => files.findOne({ _id: numbered(p, p.random.below(900)) }, { projection }));
      await repeat(80, (index) =>
        files.updateOne({ _id: numbered(p, index * 11) }, { $set: { updatedAt: new Date(p.now + index) } }),
      );
    },
  },
  {
    name: 'sorry-cypress-spec-stats',
    source: 'https://github.com/sorry-cypress/sorry-cypress/issues/438',
    why: 'The page of a run asks for the average of each of its specs by an aggregation of its own; the index on spec made each faster, and the page still takes 7 s.',
    faults: [
      {
        what: 'Thirty aggregations a page, one for each spec, each reading the whole history of that spec.',
        collection: 'instances',
        about: 'spec',
        severity: 'warning',
        cure: 'One aggregation for the specs of the run: $match { spec: { $in: [...] } }, $group by spec',
      },
    ],
    async plant(p) {
      await p.fill(
        'instances',
        p.times(12_000, (index) => ({
          _id: numbered(p, index),
          instanceId: `instance-${index}`,
          runId: `run-${Math.floor(index / 30)}`,
          spec: specOf(index * 7),
          groupId: p.word(),
          results: {
            stats: {
              tests: p.random.between(1, 20),
              passes: p.random.between(1, 20),
              failures: p.random.below(2),
              wallClockDuration: p.heavyTailed(4_000, 300_000),
            },
            tests: p.times(p.heavyTailed(1, 20), () => ({ title: [p.words(3)], state: 'passed', attempts: 1 })),
          },
        })),
      );
      await p.fill(
        'runs',
        p.times(400, (index) => ({
          _id: numbered(p, index),
          runId: `run-${index}`,
          createdAt: new Date(p.now - (400 - index) * 40 * MINUTE).toISOString(),
          meta: { ciBuildId: `build-${index}`, projectId: `project-${index % 3}` },
          specs: p.times(30, (number) => ({ spec: specOf((index * 30 + number) * 7), claimed: true })),
        })),
      );
      await p.database.collection('instances').createIndex({ instanceId: 1 }, { unique: true });
      await p.database.collection('instances').createIndex({ spec: 1 });
      await p.database.collection('runs').createIndex({ runId: 1 }, { unique: true });
      await p.database.collection('runs').createIndex({ 'meta.ciBuildId': 1 });
    },
    async use(database, p) {
      const runs = database.collection<{ runId: string; specs: { spec: string }[] }>('runs');
      const instances = database.collection('instances');
      await repeat(15, async () => {
        const run = await runs.findOne({ runId: `run-${p.random.below(400)}` });
        for (const { spec } of run?.specs ?? [])
          await instances
            .aggregate([
              { $match: { spec, 'results.error': { $exists: false } } },
              {
                $group: {
                  _id: '$spec',
                  count: { $sum: 1 },
                  avgWallClockDuration: { $avg: '$results.stats.wallClockDuration' },
                },
              },
            ])
            .toArray();
      });
      await repeat(150, () => instances.findOne({ instanceId: `instance-${p.random.below(12_000)}` }));
      await repeat(120, () =>
        instances.updateOne(
          { instanceId: `instance-${p.random.below(12_000)}` },
          { $set: { 'results.stats.wallClockDuration': p.heavyTailed(4_000, 300_000) } },
        ),
      );
      await repeat(120, (index) =>
        runs.updateOne({ runId: `run-${index}` }, { $set: { 'specs.3.claimed': index % 2 === 0 } as never }),
      );
    },
  },
  {
    name: 'lichess-ten-thousandth-game',
    source: 'https://github.com/lichess-org/lila/issues/4172',
    why: 'The ten thousandth last game of a player is asked for: nothing for most, and 10,377 documents for those who play much, 5 s on the primary.',
    faults: [
      {
        what: 'skip: 9999 reads all games it skips; one in thirty requests is for a player who has that many.',
        collection: 'game5',
        about: 'skip',
        severity: 'warning',
        cure: 'Remember the date where the last ten thousand games begin, or count within a bound of time',
      },
    ],
    async plant(p) {
      await p.fill(
        'game5',
        p.times(23_000, (index) => {
          const busy = index % 23 < 11 ? 'tryhardinq' : index % 23 < 22 ? 'bearjr' : `player-${p.random.below(1_500)}`;
          return {
            _id: index.toString(36).padStart(8, '0'),
            us: [busy, `player-${p.heavyTailed(40, 1_500)}`],
            s: p.random.choose([30, 31, 35, 35, 36]),
            t: p.random.between(3, 140),
            c: p.word(),
            ra: p.random.chance(0.97),
            so: 1,
            ca: new Date(p.now - (23_000 - index) * 15 * MINUTE),
            ua: new Date(p.now - (23_000 - index) * 15 * MINUTE + 8 * MINUTE),
            hp: p.words(p.random.between(3, 12)),
          };
        }),
      );
      await p.database.collection('game5').createIndex({ ca: -1 });
      await p.database.collection('game5').createIndex({ us: 1, ca: -1 });
    },
    async use(database, p) {
      const games = database.collection<{ _id: string }>('game5');
      await repeat(300, (index) => {
        const player = index % 30 === 7 ? (index % 60 === 7 ? 'tryhardinq' : 'bearjr') : `player-${40 + (index % 900)}`;
        return games
          .find({
            us: player,
            ra: true,
            s: { $gte: 30 },
            t: { $gt: 2 },
            v: { $ne: 3 },
            $or: [{ v: { $ne: 8 } }, { ca: { $gt: new Date(1_428_746_400_000) } }],
          } as never)
          .sort({ ca: -1 })
          .skip(9_999)
          .limit(1)
          .toArray();
      });
      await repeat(250, () =>
        games
          .find({ us: `player-${p.heavyTailed(40, 1_500)}` } as never)
          .sort({ ca: -1 })
          .limit(10)
          .toArray(),
      );
      await repeat(250, () => games.findOne({ _id: p.random.below(23_000).toString(36).padStart(8, '0') }));
      await repeat(100, (index) =>
        games.updateOne({ _id: (index * 200).toString(36).padStart(8, '0') }, { $set: { t: index, s: 30 } } as never),
      );
    },
  },
];
