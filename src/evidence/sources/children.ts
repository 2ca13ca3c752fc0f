import { childrenSchema } from '../../references/children/children.js';
import { present } from '../../presence.js';
import { collectChildren } from '../../references/children/collect-children.js';
import { FIND_DOCUMENTS } from '../privilege.js';
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
  schema: childrenSchema,
};
