import { describe, expect, it } from 'vitest';
import type { AnyCheck } from '../../src/check.js';
import { roleScript } from '../../src/cli/role-command.js';
import { privilegesOf } from '../../src/evidence/sources.js';
import { neededEvidence } from '../../src/findings/evidence-plan.js';

const needing = (needs: readonly string[], clusterNeeds?: readonly string[]) =>
  ({
    id: 'a',
    needs,
    thresholds: {},
    ...(clusterNeeds !== undefined && { scope: 'cluster', clusterNeeds }),
  }) as unknown as AnyCheck;
const cluster = { cluster: true };
const data = { db: '', collection: '' };
const inventory = [
  { resource: cluster, actions: ['listDatabases'] },
  { resource: data, actions: ['listCollections'] },
];

describe('privilegesOf', () => {
  it.each<[string, AnyCheck[], unknown, unknown]>([
    ['no check', [], inventory, []],
    [
      'sizes',
      [needing(['storage'])],
      [inventory[0], { resource: data, actions: ['collStats', 'listCollections'] }],
      [],
    ],
    [
      'several checks, each action once',
      [needing(['documents', 'storage']), needing(['storage', 'indexes'])],
      [inventory[0], { resource: data, actions: ['collStats', 'find', 'listCollections', 'listIndexes'] }],
      [],
    ],
    [
      'the workload',
      [needing([], ['workload'])],
      [
        { resource: cluster, actions: ['getLog', 'listDatabases', 'serverStatus'] },
        inventory[1],
        { resource: { db: '', collection: 'system.profile' }, actions: ['find'] },
      ],
      [{ resource: cluster, actions: ['queryStatsRead', 'queryStatsReadTransformed'] }],
    ],
  ])('%s', (_, checks, always, whereKnown) => {
    expect(privilegesOf(neededEvidence(checks))).toEqual({ always, whereKnown });
  });

  it('reads of the config database no more than the sharding', () => {
    const { always } = privilegesOf(neededEvidence([needing(['sharding'])]));
    const onConfig = always.filter(({ resource }) => 'db' in resource && resource.db === 'config');
    expect(onConfig.map(({ actions }) => actions)).toEqual(onConfig.map(() => ['find']));
    expect(onConfig.map(({ resource }) => 'collection' in resource && resource.collection)).toEqual([
      'chunks',
      'collections',
      'settings',
      'shards',
      'tags',
    ]);
  });
});

describe('roleScript', () => {
  it('is to be pasted as it is', () => {
    expect(roleScript(privilegesOf(neededEvidence([needing(['documents'], ['workload'])]))))
      .toBe(`// The fewest privileges that the enabled checks need. All of them are reads.
db.getSiblingDB("admin").createRole({
  role: "mongolint",
  privileges: [
    { resource: { cluster: true }, actions: ["getLog", "listDatabases", "serverStatus"] },
    { resource: { db: "", collection: "" }, actions: ["collStats", "find", "listCollections"] },
    { resource: { db: "", collection: "system.profile" }, actions: ["find"] },
  ],
  roles: [],
});
// Only newer servers have this privilege. mongolint also works without it.
try {
  db.getSiblingDB("admin").grantPrivilegesToRole("mongolint", [
    { resource: { cluster: true }, actions: ["queryStatsRead", "queryStatsReadTransformed"] },
  ]);
} catch (error) {
  if (!/Unrecognized action/.test(error.message)) throw error;
}
db.getSiblingDB("admin").createUser({ user: "mongolint", pwd: passwordPrompt(), roles: ["mongolint"] });
// Only for a connection straight to a member of a shard, which MongoDB 8.0 and later otherwise refuse. mongos needs no such role.
// db.getSiblingDB("admin").grantRolesToRole("mongolint", ["directShardOperations"]);
`);
  });
});
