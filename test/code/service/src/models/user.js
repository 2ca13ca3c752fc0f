import mongoose from 'mongoose';

const userSchema = new mongoose.Schema({
  name: { type: String, required: true, index: true },
  email: String,
});

export const User = mongoose.model('User', userSchema);
