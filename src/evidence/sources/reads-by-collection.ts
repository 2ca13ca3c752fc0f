import { present } from '../../presence.js';
import { readsByCollection as readsOf } from '../../workload/reads/collection-reads.js';
import type { ClusterSource } from '../source.js';

export const readsByCollection: ClusterSource<'readsByCollection'> = {
  name: 'readsByCollection',
  restsOn: ['tracedWorkload'],
  privileges: [],
  async collect({ of }) {
    const workload = await of('tracedWorkload');
    return workload.present ? present(readsOf(workload.value)) : workload;
  },
};
