import mongoose, { model, Schema } from 'mongoose';

const invoiceSchema = new Schema(
  { order: Schema.Types.ObjectId, dueAt: Date, paidAt: Date, total: Number, reminders: Number },
  { collection: 'billing' },
);

export const Invoice = mongoose.models.Invoice ?? model('Invoice', invoiceSchema);
