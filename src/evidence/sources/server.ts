import { present } from '../../presence.js';
import type { ClusterSource } from '../source.js';

export const server: ClusterSource<'server'> = {
  name: 'server',
  restsOn: [],
  privileges: [],
  collect: ({ cluster }) => present({ version: cluster.version }),
  schema: (z) => z.strictObject({ version: z.string() }),
};
