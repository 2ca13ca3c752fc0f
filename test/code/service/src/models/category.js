import mongoose from 'mongoose';

const categorySchema = new mongoose.Schema({
  title: String,
  position: { type: Number, index: true },
});

export const Category = mongoose.model('Category', categorySchema);
