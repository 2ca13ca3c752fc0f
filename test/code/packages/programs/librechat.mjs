import { randomUUID } from 'node:crypto';
import { createMethods, createModels } from '@librechat/data-schemas';
import mongoose from 'mongoose';
import { Calls, soon, uri } from './support.mjs';

process.env.JWT_REFRESH_SECRET = 'a'.repeat(64);
process.env.CREDS_KEY = 'b'.repeat(64);
process.env.CREDS_IV = 'c'.repeat(32);
mongoose.set({ autoIndex: false });
await mongoose.connect(uri);
const models = createModels(mongoose);
const methods = createMethods(mongoose);
const user = await models.User.create({
  name: 'one',
  username: 'one',
  email: 'one@example.com',
  provider: 'local',
  emailVerified: true,
});
const id = user._id.toString();
const conversationId = randomUUID();
await models.Message.create({
  messageId: randomUUID(),
  conversationId,
  user: id,
  text: 'a question',
  isCreatedByUser: true,
});
await models.Conversation.create({ conversationId, user: id, title: 'a title', endpoint: 'agents' });

/** What methods are given, whatever they are for: each finds some that it understands. */
const fields = {
  _id: id,
  id,
  userId: id,
  user: id,
  author: id,
  email: 'one@example.com',
  name: 'one',
  username: 'one',
  conversationId,
  messageId: randomUUID(),
  file_id: randomUUID(),
  filename: 'a.txt',
  filepath: '/a.txt',
  bytes: 1,
  type: 'text',
  title: 'a title',
  text: 'text',
  tag: 'a tag',
  key: 'key',
  value: 'value',
  token: 'token',
  tokenType: 'prompt',
  resourceId: id,
  resourceType: 'agent',
  principalType: 'user',
  principalId: id,
  permBits: 1,
  permBit: 1,
  requiredPermissions: 1,
  roleName: 'USER',
  groupId: id,
  agent_id: 'agent_1',
  provider: 'local',
  model: 'a model',
  shareId: 'share',
  expiresIn: 60,
  expiresAt: soon(),
  limit: 2,
};
const TUPLES = [
  [id, id, id, id],
  [fields, fields, fields],
  [fields, { $set: { name: 'two' } }],
  [id, fields, fields],
  ['one', fields],
  [[id], [id], id],
  [[fields], [fields]],
  [{ _id: id }, '_id', { lean: true }],
  ['user', id, 'agent', id, 1, id],
  ['user', id, 'agent', [id], 1],
  [{ user: { id } }, fields, fields],
  [],
];
const calls = new Calls();
// What removes comes last.
const all = Object.entries(methods).filter(([, method]) => typeof method === 'function');
const removing = ([name]) => /delete|remove|revoke|clear|purge/i.test(name);
for (const [name, method] of [...all.filter((each) => !removing(each)), ...all.filter(removing)])
  for (const given of TUPLES) await calls.try(name, () => method(...structuredClone(given)));
calls.end();
