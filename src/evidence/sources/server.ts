import { present } from '../../presence.js';
import type { ClusterSource } from '../source.js';

export const server: ClusterSource<'server'> = {
  name: 'server',
  restsOn: [],
  privileges: [],
  async collect({ cluster, inventory }) {
    const { known, unlisted, named } = await inventory;
    const collections = known.filter(({ kind }) => kind !== 'view').length;
    return present({ version: cluster.version, ...(unlisted.length === 0 && !named && { collections }) });
  },
  schema: (z) => z.strictObject({ version: z.string(), collections: z.number().exactOptional() }),
};
