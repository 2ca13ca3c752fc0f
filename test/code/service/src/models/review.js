import mongoose from 'mongoose';

const reviewSchema = new mongoose.Schema({
  product: { type: mongoose.Schema.Types.ObjectId, ref: 'Product' },
  at: { type: Date, default: Date.now },
  text: String,
});

reviewSchema.index({ product: 1, at: -1 });

export const Review = mongoose.model('Review', reviewSchema);
