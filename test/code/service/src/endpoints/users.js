import { Order } from '../models/order.js';
import { User } from '../models/user.js';

export const one = ({ id }) => User.findById(id).lean();

export const search = ({ name }) =>
  User.find({ name: { $gte: name, $lt: `${name}~` } })
    .sort({ name: 1 })
    .limit(20)
    .lean();

export const create = ({ name, email }) => User.create({ name, email });

export async function orders({ id }) {
  return Order.find({ customer: id }).sort({ at: -1 }).limit(20).lean();
}
