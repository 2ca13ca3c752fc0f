import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** Documents that grow, or are written whole. */
export const DOCUMENTS: readonly Incident[] = [
  {
    name: 'tyk-aggregates',
    source: 'https://github.com/TykTechnologies/tyk-pump/issues/164',
    why: 'An hour of analytics is one document with a counter under each API key and each tag: with tags that are request ids it passes 16 MB.',
    faults: [
      {
        what: 'Tags are keys: most hours have a few, some have thousands.',
        collection: 'tyk_analytics_aggregates',
        about: 'tags',
        severity: 'warning',
        cure: 'A document for each hour and tag: { orgid, timestamp, dimension, value, hits, ... }',
      },
      {
        what: 'API keys are keys of the document.',
        collection: 'tyk_analytics_aggregates',
        about: 'apikeys',
        severity: 'warning',
        cure: 'A document for each hour and API key: { orgid, timestamp, dimension, value, hits, ... }',
      },
    ],
    async plant(p) {
      const counter = (identifier: string) => ({
        hits: p.heavyTailed(1, 5_000),
        success: p.random.below(900),
        errortotal: p.random.below(30),
        requesttime: p.random.next() * 90,
        totalrequesttime: p.random.below(90_000),
        identifier,
        humanidentifier: '',
        lasttime: p.date(),
        maxlatency: p.random.below(4_000),
      });
      const counters = (count: number, key: () => string) =>
        Object.fromEntries(p.times(count, key).map((each) => [each, counter(each)]));
      await p.fill(
        'tyk_analytics_aggregates',
        p.times(500, (index) => ({
          _id: numbered(p, index * 12),
          orgid: 'org-5fd2',
          timestamp: new Date(p.now - (500 - index) * HOUR),
          expireAt: new Date(Date.UTC(2035, 0, 1)),
          timeid: { hour: index % 24 },
          apiid: counters(p.random.between(3, 9), () => `api${p.random.below(9)}`),
          apikeys: counters(p.heavyTailed(8, 90), () => `key${p.random.below(4_000).toString(16)}`),
          tags: counters(
            index % 120 === 60 ? p.random.between(4_500, 6_000) : p.heavyTailed(3, 60),
            () => `request-${p.random.below(2 ** 31).toString(36)}`,
          ),
          total: counter('total'),
        })),
      );
      const aggregates = p.database.collection('tyk_analytics_aggregates');
      await aggregates.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 });
      await aggregates.createIndex({ timestamp: 1 });
      await aggregates.createIndex({ orgid: 1 });
    },
    async use(database, p) {
      const aggregates = database.collection('tyk_analytics_aggregates');
      const one = (path: string) => ({ [`${path}.hits`]: 1, [`${path}.totalrequesttime`]: p.random.below(300) });
      await repeat(250, (index) => {
        const paths = [`apikeys.key${p.random.below(4_000).toString(16)}`, `apiid.api${p.random.below(9)}`, 'total'];
        const tag = `tags.request-${p.random.below(2 ** 31).toString(36)}`;
        return aggregates.findOneAndUpdate(
          { orgid: 'org-5fd2', timestamp: new Date(p.now - HOUR * (index % 2)) },
          {
            $inc: Object.assign({}, ...[...paths, tag].map(one)) as Record<string, number>,
            $set: { [`${tag}.lasttime`]: new Date(p.now + index * MINUTE) },
          },
          { upsert: true, projection: { _id: 1 } },
        );
      });
      await repeat(150, () => {
        const day = p.now - p.random.between(2, 19) * DAY;
        return aggregates
          .find(
            { orgid: 'org-5fd2', timestamp: { $gte: new Date(day), $lt: new Date(day + DAY) } },
            { projection: { apiid: 1, total: 1, timestamp: 1 } },
          )
          .toArray();
      });
    },
  },
  {
    name: 'browsertrix-crawl-logs',
    source: 'https://github.com/webrecorder/browsertrix/issues/2765',
    why: 'The log lines of a crawl are arrays in its document: long crawls approach 16 MB.',
    faults: [
      {
        what: 'behaviorLogs has no bound: a few hundred lines in most crawls, 20,000 in the long ones.',
        collection: 'crawls',
        about: 'behaviorLogs',
        severity: 'error',
        cure: 'A document for each line: db.crawl_logs.createIndex({ crawlId: 1, qaRunId: 1, timestamp: 1 })',
      },
    ],
    async plant(p) {
      const line = () =>
        JSON.stringify({
          timestamp: p.date().toISOString(),
          logLevel: p.random.choose(['info', 'info', 'debug', 'warn']),
          context: 'behaviorScript',
          message: p.words(4),
          details: { page: `https://example.org/${p.word()}/${p.word()}`, workerid: p.random.below(4) },
        });
      await p.fill(
        'crawls',
        p.times(700, (index) => ({
          _id: `crawl-${index}`,
          type: index % 12 === 0 ? 'upload' : 'crawl',
          oid: `org-${index % 20}`,
          cid: `config-${index % 90}`,
          state: index > 690 ? 'running' : p.random.choose(['complete', 'complete', 'complete', 'stopped_by_user']),
          started: new Date(p.now - (701 - index) * 10 * HOUR),
          finished: index > 690 ? null : new Date(p.now - (701 - index) * 10 * HOUR + HOUR),
          config: { seeds: [{ url: `https://example.org/${p.word()}` }], scopeType: 'prefix', limit: 0 },
          stats: { found: p.heavyTailed(5, 90_000), done: p.heavyTailed(5, 90_000) },
          files: p.times(p.heavyTailed(1, 12), () => ({ filename: `${p.word()}.wacz`, size: p.random.below(1e9) })),
          errors: p.times(p.random.below(6), line),
          behaviorLogs: p.times(
            [120, 395, 640, 695].includes(index) ? p.random.between(17_000, 22_000) : p.heavyTailed(4, 400),
            line,
          ),
        })),
      );
      const crawls = p.database.collection('crawls');
      await crawls.createIndex({ type: 1, oid: 1, finished: -1 });
      await crawls.createIndex({ cid: 1, state: 1 });
    },
    async use(database, p) {
      const crawls = database.collection<{ _id: string; behaviorLogs: string[]; errors: string[] }>('crawls');
      await repeat(200, (index) => {
        const lines = p.times(p.random.between(1, 12), () => JSON.stringify({ message: p.words(5), index }));
        return crawls.updateOne({ _id: `crawl-${691 + (index % 9)}` }, { $push: { behaviorLogs: { $each: lines } } });
      });
      await repeat(120, () =>
        crawls
          .aggregate([
            { $match: { type: 'crawl', oid: `org-${p.random.below(20)}` } },
            { $sort: { finished: -1 } },
            { $limit: 10 },
            { $unset: ['errors', 'behaviorLogs', 'config'] },
          ])
          .toArray(),
      );
      await repeat(150, () =>
        crawls.findOne({ _id: `crawl-${p.random.below(700)}` }, { projection: { state: 1, finished: 1 } }),
      );
      await repeat(60, () =>
        crawls.findOne({ _id: `crawl-${p.random.below(700)}` }, { projection: { behaviorLogs: { $slice: [0, 100] } } }),
      );
      await repeat(150, (index) =>
        crawls.updateOne({ _id: `crawl-${691 + (index % 9)}` }, { $set: { 'stats.done': index } as never }),
      );
    },
  },
  {
    name: 'sacred-runs',
    source: 'https://github.com/IDSIA/sacred/pull/404',
    why: 'Each heartbeat replaces the whole run, output and sources with it, and undoes what other programs changed in it meanwhile.',
    faults: [
      {
        what: 'Runs of 40 KB are replaced every ten seconds, for a new heartbeat and a few lines of output.',
        collection: 'runs',
        about: 'replace',
        severity: 'warning',
        cure: '$set of the heartbeat and of what changed',
        short: { told: 'info', why: 'by the average of all runs: those that are replaced are larger' },
      },
    ],
    async plant(p) {
      await p.fill(
        'runs',
        p.times(500, (index) => ({
          _id: index + 1,
          experiment: {
            name: p.random.choose(['mnist', 'imagenet', 'translation']),
            base_dir: `/home/${p.word()}/experiments`,
            sources: p.times(p.random.between(1, 5), () => [`${p.word()}.py`, p.id()]),
            dependencies: p.times(12, () => `${p.word()}==1.${p.random.below(30)}`),
          },
          command: 'main',
          config: { seed: p.random.below(1e9), lr: p.random.next() / 100, layers: p.random.between(2, 40) },
          host: { hostname: p.word(), os: ['Linux', 'Ubuntu'], cpu: p.words(4) },
          status: index >= 494 ? 'RUNNING' : p.random.choose(['COMPLETED', 'COMPLETED', 'FAILED', 'INTERRUPTED']),
          start_time: new Date(p.now - (500 - index) * 8 * HOUR),
          heartbeat: new Date(p.now - (500 - index) * 8 * HOUR + (index >= 494 ? 0 : 5 * HOUR)),
          captured_out: p.words(index >= 494 ? 5_000 : p.heavyTailed(300, 9_000)),
          info: { best: p.random.next() },
          artifacts: [],
          resources: [],
        })),
      );
      const runs = p.database.collection('runs');
      await runs.createIndex({ 'experiment.name': 1, start_time: -1 });
      await runs.createIndex({ status: 1, heartbeat: -1 });
    },
    async use(database, p) {
      const runs = database.collection<{ _id: number; heartbeat: Date; captured_out: string }>('runs');
      await repeat(6, async (active) => {
        const run = await runs.findOne({ _id: 495 + active });
        if (run === null) return;
        await repeat(20, (index) => {
          run.heartbeat = new Date(p.now + index * 10_000);
          run.captured_out += `\nstep ${index}: ${p.words(4)}`;
          return runs.replaceOne({ _id: run._id }, run, { upsert: true });
        });
      });
      const projection = { captured_out: 0, 'experiment.sources': 0 };
      await repeat(100, (index) =>
        runs
          .find({ 'experiment.name': p.random.choose(['mnist', 'translation']) } as never, { projection })
          .sort({ start_time: -1 })
          .limit(10 + (index % 3) * 10)
          .toArray(),
      );
      await repeat(150, () => runs.findOne({ _id: p.random.between(1, 500) }));
      await repeat(80, () =>
        runs.updateOne({ _id: p.random.between(1, 494) }, { $set: { notes: p.words(5) } as never }),
      );
    },
  },
];
