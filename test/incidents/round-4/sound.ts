import { HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** What looks alarming, and is right: the thread says why. */
export const SOUND: readonly Incident[] = [
  {
    name: 'nvsentinel-backlog',
    source: 'https://github.com/NVIDIA/NVSentinel/issues/1591',
    why: 'At its start a service scans all health events for the unfinished ones: it wants the whole backlog, two thirds of them, and indexes made that slower.',
    faults: [],
    async plant(p) {
      // Events expire after 30 days by the clock of the server.
      const now = Date.now();
      await p.fill(
        'HealthEvents',
        p.times(6_000, (index) => {
          const finished = p.random.chance(0.34);
          return {
            _id: numbered(p, index),
            createdAt: new Date(now - (6_000 - index) * 3 * MINUTE),
            healthevent: {
              nodename: `gpu-node-${p.random.below(270)}`,
              agent: 'gpu-health-monitor',
              checkname: p.random.choose(['GpuXidError', 'GpuThermalWatch', 'NVLinkDown']),
              isfatal: p.random.chance(0.3),
              message: p.words(p.random.between(6, 30)),
            },
            healtheventstatus: {
              nodequarantined: p.random.choose(['Quarantined', 'AlreadyQuarantined']),
              userpodsevictionstatus: { status: p.random.choose(['Succeeded', 'AlreadyDrained']) },
              faultremediated: finished ? true : null,
            },
          };
        }),
      );
      const events = p.database.collection('HealthEvents');
      await events.createIndex({ createdAt: 1 }, { expireAfterSeconds: 2_592_000 });
      await events.createIndex({ 'healthevent.nodename': 1, createdAt: -1 });
    },
    async use(database, p) {
      const events = database.collection('HealthEvents');
      const status = 'healtheventstatus';
      await repeat(4, () =>
        events
          .find({
            $or: [
              {
                [`${status}.nodequarantined`]: { $in: ['Quarantined', 'AlreadyQuarantined'] },
                [`${status}.userpodsevictionstatus.status`]: { $in: ['Succeeded', 'AlreadyDrained'] },
                [`${status}.faultremediated`]: null,
              },
              {
                [`${status}.nodequarantined`]: { $in: ['UnQuarantined', 'Cancelled'] },
                [`${status}.faultremediated`]: null,
              },
            ],
          })
          .toArray(),
      );
      await repeat(300, () => events.findOne({ _id: numbered(p, p.random.below(6_000)) }));
      await repeat(150, () =>
        events
          .find({ 'healthevent.nodename': `gpu-node-${p.random.below(270)}` })
          .sort({ createdAt: -1 })
          .limit(20)
          .toArray(),
      );
      await repeat(300, () =>
        events.updateOne(
          { _id: numbered(p, p.random.below(6_000)) },
          { $set: { [`${status}.faultremediated`]: true } },
        ),
      );
    },
  },
  {
    name: 'dataset-viewer-jobs',
    source: 'https://github.com/huggingface/dataset-viewer/issues/1104',
    why: 'Most jobs of the queue are finished ones, kept for metrics: an index deletes them after ten minutes, and the polls do not see them.',
    faults: [],
    async plant(p) {
      // Finished jobs expire by the clock of the server.
      const now = Date.now();
      const statuses = ['waiting', 'success', 'success', 'success', 'error', 'cancelled'];
      await p.fill(
        'jobsBlue',
        p.times(8_500, (index) => {
          const status = index % 350 === 0 ? 'started' : p.random.choose(statuses);
          const finished = !['waiting', 'started'].includes(status);
          return {
            _id: numbered(p, index),
            type: `step-${p.random.below(20)}`,
            dataset: `dataset-${p.random.below(2_500)}`,
            revision: p.word() + p.word(),
            config: p.random.choose([null, 'default', p.word()]),
            split: p.random.choose([null, 'train', 'test']),
            namespace: `org-${p.random.below(900)}`,
            unicity_id: `${p.word()},${index}`,
            priority: p.random.choose(['normal', 'low', 'low']),
            status,
            difficulty: p.random.choose([20, 50, 70, 80]),
            created_at: new Date(now - HOUR - p.random.below(12 * HOUR)),
            ...(finished ? { finished_at: new Date(now - p.random.below(5 * MINUTE)) } : {}),
          };
        }),
      );
      const jobs = p.database.collection('jobsBlue');
      await jobs.createIndex({ type: 1, dataset: 1, revision: 1, config: 1, split: 1, status: 1, priority: 1 });
      await jobs.createIndex({ priority: 1, status: 1, created_at: 1, namespace: 1, difficulty: 1, unicity_id: 1 });
      await jobs.createIndex({ status: 1, type: 1 });
      await jobs.createIndex({ unicity_id: 1, status: 1 });
      await jobs.createIndex(
        { finished_at: 1 },
        { expireAfterSeconds: 600, partialFilterExpression: { status: { $in: ['success', 'error', 'cancelled'] } } },
      );
    },
    async use(database, p) {
      const jobs = database.collection('jobsBlue');
      await repeat(200, async (index) => {
        const priority = index % 3 === 0 ? 'normal' : 'low';
        const [next] = await jobs.find({ priority, status: 'waiting' }).sort({ created_at: 1 }).limit(1).toArray();
        if (next === undefined) return;
        await jobs.updateOne({ _id: next._id }, { $set: { status: 'started' } });
        const finished_at = new Date(Date.now());
        await jobs.updateOne({ _id: next._id }, { $set: { status: 'success', finished_at } });
      });
      await repeat(200, (index) =>
        jobs.insertOne({
          type: `step-${p.random.below(20)}`,
          dataset: `dataset-${p.random.below(2_500)}`,
          revision: p.word(),
          config: 'default',
          split: 'train',
          namespace: `org-${p.random.below(900)}`,
          unicity_id: `${p.word()},new${index}`,
          priority: 'normal',
          status: 'waiting',
          difficulty: 50,
          created_at: new Date(Date.now()),
        }),
      );
      await repeat(150, () =>
        jobs.find({ type: `step-${p.random.below(20)}`, dataset: `dataset-${p.random.below(2_500)}` }).toArray(),
      );
      await repeat(40, () => jobs.countDocuments({ status: 'started', type: `step-${p.random.below(20)}` }));
    },
  },
  {
    name: 'powersync-bucket-chunks',
    source: 'https://github.com/powersync-ja/powersync-service/pull/617',
    why: 'Thousands of operations are one array, up to 1 MB: a document for each made the index larger than the data. A chunk never changes, and is read whole.',
    faults: [],
    async plant(p) {
      const operation = (o: number) => ({
        o,
        op: p.random.choose(['PUT', 'PUT', 'PUT', 'REMOVE']),
        row_id: `row-${p.random.below(900_000)}`,
        checksum: p.random.below(2 ** 31),
        data: p.random.chance(0.8) ? JSON.stringify({ id: o, name: p.words(3), done: false }) : null,
      });
      let last = 0;
      const chunk = (bucket: string, count: number) => {
        const ops = p.times(count, () => operation((last += 1)));
        const size = ops.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
        return {
          _id: { b: bucket, o: last },
          min_op: last - count + 1,
          count,
          size,
          checksum: p.random.below(1e9),
          ops,
        };
      };
      await p.fill('bucket_data', [
        ...p.times(40, (index) => chunk(`global-${index % 5}`, p.random.between(1_200, 2_600))),
        ...p.times(1_500, (index) => chunk(`by_user-${index % 700}`, p.heavyTailed(1, 60))),
      ]);
      await p.fill(
        'bucket_state',
        p.times(705, (index) => ({
          _id: index < 5 ? `global-${index}` : `by_user-${index - 5}`,
          last_op: p.random.below(last),
          estimate: { count: p.random.below(9_000), bytes: p.random.below(1_000_000) },
        })),
      );
    },
    async use(database, p) {
      const chunks = database.collection<{ _id: { b: string; o: number } }>('bucket_data');
      const state = database.collection<{ _id: string; last_op: number }>('bucket_state');
      await repeat(400, (index) => {
        const bucket = index % 20 === 0 ? `global-${index % 5}` : `by_user-${p.random.below(700)}`;
        return chunks
          .find({ _id: { $gt: { b: bucket, o: 0 }, $lte: { b: bucket, o: 10_000_000 } } })
          .sort({ _id: 1 })
          .limit(4)
          .toArray();
      });
      await repeat(150, async (index) => {
        const bucket = `by_user-${p.random.below(700)}`;
        const o = 1_000_000 + index * 10;
        const ops = p.times(p.random.between(1, 9), (number) => ({ o: o + number, op: 'PUT', data: p.words(4) }));
        const chunk = { min_op: o, count: ops.length, size: 200, checksum: p.random.below(1e9), ops };
        await chunks.insertOne({ _id: { b: bucket, o: o + ops.length - 1 }, ...chunk });
        await state.updateOne({ _id: bucket }, { $set: { last_op: o + ops.length - 1 } });
      });
      await repeat(200, () => state.findOne({ _id: `by_user-${p.random.below(700)}` }));
    },
  },
  {
    name: 'lichess-challenge-sweep',
    source: 'https://github.com/lichess-org/lila/issues/6758',
    why: 'A sweep every few seconds names its index, which holds one challenge in sixty: those alone that can be swept.',
    faults: [],
    async plant(p) {
      await p.fill(
        'challenge',
        p.times(10_000, (index) => {
          const open = index % 60 === 59;
          const [from, to] = [p.random.below(1_800), p.random.below(1_800)];
          return {
            _id: index.toString(36).padStart(8, '0'),
            status: open ? 10 : p.random.choose([15, 20, 25, 30, 30]),
            variant: 1,
            ...(open || p.random.chance(0.8) ? { timeControl: { l: p.random.choose([60, 180, 600]), i: 0 } } : {}),
            mode: p.random.chance(0.5),
            challenger: { id: `player-${from}`, r: p.random.between(900, 2_400) },
            destUser: { id: `player-${to}`, r: p.random.between(900, 2_400) },
            createdAt: new Date(p.now - (10_000 - index) * 2 * MINUTE),
            ...(open ? { seenAt: new Date(p.now - p.random.below(MINUTE)) } : {}),
            expiresAt: new Date(p.now + 14 * 24 * HOUR - (10_000 - index) * 2 * MINUTE),
          };
        }),
      );
      const challenges = p.database.collection('challenge');
      await challenges.createIndex(
        { seenAt: 1 },
        { partialFilterExpression: { status: 10, timeControl: { $exists: true }, seenAt: { $exists: true } } },
      );
      await challenges.createIndex({ 'challenger.id': 1, createdAt: -1 });
      await challenges.createIndex({ 'destUser.id': 1, createdAt: -1 });
    },
    async use(database, p) {
      const challenges = database.collection<{ _id: string; seenAt?: Date }>('challenge');
      const id = () => p.random.below(10_000).toString(36).padStart(8, '0');
      await repeat(250, (index) =>
        challenges
          .find({
            status: 10,
            seenAt: { $lt: new Date(p.now - MINUTE + index * 10) },
            timeControl: { $exists: true },
          } as never)
          .hint({ seenAt: 1 })
          .limit(50)
          .toArray(),
      );
      await repeat(300, () => challenges.findOne({ _id: id() }));
      await repeat(150, () =>
        challenges
          .find({ 'destUser.id': `player-${p.random.below(1_800)}` } as never)
          .sort({ createdAt: -1 })
          .limit(10)
          .toArray(),
      );
      await repeat(150, () =>
        challenges
          .find({ 'challenger.id': `player-${p.random.below(1_800)}` } as never)
          .sort({ createdAt: -1 })
          .limit(10)
          .toArray(),
      );
      await repeat(300, (index) =>
        challenges.updateOne(
          { _id: (59 + 60 * (index % 166)).toString(36).padStart(8, '0') },
          { $set: { seenAt: new Date(p.now + index) } },
        ),
      );
    },
  },
];
