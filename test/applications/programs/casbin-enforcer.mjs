/** An enforcer whose rules are kept in a collection. */
import { newEnforcer, newModelFromString } from 'casbin';
import { MongoAdapter } from 'casbin-mongodb-adapter';
import { databaseName, uri } from './support.mjs';

export const model = newModelFromString(`
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
export const adapter = await MongoAdapter.newAdapter({ uri, collection: 'casbin', database: databaseName });
export const enforcer = await newEnforcer(model, adapter);
