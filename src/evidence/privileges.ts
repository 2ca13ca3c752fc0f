import { groupedBy } from '../grouped-by.js';
import type { ClusterEvidenceName } from './cluster-evidence.js';
import type { EvidenceName } from './evidence.js';
import { CLUSTER, DATA, type NeededPrivilege, type Privilege, type Resource } from './source.js';
import { sourceOf, withFoundations } from './sources.js';

export type { Privilege } from './source.js';

/** The privileges that evidence rests on. */
export interface NeededPrivileges {
  readonly always: readonly Privilege[];
  /** Granted one by one on servers that know them; without them the checks judge by other evidence. */
  readonly whereKnown: readonly Privilege[];
}

/** For the inventory: which databases and collections there are. */
const INVENTORY: readonly NeededPrivilege[] = [
  { resource: CLUSTER, actions: ['listDatabases'] },
  { resource: DATA, actions: ['listCollections'] },
];

/** Names of evidence that are needed together. */
export interface NeededEvidence {
  readonly ofCollections: readonly EvidenceName[];
  readonly ofCluster: readonly ClusterEvidenceName[];
}

/** The fewest that reading this evidence needs, and what it rests on; the actions on one resource put together and sorted. */
export function privilegesOf({ ofCollections, ofCluster }: NeededEvidence): NeededPrivileges {
  const names = withFoundations([...ofCollections, ...ofCluster]);
  const needed = [...INVENTORY, ...[...names].flatMap((name) => sourceOf(name).privileges)];
  return {
    always: byResource(needed.filter(({ newerServersOnly }) => newerServersOnly !== true)),
    whereKnown: byResource(needed.filter(({ newerServersOnly }) => newerServersOnly === true)),
  };
}

function byResource(privileges: readonly Privilege[]): Privilege[] {
  const alike = groupedBy(privileges, ({ resource }) => JSON.stringify(resource));
  return [...alike].map(([resource, of]) => ({
    resource: JSON.parse(resource) as Resource,
    actions: [...new Set(of.flatMap(({ actions }) => actions))].sort(),
  }));
}
