import mongoose from 'mongoose';
import { Invoice } from '../models/invoice.js';
import { Order } from '../models/order.js';
import { Payment } from '../models/payment.js';

export async function one({ id }) {
  const [order] = await Order.aggregate([
    { $match: { _id: new mongoose.Types.ObjectId(id) } },
    { $lookup: { from: Invoice.collection.name, localField: '_id', foreignField: 'order', as: 'invoices' } },
  ]);
  return order;
}

export const create = ({ customer, total }) => Order.create({ customer, total });

export const pay = ({ id, provider, amount }) => Payment.create({ order: id, provider, amount });

export const payments = ({ provider }) => Payment.find({ provider }).sort({ at: -1 }).limit(50).lean();
