import * as shop from '@shop/models';

const { Invoice } = shop;

export async function remind(now) {
  let reminded = 0;
  for await (const invoice of Invoice.find({ dueAt: { $lt: now }, paidAt: null }).cursor()) {
    await Invoice.updateOne({ _id: invoice._id }, { $inc: { reminders: 1 } });
    reminded += 1;
  }
  return reminded;
}

export async function forget(before) {
  await shop.AuditEntry.deleteMany({ at: { $lt: before } });
  const stale = await shop.Order.distinct('customer', { status: 'closed', placedAt: { $lt: before } });
  return shop.Customer.exists({ _id: { $in: stale }, tier: 'basic' });
}
