import { z } from 'zod';
import { ENGINES } from '../connect/engine.js';

export const CLUSTER_TIERS = ['self-managed', 'atlas', 'atlas-free-or-flex'] as const;

/** The cluster that a report is about. */
export const clusterSchema = z.strictObject({
  topology: z.enum(['standalone', 'replicaSet', 'sharded']).describe('How the cluster is built.'),
  version: z
    .string()
    .describe('The server\'s version, such as "6.0.5"; of another engine, the version of MongoDB that it resembles.'),
  tested: z
    .strictObject({
      oldest: z.string().describe('The oldest version that the tests of mongolint have run on.'),
      newest: z.string().describe('The newest one.'),
    })
    .optional()
    .describe('Present if the server is older or newer than any that mongolint was tested on.'),
  engine: z
    .strictObject({
      name: z
        .enum(ENGINES)
        .meta({ examples: [...ENGINES] })
        .describe('Who answered: MongoDB, or another engine that speaks its protocol; "unknown" if it is neither.'),
      version: z.string().nullable().describe('The version of another engine, such as "v1.24.2"; null if unknown.'),
      notJudgeable: z
        .array(z.string())
        .describe('Ids of the checks that could judge nothing, because the server does not support what they need.'),
    })
    .optional()
    .describe('The engine behind the protocol, and what of it could not be judged.'),
  name: z.string().nullable().describe('Name of the replica set; null for others. Hosts are never reported.'),
  tier: z
    .enum(CLUSTER_TIERS)
    .meta({ examples: [...CLUSTER_TIERS] })
    .nullable()
    .describe('Hosting of the cluster; null if that cannot be seen.'),
  readFrom: z
    .enum(['secondary', 'primary'])
    .nullable()
    .describe(
      'Kind of node that the documents were read from; a standalone counts as primary, on a sharded cluster it holds for each shard; null if it was not the same for all reads.',
    ),
});
