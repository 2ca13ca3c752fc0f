import { betterAuth } from 'better-auth';
import { mongodbAdapter } from 'better-auth/adapters/mongodb';
import { MongoClient } from 'mongodb';
import { below, times, uri, words } from './support.mjs';

const client = new MongoClient(uri);
const auth = betterAuth({
  baseURL: 'http://localhost:3000',
  secret: 'a secret of at least thirty-two characters',
  database: mongodbAdapter(client.db()),
  rateLimit: { enabled: false },
  logger: { disabled: true },
  emailAndPassword: {
    enabled: true,
    // Hashing thousands of passwords is not what is looked at.
    password: { hash: async (password) => password, verify: async ({ hash, password }) => hash === password },
    sendResetPassword: async () => {},
  },
});

const cookies = [];
await times(4_000, async (number) => {
  const body = { name: words(2), email: `user${number}@example.com`, password: 'correct horse' };
  const { headers } = await auth.api.signUpEmail({ body, returnHeaders: true });
  cookies.push(
    headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  );
});
await times(
  400,
  async () => {
    const number = below(4_000);
    const email = `user${number}@example.com`;
    await auth.api.getSession({ headers: new Headers({ cookie: cookies[number] }) });
    if (below(4) === 0) await auth.api.signInEmail({ body: { email, password: 'correct horse' } });
    if (below(10) === 0) await auth.api.requestPasswordReset({ body: { email } });
    // Whoever has signed out meanwhile is refused.
    if (below(10) === 0)
      await auth.api.listSessions({ headers: new Headers({ cookie: cookies[number] }) }).catch(() => null);
    if (below(30) === 0) await auth.api.signOut({ headers: new Headers({ cookie: cookies[number] }) });
  },
  8,
);
await client.close();
process.exit(0);
