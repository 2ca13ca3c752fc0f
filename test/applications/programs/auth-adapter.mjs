import { MongoDBAdapter } from '@auth/mongodb-adapter';
import { MongoClient } from 'mongodb';
import { below, databaseName, hex, times, uri, words } from './support.mjs';

const client = new MongoClient(uri);
const adapter = MongoDBAdapter(client, { databaseName });
const soon = () => new Date(Date.now() + 30 * 24 * 3_600_000);

// People who signed up by a provider, as Auth.js calls its adapter for them.
const users = [];
await times(8_000, async (number) => {
  const user = await adapter.createUser({
    name: words(2),
    email: `user${number}@example.com`,
    image: `https://example.com/${hex(8)}.png`,
    emailVerified: null,
  });
  await adapter.linkAccount({
    userId: user.id,
    type: 'oauth',
    provider: number % 3 === 0 ? 'google' : 'github',
    providerAccountId: String(100_000 + number),
    access_token: hex(40),
    token_type: 'bearer',
    scope: 'read:user',
  });
  const session = { sessionToken: hex(36), userId: user.id, expires: soon() };
  await adapter.createSession(session);
  users.push({ ...user, number, session });
});

// An afternoon: requests with a session, sign-ins, sign-outs, magic links.
await times(
  400,
  async () => {
    const { session, number, email, id } = users[below(users.length)];
    await adapter.getSessionAndUser(session.sessionToken);
    if (below(4) === 0)
      await adapter.getUserByAccount({
        provider: number % 3 === 0 ? 'google' : 'github',
        providerAccountId: String(100_000 + number),
      });
    if (below(4) === 0) {
      await adapter.getUserByEmail(email);
      const token = { identifier: email, token: hex(32), expires: soon() };
      await adapter.createVerificationToken(token);
      await adapter.useVerificationToken(token);
    }
    if (below(10) === 0) await adapter.updateSession({ sessionToken: session.sessionToken, expires: soon() });
    if (below(20) === 0) await adapter.deleteSession(session.sessionToken);
    if (below(40) === 0) await adapter.deleteUser(id);
  },
  8,
);
await client.close();
