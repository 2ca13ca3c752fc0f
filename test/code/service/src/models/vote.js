import mongoose from 'mongoose';

const voteSchema = new mongoose.Schema({
  review: { type: mongoose.Schema.Types.ObjectId, ref: 'Review' },
  user: { type: mongoose.Schema.Types.ObjectId, ref: 'User' },
  stars: Number,
});

voteSchema.index({ review: 1, user: 1 }, { unique: true });

export const Vote = mongoose.model('Vote', voteSchema);
