import mongoose, { Schema } from 'mongoose';

export const OPEN = 'open';

const orderSchema = new Schema({
  customer: { type: Schema.Types.ObjectId, ref: 'Customer' },
  number: Number,
  status: String,
  placedAt: Date,
  lines: [{ sku: String, count: Number, price: Number }],
});
orderSchema.index({ customer: 1, placedAt: -1 });

export const Order = mongoose.model('Order', orderSchema);

// Nobody calls it any more: the API asks the same by itself.
export function openOrdersOf(customer) {
  return Order.find({ customer, status: OPEN }).sort({ placedAt: -1 });
}
