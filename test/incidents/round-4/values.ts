import { DAY, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** Values of another type than their readers think, and documents that are there twice. */
export const VALUES: readonly Incident[] = [
  {
    name: 'kubevela-default-workflow',
    source: 'https://github.com/kubevela/kubevela/issues/5263',
    why: 'Filters come from a map of strings, so a boolean is compared with "true": the default workflow of an application is never found.',
    faults: [
      {
        what: 'default is a boolean in every workflow; the query compares it with a string, and returns nothing.',
        collection: 'vela_workflow',
        about: 'default',
        severity: 'warning',
        cure: 'Compare with true, not with "true"',
      },
      {
        what: 'Every read and write of an entity finds it by _name, which nothing indexes.',
        collection: 'vela_workflow',
        about: '_name',
        severity: 'warning',
        cure: 'db.vela_workflow.createIndex({ _name: 1 }, { unique: true })',
      },
      {
        what: 'The workflows of an application are found by a scan of all.',
        collection: 'vela_workflow',
        about: 'appprimarykey',
        severity: 'warning',
        cure: "db.vela_workflow.createIndex({ appprimarykey: 1, 'basemodel.createtime': -1 })",
      },
    ],
    async plant(p) {
      await p.fill(
        'vela_workflow',
        p.times(2_600, (index) => ({
          _id: p.id(),
          _name: `app-${Math.floor(index / 3)}-workflow-${index % 3}`,
          basemodel: { createtime: p.date(200 * DAY - index * MINUTE), updatetime: p.date(90 * DAY) },
          name: `workflow-${index % 3}`,
          alias: p.words(2),
          description: p.words(p.random.between(0, 12)),
          default: index % 3 === 0,
          appprimarykey: `app-${Math.floor(index / 3)}`,
          envname: p.random.choose(['dev', 'staging', 'prod']),
          steps: p.times(p.random.between(1, 6), () => ({
            name: p.word(),
            type: p.random.choose(['deploy', 'suspend', 'notification']),
            dependson: [],
          })),
        })),
      );
    },
    async use(database, p) {
      const workflows = database.collection('vela_workflow');
      const name = () => `app-${p.random.below(860)}-workflow-${p.random.below(3)}`;
      await repeat(150, () =>
        workflows.find({ appprimarykey: `app-${p.random.below(860)}`, default: 'true' }).toArray(),
      );
      await repeat(250, () => workflows.findOne({ _name: name() }));
      await repeat(150, () =>
        workflows
          .find({ appprimarykey: `app-${p.random.below(860)}` })
          .sort({ 'basemodel.createtime': -1 })
          .toArray(),
      );
      await repeat(120, (index) =>
        workflows.updateOne(
          { _name: name() },
          { $set: { description: p.words(5), 'basemodel.updatetime': new Date(p.now + index) } },
        ),
      );
    },
  },
  {
    name: 'rubedo-application-log',
    source: 'https://github.com/WebTales/rubedo/issues/1475',
    why: 'The log got an index that expires its entries, on a time that is stored as text: nothing is ever deleted.',
    faults: [
      {
        what: 'expireAfterSeconds on datetime, which is a string in all 22,000 entries of a year: they stay for good.',
        collection: 'ApplicationLog',
        about: 'datetime',
        severity: 'warning',
        cure: 'Store datetime as a date, and convert what is there: $set { datetime: { $toDate: "$datetime" } }',
      },
    ],
    async plant(p) {
      const written = (age: number) => p.date(age).toISOString().replace('T', ' ').slice(0, 19);
      await p.fill(
        'ApplicationLog',
        p.times(22_000, (index) => ({
          _id: numbered(p, index),
          message: p.random.choose(['login succeeded', 'content updated', 'media uploaded', `${p.words(3)} failed`]),
          context: {
            user: { id: `user-${p.random.below(400)}`, login: p.word() },
            ip: `10.0.${p.random.below(9)}.${p.random.below(250)}`,
            data: p.words(p.random.between(0, 14)),
          },
          level: p.random.choose([200, 200, 200, 300, 400]),
          channel: 'application',
          datetime: written((22_000 - index) * 24 * MINUTE),
          extra: [],
        })),
      );
      await p.fill(
        'Contents',
        p.times(3_000, (index) => ({
          _id: numbered(p, index),
          typeId: `type-${index % 14}`,
          workspace: { text: p.words(5), fields: { body: p.words(p.heavyTailed(20, 300)) } },
          lastUpdateTime: Math.floor(p.date().getTime() / 1_000),
        })),
      );
      await p.database.collection('ApplicationLog').createIndex({ datetime: 1 }, { expireAfterSeconds: 2_592_000 });
      await p.database.collection('Contents').createIndex({ typeId: 1, lastUpdateTime: -1 });
    },
    async use(database, p) {
      const log = database.collection('ApplicationLog');
      await repeat(300, (index) =>
        log.insertOne({
          message: 'content updated',
          context: { user: { id: `user-${p.random.below(400)}`, login: p.word() } },
          level: 200,
          channel: 'application',
          datetime: new Date(p.now + index * 1_000).toISOString().replace('T', ' ').slice(0, 19),
          extra: [],
        }),
      );
      await repeat(80, (index) =>
        log
          .find({})
          .sort({ datetime: -1 })
          .skip(25 * (index % 3))
          .limit(25)
          .toArray(),
      );
      const contents = database.collection('Contents');
      await repeat(300, () => contents.findOne({ _id: numbered(p, p.random.below(3_000)) }));
      await repeat(150, () =>
        contents
          .find({ typeId: `type-${p.random.below(14)}` })
          .sort({ lastUpdateTime: -1 })
          .limit(20)
          .toArray(),
      );
    },
  },
  {
    name: 'gaia-tool-shapes',
    source: 'https://github.com/theexperiencecompany/gaia/pull/1198',
    why: 'What a tool answers with is observed and upserted by scope and name without a unique index; maps that tools key by data become fields without end.',
    faults: [
      {
        what: 'Two first observations at once insert two records: some tools have two, each with a part of the calls.',
        collection: 'tool_output_shapes',
        about: 'tool_name',
        severity: 'warning',
        cure: 'db.tool_output_shapes.createIndex({ scope: 1, tool_name: 1 }, { unique: true })',
      },
      {
        what: 'Shapes of tools that answer with a map have a property for each key that was ever seen.',
        collection: 'tool_output_shapes',
        about: 'properties',
        severity: 'warning',
        cure: 'Recognise a map, and keep one shape for all of its values',
      },
    ],
    async plant(p) {
      const property = () => ({
        type: p.random.choose(['string', 'integer', 'boolean', 'array']),
        seen: p.random.below(90),
      });
      const tool = (index: number) => {
        const map = index % 4 === 1;
        const names = map
          ? p.times(p.heavyTailed(20, 500), () => `msg_${p.random.below(2 ** 31).toString(36)}`)
          : p.times(6, (number) => ['id', 'title', 'url', 'items', 'status', 'next_page'][number]!);
        return {
          scope: `user-${Math.floor(index / 12)}`,
          tool_name: `TOOL_${index % 12}`,
          shape: { type: 'object', properties: Object.fromEntries(names.map((each) => [each, property()])) },
          call_count: p.heavyTailed(1, 900),
          last_observed_at: p.date(60 * DAY),
        };
      };
      // Every fortieth is there twice.
      await p.fill(
        'tool_output_shapes',
        p.times(3_000, (index) => ({ _id: numbered(p, index), ...tool(index % 40 === 39 ? index - 1 : index) })),
      );
    },
    async use(database, p) {
      const shapes = database.collection('tool_output_shapes');
      await repeat(150, (index) => {
        const key = { scope: `user-${p.random.below(280)}`, tool_name: `TOOL_${p.random.below(12)}` };
        const observe = () =>
          shapes.updateOne(
            key,
            {
              $inc: { call_count: 1 },
              $set: {
                [`shape.properties.msg_${p.random.below(2 ** 31).toString(36)}`]: { type: 'string', seen: 1 },
                last_observed_at: new Date(p.now + index),
              },
            },
            { upsert: true },
          );
        return Promise.all([observe(), observe()]);
      });
      await repeat(300, () =>
        shapes.findOne({ scope: `user-${p.random.below(250)}`, tool_name: `TOOL_${p.random.below(12)}` }),
      );
      await repeat(100, () => shapes.find({ scope: `user-${p.random.below(250)}` }).toArray());
    },
  },
];
