import { newEnforcer, newModelFromString } from 'casbin';
import { MongoAdapter } from 'casbin-mongodb-adapter';
import { below, choose, databaseName, uri } from './support.mjs';

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
const rules = [];
for (let role = 0; role < 30; role += 1)
  for (let object = 0; object < 20; object += 1)
    rules.push([`role${role}`, `data${object}`, choose(['read', 'write'])]);
for (const rule of rules) await enforcer.addPolicy(...rule);
for (let user = 0; user < 2_000; user += 1) await enforcer.addGroupingPolicy(`user${user}`, `role${below(30)}`);
// Each process loads the policy when it starts.
for (let start = 0; start < 10; start += 1) await enforcer.loadPolicy();
for (let request = 0; request < 50; request += 1)
  await enforcer.enforce(`user${below(2_000)}`, `data${below(20)}`, 'read');
for (let change = 0; change < 60; change += 1) {
  const [rule] = await enforcer.getFilteredGroupingPolicy(0, `user${change}`);
  await enforcer.removeGroupingPolicy(...rule);
  await enforcer.addGroupingPolicy(rule[0], `role${below(30)}`);
}
await adapter.close();
process.exit(0);
