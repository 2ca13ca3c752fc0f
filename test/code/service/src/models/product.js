import mongoose from 'mongoose';

const productSchema = new mongoose.Schema({
  title: String,
  category: { type: mongoose.Schema.Types.ObjectId, ref: 'Category' },
  price: Number,
  views: { type: Number, default: 0 },
});

productSchema.index({ category: 1, price: 1 });

export const Product = mongoose.model('Product', productSchema);
