import { serverSchema } from '../server.js';
import { figureIn, neededFigure } from '../../connect/answer.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import { absent, present, type Evidence } from '../../presence.js';
import { CLUSTER } from '../privilege.js';
import type { ClusterSource } from '../source.js';

/** Systems allow a process 1,024 open files or more. So many collections, each with an index on `_id`, are 80 % of that. */
const FEWEST_COLLECTIONS = 410;

export const server: ClusterSource<'server'> = {
  name: 'server',
  restsOn: [],
  privileges: [{ resource: CLUSTER, actions: ['hostInfo'] }],
  async collect({ reader, cluster, inventory }) {
    const { known, unlisted, named } = await inventory;
    const collections = known.filter(({ kind }) => kind !== 'view').length;
    return present({
      version: cluster.version,
      ...(unlisted.length === 0 && !named && { collections }),
      ...(collections >= FEWEST_COLLECTIONS && { openFilesLimit: await openFilesLimit(reader) }),
    });
  },
  schema: serverSchema,
};

async function openFilesLimit(reader: ClusterReader): Promise<Evidence<number>> {
  if (reader.capabilities.isRouter)
    return absent('unsupported', 'mongos reports its own limit of open files, not that of the shards.');
  try {
    const answer = await reader.withReadPreference('primaryPreferred').command('admin', { hostInfo: 1 });
    // The manual has `extra`; MongoDB 6.0.5 answers with another `extra` in it.
    return present(
      figureIn(answer, 'extra.maxOpenFiles') ?? neededFigure('hostInfo', answer, 'extra.extra.maxOpenFiles'),
    );
  } catch (error) {
    const privilege = 'hostInfo on the cluster, as in the role clusterMonitor';
    return absentBecause(error, 'reading how many files the server may open', privilege);
  }
}
