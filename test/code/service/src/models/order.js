import mongoose from 'mongoose';

const orderSchema = new mongoose.Schema({
  customer: { type: mongoose.Schema.Types.ObjectId, ref: 'User' },
  at: { type: Date, default: Date.now },
  total: Number,
});

orderSchema.index({ customer: 1, at: -1 });

export const Order = mongoose.model('Order', orderSchema);
