import { z } from 'zod';
import { figureIn, neededFigure } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import { readOplog } from '../growth/oplog.js';
import { absent, derived, type Evidence, present } from '../presence.js';
import { childrenSchema } from '../references/children/children.js';
import { collectChildren } from '../references/children/collect-children.js';
import { collectReferenceIntegrity } from '../references/collect-integrity.js';
import { collectReferences } from '../references/collect-references.js';
import { referenceIntegritySchema } from '../references/reference-integrity.js';
import { referencesSchema } from '../references/references.js';
import { collectWorkload } from '../workload/collect-workload.js';
import { readsByCollection } from '../workload/reads/collection-reads.js';
import { traceWorkload } from '../workload/traced-workload.js';
import { operationSchema, workloadRestSchema } from '../workload/workload-schema.js';
import type { Workload } from '../workload/workload.js';
import { oplogWindowSchema, readOplogWindow, serverSchema } from './cluster-evidence.js';
import { readSafety, safetySchema } from './safety.js';
import {
  CLUSTER,
  FIND_DOCUMENTS,
  findOn,
  type AnyClusterSource,
  type ClusterPieceName,
  type ClusterSource,
} from './source.js';

/** Systems allow a process 1,024 open files or more. So many collections, each with an index on `_id`, are 80 % of that. */
const FEWEST_COLLECTIONS = 410;

/** The sources of the whole cluster: what rests on no collection is collected at once, the others after the collections. */
export const CLUSTER_SOURCES: readonly AnyClusterSource[] = [
  clusterSource({
    name: 'server',
    restsOn: [],
    privileges: [{ resource: CLUSTER, actions: ['hostInfo'] }],
    async collect({ reader, cluster, inventory }) {
      const { known, unlisted, named, shards } = await inventory;
      const collections = known.filter(({ kind }) => kind !== 'view').length;
      return present({
        version: cluster.version,
        ...(shards !== undefined && { shards: shards.filter(({ draining }) => !draining).map(({ name }) => name) }),
        ...(unlisted.length === 0 && !named && { collections }),
        ...(collections >= FEWEST_COLLECTIONS && { openFilesLimit: await openFilesLimit(reader) }),
      });
    },
    schema: serverSchema,
  }),
  clusterSource({
    name: 'oplog',
    restsOn: [],
    privileges: [findOn('local', 'oplog.rs')],
    collect: ({ reader, cluster }) => readOplog(reader, cluster),
  }),
  clusterSource({
    name: 'oplogWindow',
    restsOn: [],
    privileges: [
      { resource: { db: 'local', collection: 'oplog.rs' }, actions: ['find', 'collStats'] },
      { resource: CLUSTER, actions: ['replSetGetStatus'] },
    ],
    collect: ({ reader, cluster }) => readOplogWindow(reader, cluster),
    schema: oplogWindowSchema.nullable(),
  }),
  clusterSource({
    name: 'safety',
    restsOn: [],
    privileges: [
      { resource: CLUSTER, actions: ['getLog', 'serverStatus', 'replSetGetStatus'] },
      findOn('admin', 'system.version'),
    ],
    collect: ({ reader, cluster }) => readSafety(reader, cluster),
    schema: safetySchema,
  }),
  clusterSource({
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
  }),
  clusterSource({
    name: 'tracedWorkload',
    restsOn: ['workload'],
    privileges: [],
    collect: async ({ of }) => derived(await of('workload'), traceWorkload),
  }),
  clusterSource({
    name: 'readsByCollection',
    restsOn: ['tracedWorkload'],
    privileges: [],
    collect: async ({ of }) => derived(await of('tracedWorkload'), readsByCollection),
  }),
  clusterSource({
    name: 'references',
    restsOn: ['fieldTypes', 'indexes', 'storage'],
    privileges: [FIND_DOCUMENTS],
    collect: async ({ reader, collections, concurrency }) =>
      present(await collectReferences(reader, collections, concurrency)),
    schema: referencesSchema,
  }),
  clusterSource({
    name: 'referenceIntegrity',
    restsOn: ['fieldTypes', 'indexes', 'storage', 'references'],
    privileges: [FIND_DOCUMENTS],
    async collect({ reader, collections, concurrency, showValues, of }) {
      const references = await of('references');
      if (!references.present) return references;
      const options = { concurrency, showValues };
      return present(await collectReferenceIntegrity(reader, collections, references.value, options));
    },
    schema: referenceIntegritySchema,
  }),
  clusterSource({
    name: 'children',
    restsOn: ['fieldTypes', 'indexes', 'storage', 'tracedWorkload'],
    privileges: [FIND_DOCUMENTS],
    async collect({ reader, collections, concurrency, of }) {
      const workload = await of('tracedWorkload');
      if (!workload.present) return workload;
      return present(await collectChildren(reader, workload.value, collections, concurrency));
    },
    schema: childrenSchema,
  }),
];

/** Infers the piece from its name. */
function clusterSource<Name extends ClusterPieceName>(source: ClusterSource<Name>): ClusterSource<Name> {
  return source;
}

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
