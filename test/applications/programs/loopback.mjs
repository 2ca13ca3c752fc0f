import juggler from 'loopback-datasource-juggler';
import { below, choose, times, uri, words } from './support.mjs';

const { DataSource } = juggler;
const source = new DataSource({ name: 'db', connector: 'loopback-connector-mongodb', url: uri });
// The relation of LoopBack's documentation: a customer has many orders.
const Customer = source.define('Customer', {
  id: { type: String, id: true, generated: true },
  name: String,
  email: { type: String, index: { unique: true } },
});
const Order = source.define('Order', {
  id: { type: String, id: true, generated: true },
  description: String,
  date: Date,
  total: Number,
});
Customer.hasMany(Order, { as: 'orders', foreignKey: 'customerId' });
Order.belongsTo(Customer, { as: 'customer', foreignKey: 'customerId' });
await source.autoupdate();

const customers = [];
await times(3_000, async (number) => {
  customers.push(await Customer.create({ name: words(2), email: `customer${number}@example.com` }));
});
await times(12_000, () =>
  choose(customers).orders.create({ description: words(6), date: new Date(), total: below(500) }),
);
for (let request = 0; request < 60; request += 1) {
  await Customer.findOne({ where: { email: `customer${below(3_000)}@example.com` }, include: 'orders' });
  await Customer.find({ limit: 20, skip: 20 * request, include: ['orders'] });
  await Order.findById(String((await choose(customers).orders.find({ limit: 1 }))[0]?.id ?? customers[0].id));
  await Order.find({ where: { total: { gt: 450 } }, order: 'date DESC', limit: 20 });
  if (request % 3 === 0) await Customer.find({ where: { name: { regexp: `/${words(1)}/i` } }, limit: 10 });
}
await source.disconnect();
process.exit(0);
