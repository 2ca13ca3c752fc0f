import { newEnforcer, newModelFromString } from 'casbin';
import { MongoAdapter } from 'casbin-mongodb-adapter';
import { databaseName, uri } from './support.mjs';

const model = newModelFromString(`
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = g(r.sub, p.sub) && r.obj == p.obj && r.act == p.act`);
const adapter = await MongoAdapter.newAdapter({ uri, collection: 'casbin', database: databaseName });
const enforcer = await newEnforcer(model, adapter);
await enforcer.addPolicy('role1', 'data1', 'read');
await enforcer.addPolicies([
  ['role2', 'data1', 'write'],
  ['role2', 'data2', 'write'],
]);
await enforcer.addGroupingPolicy('user1', 'role1');
await enforcer.loadPolicy();
await enforcer.removePolicy('role1', 'data1', 'read');
await enforcer.removePolicies([['role2', 'data1', 'write']]);
await enforcer.removeFilteredPolicy(0, 'role2');
await enforcer.savePolicy();
await adapter.close();
const filtered = await MongoAdapter.newAdapter({ uri, collection: 'casbin', database: databaseName, filtered: true });
await (await newEnforcer(model, filtered)).loadFilteredPolicy({ ptype: 'g' });
await filtered.close();
