import mongoose from 'mongoose';

export default mongoose.model(
  'AuditEntry',
  new mongoose.Schema({ actor: String, action: String, at: Date }, { timestamps: true }),
);
