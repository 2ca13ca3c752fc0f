import { present } from '../../presence.js';
import { traceWorkload } from '../../workload/traced-workload.js';
import type { ClusterSource } from '../source.js';

export const tracedWorkload: ClusterSource<'tracedWorkload'> = {
  name: 'tracedWorkload',
  restsOn: ['workload'],
  privileges: [],
  async collect({ of }) {
    const workload = await of('workload');
    return workload.present ? present(traceWorkload(workload.value)) : workload;
  },
};
