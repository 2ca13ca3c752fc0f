import MongoStore from 'connect-mongo';
import express from 'express';
import session from 'express-session';
import { databaseName, times, uri, words } from './support.mjs';

const store = MongoStore.create({ mongoUrl: uri, dbName: databaseName });
const app = express();
app.use(session({ secret: 'foo', resave: false, saveUninitialized: true, store }));
app.get('/', (request, response) => {
  request.session.views = (request.session.views ?? 0) + 1;
  request.session.cart ??= [];
  if (request.session.views % 2 === 0) request.session.cart.push({ sku: words(1), quantity: 1 });
  response.send(String(request.session.views));
});
app.get('/logout', (request, response) => request.session.destroy(() => response.send('bye')));
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = `http://127.0.0.1:${server.address().port}`;

// Most visitors look at one page, some at many.
await times(6_000, async (visitor) => {
  const first = await fetch(address);
  await first.text();
  const [cookie] = first.headers.get('set-cookie').split(';');
  const pages = visitor % 10 === 0 ? 5 : 0;
  for (let page = 0; page < pages; page += 1) await (await fetch(address, { headers: { cookie } })).text();
  if (visitor % 50 === 0) await (await fetch(`${address}/logout`, { headers: { cookie } })).text();
});
server.closeAllConnections();
await store.close();
process.exit(0);
