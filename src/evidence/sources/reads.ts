import { absent, present } from '../../presence.js';
import { collectionReadsSchema } from '../../workload/reads/collection-reads.js';
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
  schema: collectionReadsSchema,
};
