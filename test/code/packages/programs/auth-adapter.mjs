import { MongoDBAdapter } from '@auth/mongodb-adapter';
import { MongoClient } from 'mongodb';
import { databaseName, soon, uri } from './support.mjs';

const client = new MongoClient(uri);
const adapter = MongoDBAdapter(client, { databaseName });
const account = (userId, number) => ({ userId, type: 'oauth', provider: 'google', providerAccountId: String(number) });
for (let number = 0; number < 3; number += 1) {
  const user = await adapter.createUser({ name: 'somebody', email: `user${number}@example.com`, emailVerified: null });
  await adapter.linkAccount(account(user.id, number));
  await adapter.createSession({ sessionToken: `session ${number}`, userId: user.id, expires: soon() });
  await adapter.getUser(user.id);
  await adapter.getUserByEmail(user.email);
  await adapter.getUserByAccount({ provider: 'google', providerAccountId: String(number) });
  await adapter.getSessionAndUser(`session ${number}`);
  await adapter.updateUser({ id: user.id, name: 'somebody else' });
  await adapter.updateSession({ sessionToken: `session ${number}`, expires: soon() });
  const token = { identifier: user.email, token: `token ${number}`, expires: soon() };
  await adapter.createVerificationToken(token);
  await adapter.useVerificationToken(token);
  await adapter.unlinkAccount(account(user.id, number));
  await adapter.deleteSession(`session ${number}`);
  await adapter.deleteUser(user.id);
}
await client.close();
