import { AuditEntry, Customer, Order } from '@shop/models';
import { page, upserted } from '@shop/models/pages';

export async function register(email, name) {
  const known = await Customer.byEmail(email);
  if (known !== null) return known;
  await AuditEntry.create({ actor: email, action: 'register', at: new Date() });
  return Customer.create({ email, name, tier: 'basic' });
}

export function customers(filter, number) {
  const query = { ...(filter.tier && { tier: filter.tier }), ...(filter.name && { name: filter.name }) };
  return page(Customer, query, { number, sort: { name: 1 } });
}

export async function profile(id) {
  const customer = await Customer.findById(id).lean();
  const orders = await Order.countDocuments({ customer: id });
  return { ...customer, orders };
}

export function rename(email, name) {
  return upserted(Customer, { email }, { name });
}

export async function promote(ids) {
  await Customer.updateMany({ _id: { $in: ids } }, { $set: { tier: 'gold' } });
  return Customer.ofTier('gold');
}

export const auditOf = (actor) => AuditEntry.find({ actor }).sort('-at').limit(5);
