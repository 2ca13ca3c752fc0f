import mongoose from 'mongoose';

const customerSchema = new mongoose.Schema({
  email: { type: String, unique: true },
  name: String,
  tier: String,
  lastOrderAt: Date,
});

customerSchema.statics.byEmail = function (email) {
  return this.findOne({ email });
};

customerSchema.statics.ofTier = async function (tier, limit = 20) {
  return this.find({ tier }).sort({ name: 1 }).limit(limit).lean();
};

export const Customer = mongoose.model('Customer', customerSchema);
