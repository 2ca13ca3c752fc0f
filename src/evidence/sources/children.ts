import { ageGrowthSchema } from '../../growth/growth.js';
import { present } from '../../presence.js';
import { collectChildren } from '../../references/children/collect-children.js';
import { FIND_DOCUMENTS } from '../privilege.js';
import { gapsSchema } from '../schemas.js';
import type { ClusterSource } from '../source.js';

export const children: ClusterSource<'children'> = {
  name: 'children',
  restsOn: ['fieldTypes', 'indexes', 'storage', 'tracedWorkload'],
  privileges: [FIND_DOCUMENTS],
  async collect({ reader, collections, concurrency, of }) {
    const workload = await of('tracedWorkload');
    if (!workload.present) return workload;
    return present(await collectChildren(reader, workload.value, collections, concurrency));
  },
  schema(z) {
    const middleAndMost = z.strictObject({ median: z.number(), most: z.number() });
    return z.strictObject({
      families: z.array(
        z.strictObject({
          parent: z.string(),
          child: z.string(),
          path: z.string(),
          families: z.number(),
          complete: z.boolean(),
          childrenSeen: z.number(),
          isByChance: z.literal(true).exactOptional(),
          children: middleAndMost,
          countedTo: z.number().nullable(),
          bytes: middleAndMost,
          orphans: z.number(),
          growth: ageGrowthSchema(z).nullable(),
        }),
      ),
      gaps: gapsSchema(z),
    });
  },
};
