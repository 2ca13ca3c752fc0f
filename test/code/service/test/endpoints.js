/** Every endpoint, as tests of the service would call it: `node test/endpoints.js URI DATABASE`. */
import mongoose from 'mongoose';
import { start } from '../src/server.js';

const [uri, database] = process.argv.slice(2);
const server = await start(uri, database);
const id = (number) => number.toString(16).padStart(24, '0');

async function call(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, {
    method,
    ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

for (let number = 0; number < 20; number += 1) {
  await call('GET', `/users/${id(number)}`);
  await call('GET', '/users?name=name 0000b');
  await call('POST', '/users', { name: `name ${number}`, email: `${number}@example.com` });
  await call('GET', `/users/${id(number)}/orders`);
  await call('GET', '/categories');
  await call('GET', `/products/${id(number)}`);
  await call('GET', `/products?category=${id(number % 5)}`);
  await call('POST', `/products/${id(number)}/views`);
  await call('GET', `/products/${id(number)}/reviews`);
  await call('POST', `/products/${id(number)}/reviews`, { text: 'Good' });
  await call('PUT', `/reviews/${id(number % 3)}/votes`, { user: id(number), stars: 5 });
  await call('GET', `/orders/${id(number)}`);
  await call('POST', '/orders', { customer: id(number), total: number });
  await call('POST', `/orders/${id(number)}/payments`, { provider: 'card', amount: number });
  await call('GET', '/payments?provider=card');
}
server.close();
await mongoose.disconnect();
