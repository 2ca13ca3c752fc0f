import { z } from 'zod';
import { present } from '../../presence.js';
import { collectWorkload } from '../../workload/collect-workload.js';
import { CLUSTER, findOn } from '../privilege.js';
import type { ClusterSource } from '../source.js';
import type { Workload } from '../../workload/workload.js';
import { operationSchema, workloadRestSchema } from '../../workload/workload-schema.js';

export const workload: ClusterSource<'workload'> = {
  name: 'workload',
  restsOn: [],
  privileges: [
    { resource: CLUSTER, actions: ['getLog', 'serverStatus'] },
    findOn('', 'system.profile'),
    // Both, for one stage: measured on 6.0.27.
    { resource: CLUSTER, actions: ['queryStatsRead', 'queryStatsReadTransformed'], newerServersOnly: true },
  ],
  async collect({ reader, inventory, logFiles, since, showValues, lineOf }) {
    const { collections, known } = await inventory;
    const databases = [...new Set(collections.map(({ database }) => database))];
    const scope = { databases, collections: known, logFiles, since, showValues, lineOf };
    return present(await collectWorkload(reader, scope));
  },
  // A shape's brand is a matter of types, which no schema can give.
  schema: workloadRestSchema.extend({ operations: z.array(operationSchema) }) as unknown as z.ZodType<Workload>,
};
