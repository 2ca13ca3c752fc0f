import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** Indexes whose filter or order of fields does not fit the queries. */
export const INDEX_KEYS: readonly Incident[] = [
  {
    name: 'fishtest-finished-runs',
    source: 'https://github.com/official-stockfish/fishtest/pull/2584',
    why: 'A condition was added to the filter of a partial index; two queries do not name it, and have scanned and sorted all runs since.',
    faults: [
      {
        what: 'Finished runs by last_updated: the partial index { finished, last_updated } demands deleted: false, which these queries do not say.',
        collection: 'runs',
        about: 'last_updated',
        severity: 'warning',
        cure: 'db.runs.createIndex({ finished: 1, last_updated: -1, deleted: 1 }, { partialFilterExpression: { finished: true } })',
      },
    ],
    async plant(p) {
      await p.fill(
        'runs',
        p.times(9_000, (index) => {
          const finished = index % 150 !== 149;
          const green = finished && p.random.chance(0.2);
          return {
            _id: numbered(p, index),
            args: {
              username: `user-${p.heavyTailed(1, 400)}`,
              new_tag: p.word(),
              base_tag: 'master',
              tc: p.random.choose(['10+0.1', '60+0.6']),
              msg_base: p.words(6),
              info: p.words(p.random.between(2, 25)),
            },
            tc_base: p.random.choose([10, 10, 10, 60]),
            start_time: new Date(p.now - 400 * DAY + index * HOUR),
            last_updated: new Date(p.now - 399 * DAY + index * HOUR),
            finished,
            deleted: finished && p.random.chance(0.09),
            is_green: green,
            is_yellow: finished && !green && p.random.chance(0.2),
            results: { wins: p.random.below(9_000), losses: p.random.below(9_000), draws: p.random.below(30_000) },
            tasks: p.times(p.heavyTailed(2, 60), () => ({
              num_games: 200,
              active: false,
              worker_info: { username: p.word(), concurrency: p.random.between(1, 64) },
            })),
          };
        }),
      );
      const runs = p.database.collection('runs');
      await runs.createIndex(
        { finished: 1 },
        { name: 'unfinished_runs', partialFilterExpression: { finished: false } },
      );
      const partial = (name: string, key: Record<string, 1 | -1>, filter: object) =>
        runs.createIndex(key, { name, partialFilterExpression: { finished: true, deleted: false, ...filter } });
      await partial('finished_runs', { finished: 1, last_updated: -1 }, {});
      await partial('finished_green_runs', { finished: 1, is_green: -1, last_updated: -1 }, { is_green: true });
      await partial('finished_yellow_runs', { finished: 1, is_yellow: -1, last_updated: -1 }, { is_yellow: true });
      await runs.createIndex({ 'args.username': -1, last_updated: -1 }, { name: 'user_runs' });
    },
    async use(database, p) {
      const runs = database.collection('runs');
      const newest = { last_updated: -1 } as const;
      await repeat(20, async () => {
        // The walk ends at the first run that was counted before.
        const walk = runs.find({ finished: true }).sort(newest).batchSize(44);
        for (let seen = 0; seen < 44 && (await walk.next()) !== null; seen += 1);
        await walk.close();
      });
      await repeat(60, (index) => {
        const day = p.now - p.random.between(30, 60) * DAY;
        const last_updated = { $gte: new Date(day), $lt: new Date(day + DAY) };
        return runs
          .find({ finished: true, deleted: index % 2 === 0, last_updated }, { projection: { _id: 1 } })
          .toArray();
      });
      await repeat(180, (index) =>
        runs
          .find({ finished: true, deleted: false })
          .sort(newest)
          .skip(25 * (index % 3))
          .limit(25)
          .toArray(),
      );
      const green = { finished: true, deleted: false, is_green: true };
      await repeat(80, () => runs.find(green).sort(newest).limit(25).toArray());
      await repeat(80, (index) =>
        runs
          .find({ 'args.username': `user-${1 + (index % 40)}` })
          .sort(newest)
          .limit(25)
          .toArray(),
      );
      await repeat(160, () => runs.find({ finished: false }, { projection: { tasks: 0 } }).toArray());
      await repeat(200, (index) =>
        runs.updateOne(
          { _id: numbered(p, 149 + 150 * (index % 60)) },
          { $set: { last_updated: new Date(p.now + index * MINUTE), 'results.wins': p.random.below(9_000) } },
        ),
      );
    },
  },
  {
    name: 'stevejobs-poll',
    source: 'https://github.com/msavin/SteveJobs/pull/117',
    why: 'The index begins with the due time, a range; name and state are equalities: an idle poll walks the keys of all jobs that ever ran.',
    faults: [
      {
        what: 'Polls by name and state with due < now use { due: 1, state: 1 } and examine thousands of keys to return nothing.',
        collection: 'jobs_data',
        about: 'due',
        severity: 'warning',
        cure: 'db.jobs_data.createIndex({ name: 1, state: 1, priority: -1, due: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'jobs_data',
        p.times(12_000, (index) => {
          const age = Math.floor(((12_000 - index) / 12_000) * 60 * DAY);
          const state = index >= 11_300 || index % 90 === 0 ? 'pending' : index % 70 === 0 ? 'failure' : 'success';
          // What is pending is due later, but for a backlog of one kind.
          const backlog = state === 'pending' && index < 11_300;
          return {
            _id: `${p.word()}${index}`,
            name: backlog ? 'computePerimeter' : `job-${p.random.below(25)}`,
            state,
            due: new Date(state === 'pending' && !backlog ? p.now + p.random.between(1, 20) * DAY : p.now - age),
            created: new Date(p.now - age - HOUR),
            priority: p.random.choose([0, 0, 0, 5]),
            arguments: [{ userId: p.word(), text: p.words(p.random.between(1, 20)) }],
            history: state === 'pending' ? [] : [{ date: p.date(age), state, serverId: p.word() }],
          };
        }),
      );
      await p.database.collection('jobs_data').createIndex({ due: 1, state: 1 });
    },
    async use(database, p) {
      const jobs = database.collection<{ _id: string; state: string }>('jobs_data');
      await repeat(300, (index) =>
        jobs.findOne(
          {
            name: `job-${index % 25}`,
            due: { $lt: new Date(p.now + index) },
            state: 'pending',
            history: { $not: { $elemMatch: { state: 'failure', serverId: 'QepwLZNd3Z6ipAgX8' } } },
          },
          { sort: { priority: -1, due: 1 } },
        ),
      );
      await repeat(120, async (index) => {
        const _id = `new${index}`;
        const due = new Date(p.now + p.random.below(HOUR));
        const job = { state: 'pending', name: `job-${index % 25}`, due, priority: 0, arguments: [], history: [] };
        await jobs.insertOne({ _id, ...job });
        const entry = { date: new Date(p.now + index), state: 'success', serverId: 'QepwLZNd3Z6ipAgX8' };
        await jobs.updateOne({ _id }, { $set: { state: 'success' }, $push: { history: entry } as never });
      });
    },
  },
];
