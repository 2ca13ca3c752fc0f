import { adapter, enforcer } from './casbin-enforcer.mjs';
import { below, choose } from './support.mjs';

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
