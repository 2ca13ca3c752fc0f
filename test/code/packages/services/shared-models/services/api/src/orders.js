import { Customer, Invoice, Order, OPEN } from '@shop/models';
import * as pages from '@shop/models/pages';

export async function place(customer, lines) {
  const last = await Order.findOne().sort({ number: -1 }).select('number');
  const order = await Order.create({
    customer,
    lines,
    number: (last?.number ?? 0) + 1,
    status: OPEN,
    placedAt: new Date(),
  });
  await Customer.updateOne({ _id: customer }, { $set: { lastOrderAt: order.placedAt } });
  await Invoice.create({ order: order._id, dueAt: new Date(), total: lines.length, reminders: 0 });
  return order;
}

export function openOrders(customer) {
  return Order.find({ customer, status: OPEN }).sort({ placedAt: -1 });
}

export async function orders(customer, number) {
  return pages.page(Order, { customer }, { number, sort: { placedAt: -1 } });
}

export async function addLine(number, line) {
  return Order.findOneAndUpdate({ number, status: OPEN }, { $push: { lines: line } }, { new: true });
}

export async function close(number) {
  const order = await Order.findOne({ number });
  await Invoice.updateOne({ order: order._id }, { $set: { paidAt: new Date() } });
  await Order.updateOne({ _id: order._id }, { status: 'closed' });
}

export async function withCustomers(status) {
  return Order.find({ status }).populate('customer', 'name').limit(10);
}

export function revenue(from) {
  return Order.aggregate([
    { $match: { placedAt: { $gte: from } } },
    { $unwind: '$lines' },
    { $group: { _id: '$lines.sku', total: { $sum: '$lines.price' } } },
    { $sort: { total: -1 } },
  ]);
}
