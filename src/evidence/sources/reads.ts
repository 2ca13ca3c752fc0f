import { absent, present } from '../../presence.js';
import { objectShapeSchema, windowSchema } from '../schemas.js';
import type { CollectionSource } from '../source.js';

const NOT_READ = absent('insufficient', 'no enabled check asked for the workload.');

export const reads: CollectionSource<'reads'> = {
  name: 'reads',
  restsOn: ['readsByCollection'],
  possibleOn: ['collection'],
  privileges: [],
  async collect({ collection: { namespace }, ofCluster }) {
    const all = (await ofCluster('readsByCollection')) ?? NOT_READ;
    if (!all.present) return all;
    const ofCollection = all.value.get(namespace);
    return ofCollection === undefined
      ? absent('insufficient', `no source of operations shows a read or a write of ${namespace}.`)
      : present(ofCollection);
  },
  schema: (z) =>
    z.strictObject({
      source: z.enum(['profiler', 'queryStats', 'logFile', 'recentLog', 'routerLog']),
      coverage: z.strictObject({
        operations: z.enum(['all', 'slow', 'part', 'none', 'unknown']),
        slowMilliseconds: z.number().nullable(),
        sampleRate: z.number().exactOptional(),
        window: windowSchema(z).nullable(),
      }),
      executions: z.number(),
      reads: z.array(
        z.strictObject({
          stages: z.array(objectShapeSchema(z)),
          executions: z.number(),
          slices: z.record(z.string(), z.strictObject({ first: z.number(), last: z.number() })),
        }),
      ),
      writes: z.number().exactOptional(),
      inserts: z.number().exactOptional(),
      deletes: z.number().exactOptional(),
    }),
};
