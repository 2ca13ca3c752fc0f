import mongoose from 'mongoose';

const invoiceSchema = new mongoose.Schema({
  order: { type: mongoose.Schema.Types.ObjectId, ref: 'Order', index: true },
  total: Number,
});

export const Invoice = mongoose.model('Invoice', invoiceSchema);
