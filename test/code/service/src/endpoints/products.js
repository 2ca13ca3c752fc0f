import { Category } from '../models/category.js';
import { Product } from '../models/product.js';
import { Review } from '../models/review.js';
import { Vote } from '../models/vote.js';

export const categories = () => Category.find().sort({ position: 1 }).limit(50).lean();

export const one = ({ id }) => Product.findById(id).populate('category').lean();

export const inCategory = ({ category }) => Product.find({ category }).sort({ price: 1 }).limit(20).lean();

export const view = ({ id }) => Product.updateOne({ _id: id }, { $inc: { views: 1 } });

export const reviews = ({ id }) => Review.find({ product: id }).sort({ at: -1 }).limit(10).lean();

export async function review({ id, text }) {
  await Review.create({ product: id, text });
}

export async function vote({ id, user, stars }) {
  await Vote.updateOne({ review: id, user }, { $set: { stars } }, { upsert: true });
}
