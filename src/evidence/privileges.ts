import type { ClusterEvidenceName } from './cluster-evidence.js';
import type { EvidenceName } from './evidence.js';

/**
 * What an action is allowed on. An empty name stands for all; system collections and the databases `config` and `local` are
 * not among them.
 */
export type Resource = { readonly cluster: true } | { readonly db: string; readonly collection: string };

/** A privilege as `createRole` takes it. */
export interface Privilege {
  readonly resource: Resource;
  readonly actions: readonly string[];
}

/** A privilege that some evidence rests on. */
interface NeededPrivilege extends Privilege {
  /** True where older servers do not know the action, and refuse to create a role with it. */
  readonly newerServersOnly?: true;
}

/** The privileges that evidence rests on. */
export interface NeededPrivileges {
  readonly always: readonly Privilege[];
  /** Granted one by one where the server knows them; without them the checks judge by other evidence. */
  readonly whereKnown: readonly Privilege[];
}

const CLUSTER: Resource = { cluster: true };
const DATA: Resource = { db: '', collection: '' };

const find = (resource: Resource): NeededPrivilege => ({ resource, actions: ['find'] });
const config = (collection: string) => find({ db: 'config', collection });

/** For the inventory: which databases and collections there are. */
const INVENTORY: readonly NeededPrivilege[] = [
  { resource: CLUSTER, actions: ['listDatabases'] },
  { resource: DATA, actions: ['listCollections'] },
];

const STORAGE: NeededPrivilege = { resource: DATA, actions: ['collStats'] };
const CHUNKS = ['chunks', 'collections', 'settings', 'shards', 'tags'].map(config);

const WORKLOAD: readonly NeededPrivilege[] = [
  { resource: CLUSTER, actions: ['getLog', 'serverStatus'] },
  find({ db: '', collection: 'system.profile' }),
  // Both, for one stage: measured on 6.0.27.
  { resource: CLUSTER, actions: ['queryStatsRead', 'queryStatsReadTransformed'], newerServersOnly: true },
];

/** What reading each piece of evidence takes. Measured with users who lack one privilege each, but for `analyzeShardKey`. */
const BY_EVIDENCE: Readonly<Record<EvidenceName, readonly NeededPrivilege[]>> = {
  storage: [STORAGE],
  indexes: [{ resource: DATA, actions: ['listIndexes'] }],
  indexUsage: [{ resource: DATA, actions: ['indexStats'] }, config('shards')],
  documents: [find(DATA)],
  fieldTypes: [find(DATA)],
  measurements: [find(DATA), STORAGE],
  reads: WORKLOAD,
  largestDocuments: [find(DATA), STORAGE],
  growth: [find(DATA), STORAGE, find({ db: 'local', collection: 'oplog.rs' })],
  sharding: [STORAGE, ...CHUNKS],
  shardKey: [STORAGE, find(DATA), ...CHUNKS, { resource: DATA, actions: ['analyzeShardKey'], newerServersOnly: true }],
};

const BY_CLUSTER_EVIDENCE: Readonly<Record<ClusterEvidenceName, readonly NeededPrivilege[]>> = {
  server: [],
  children: [find(DATA)],
  references: [find(DATA)],
  referenceIntegrity: [find(DATA)],
  workload: WORKLOAD,
};

/** The names of all evidence that checks can need. */
export const EVIDENCE_NAMES = Object.keys(BY_EVIDENCE) as EvidenceName[];
export const CLUSTER_EVIDENCE_NAMES = Object.keys(BY_CLUSTER_EVIDENCE) as ClusterEvidenceName[];

/** Names of evidence that are needed together. */
export interface NeededEvidence {
  readonly ofCollections: readonly EvidenceName[];
  readonly ofCluster: readonly ClusterEvidenceName[];
}

/** The least that reading this evidence needs, the actions on one resource put together and sorted. */
export function privilegesOf({ ofCollections, ofCluster }: NeededEvidence): NeededPrivileges {
  const needed = [
    ...INVENTORY,
    ...ofCollections.flatMap((name) => BY_EVIDENCE[name]),
    ...ofCluster.flatMap((name) => BY_CLUSTER_EVIDENCE[name]),
  ];
  return {
    always: byResource(needed.filter(({ newerServersOnly }) => newerServersOnly !== true)),
    whereKnown: byResource(needed.filter(({ newerServersOnly }) => newerServersOnly === true)),
  };
}

function byResource(privileges: readonly Privilege[]): Privilege[] {
  const actions = new Map<string, Set<string>>();
  for (const privilege of privileges) {
    const key = JSON.stringify(privilege.resource);
    actions.set(key, new Set([...(actions.get(key) ?? []), ...privilege.actions]));
  }
  return [...actions].map(([resource, names]) => ({
    resource: JSON.parse(resource) as Resource,
    actions: [...names].sort(),
  }));
}
