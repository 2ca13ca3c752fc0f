import mongoose from 'mongoose';

const paymentSchema = new mongoose.Schema({
  order: { type: mongoose.Schema.Types.ObjectId, ref: 'Order' },
  provider: String,
  at: { type: Date, default: Date.now },
  amount: Number,
});

paymentSchema.index({ provider: 1, at: -1 });

export const Payment = mongoose.model('Payment', paymentSchema);
