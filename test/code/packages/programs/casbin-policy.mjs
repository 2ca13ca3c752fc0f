import { newEnforcer } from 'casbin';
import { MongoAdapter } from 'casbin-mongodb-adapter';
import { adapter, enforcer, model } from '../applications/casbin-enforcer.mjs';
import { databaseName, uri } from './support.mjs';

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
