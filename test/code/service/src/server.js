import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import mongoose from 'mongoose';
import * as orders from './endpoints/orders.js';
import * as products from './endpoints/products.js';
import * as users from './endpoints/users.js';

const ROUTES = [
  ['GET', /^\/users\/(\w+)$/, users.one],
  ['GET', /^\/users$/, users.search],
  ['POST', /^\/users$/, users.create],
  ['GET', /^\/users\/(\w+)\/orders$/, users.orders],
  ['GET', /^\/categories$/, products.categories],
  ['GET', /^\/products\/(\w+)$/, products.one],
  ['GET', /^\/products$/, products.inCategory],
  ['POST', /^\/products\/(\w+)\/views$/, products.view],
  ['GET', /^\/products\/(\w+)\/reviews$/, products.reviews],
  ['POST', /^\/products\/(\w+)\/reviews$/, products.review],
  ['PUT', /^\/reviews\/(\w+)\/votes$/, products.vote],
  ['GET', /^\/orders\/(\w+)$/, orders.one],
  ['POST', /^\/orders$/, orders.create],
  ['POST', /^\/orders\/(\w+)\/payments$/, orders.pay],
  ['GET', /^\/payments$/, orders.payments],
];

async function answer(request) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  for (const [method, pattern, endpoint] of ROUTES) {
    const found = request.method === method ? pattern.exec(pathname) : null;
    if (found === null) continue;
    const body = method === 'GET' ? {} : await json(request);
    return (await endpoint({ ...Object.fromEntries(searchParams), ...body, id: found[1] })) ?? {};
  }
  throw new Error(`No endpoint: ${request.method} ${pathname}`);
}

/** Listens on a port that is free. Indexes are built beforehand. */
export async function start(uri, database) {
  await mongoose.connect(uri, { dbName: database });
  await Promise.all(Object.values(mongoose.models).map((model) => model.init()));
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => response.end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
