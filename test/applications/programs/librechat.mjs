import { randomUUID } from 'node:crypto';
import { createMethods, createModels } from '@librechat/data-schemas';
import mongoose from 'mongoose';
import { below, between, choose, heavyTailed, hex, idAt, insertEach, times, uri, words } from './support.mjs';

// As its server starts: the secret is that of its sessions.
process.env.JWT_REFRESH_SECRET = hex(64);
// Its indexes are built last, which is faster.
mongoose.set({ autoIndex: false, autoCreate: false });
await mongoose.connect(uri);
const models = createModels(mongoose);
const methods = createMethods(mongoose);
const { User, Conversation, Message, Transaction, File, ConversationTag, SharedLink } = models;

const USERS = 400;
const CONVERSATIONS = 2_000;
const DAY = 86_400_000;
const id = (time) => new mongoose.Types.ObjectId(idAt(time));
const MODELS = ['gpt-4o', 'claude-sonnet-4', 'gemini-2.5-pro'];

// A year of an installation for a company.
const users = await insertEach(User.collection, USERS, (number) => {
  const created = Date.now() - below(400 * DAY);
  return {
    _id: id(created),
    name: words(2),
    username: `user${number}`,
    email: `user${number}@example.com`,
    emailVerified: true,
    provider: number % 2 === 0 ? 'openid' : 'local',
    ...(number % 2 === 0 ? { openidId: hex(24) } : { password: hex(60) }),
    role: 'USER',
    avatar: null,
    plugins: [],
    termsAccepted: true,
    twoFactorEnabled: false,
    personalization: { memories: true },
    createdAt: new Date(created),
    updatedAt: new Date(created),
  };
});
const conversations = Array.from({ length: CONVERSATIONS }, (_, number) => ({
  conversationId: randomUUID(),
  // Some people talk all day, and some conversations go on for months.
  user: (number % 3 === 0 ? users[below(12)] : choose(users))._id.toString(),
  started: Date.now() - (CONVERSATIONS - number) * ((350 * DAY) / CONVERSATIONS),
  turns: number % 40 === 0 ? between(120, 400) : heavyTailed(2, 40, 1.4),
  model: MODELS[number % 3],
  messages: [],
}));
const parts = () => [
  { type: 'think', think: words(15) },
  {
    type: 'tool_call',
    tool_call: { id: hex(12), name: 'web_search', args: `{"query":"${words(3)}"}`, output: words(30), progress: 1 },
  },
  { type: 'text', text: words(40) },
];
const message = ({ conversationId, user, model }, number, time, parentMessageId) => {
  const isCreatedByUser = number % 2 === 0;
  return {
    messageId: randomUUID(),
    conversationId,
    user,
    parentMessageId,
    sender: isCreatedByUser ? 'User' : model,
    isCreatedByUser,
    model: isCreatedByUser ? null : model,
    endpoint: 'agents',
    text: isCreatedByUser || number % 3 !== 0 ? words(between(8, 50)) : '',
    ...(!isCreatedByUser && number % 3 === 0 ? { content: parts() } : {}),
    tokenCount: between(20, 900),
    error: false,
    unfinished: false,
    isTemporary: false,
    expiredAt: null,
    _meiliIndex: false,
    createdAt: new Date(time),
    updatedAt: new Date(time),
  };
};
const everything = conversations.flatMap((conversation) => {
  let parent = '00000000-0000-0000-0000-000000000000';
  return Array.from({ length: 2 * conversation.turns }, (_, number) => {
    const time = conversation.started + number * 40_000;
    const one = { _id: id(time), ...message(conversation, number, time, parent) };
    parent = one.messageId;
    conversation.messages.push(one._id);
    conversation.last = one;
    return one;
  });
});
await insertEach(Message.collection, everything.length, (number) => everything[number]);
await insertEach(Conversation.collection, CONVERSATIONS, (number) => {
  const { conversationId, user, started, model, messages, last } = conversations[number];
  return {
    _id: id(started),
    conversationId,
    user,
    title: words(4),
    endpoint: 'agents',
    agent_id: `agent_${hex(12)}`,
    model,
    messages,
    tags: [],
    files: [],
    chatProjectId: null,
    isArchived: false,
    isTemporary: false,
    expiredAt: null,
    createdAt: new Date(started),
    updatedAt: last.createdAt,
  };
});
await insertEach(Transaction.collection, 20_000, (number) => {
  const { conversationId, user, model } = choose(conversations);
  const created = Date.now() - below(350 * DAY);
  return {
    _id: id(created),
    user: new mongoose.Types.ObjectId(user),
    conversationId,
    tokenType: number % 2 === 0 ? 'prompt' : 'completion',
    model,
    context: 'message',
    rawAmount: -between(20, 4_000),
    rate: 3,
    tokenValue: -between(60, 12_000),
    createdAt: new Date(created),
    updatedAt: new Date(created),
  };
});
await insertEach(File.collection, 5_000, () => {
  const created = Date.now() - below(350 * DAY);
  const { conversationId, user } = choose(conversations);
  return {
    _id: id(created),
    user: new mongoose.Types.ObjectId(user),
    conversationId,
    file_id: randomUUID(),
    bytes: between(1_000, 900_000),
    filename: `${words(1)}.pdf`,
    filepath: `/uploads/${hex(20)}`,
    object: 'file',
    embedded: true,
    type: 'application/pdf',
    usage: 1,
    source: 'local',
    context: 'message_attachment',
    createdAt: new Date(created),
    updatedAt: new Date(created),
  };
});
await insertEach(models.Balance.collection, USERS, (number) => ({ user: users[number]._id, tokenCredits: 1_000_000 }));

for (const of of [
  User,
  Conversation,
  Message,
  Transaction,
  File,
  ConversationTag,
  SharedLink,
  models.Session,
  models.Balance,
])
  await of.syncIndexes();

// An afternoon, by its own methods: somebody signs in, sees the latest conversations and goes on with one.
await times(
  160,
  async (visit) => {
    const conversation = visit % 4 === 0 ? conversations[40 * below(CONVERSATIONS / 40)] : choose(conversations);
    const { conversationId, user, model } = conversation;
    await methods.getUserById(user, '-password');
    if (visit % 5 === 0) {
      const { refreshToken } = await methods.createSession(user);
      await methods.findSession({ userId: user, refreshToken });
    }
    await methods.getConvosByCursor(user, { limit: 25 });
    await methods.getConversationTags(user);
    await methods.getFiles({ user });
    await methods.getConvo(user, conversationId);
    await methods.getMessages({ conversationId, user });
    await methods.findBalanceByUser(user);
    for (let turn = 0; turn < 2; turn += 1) {
      const { messageId, text, sender, isCreatedByUser, endpoint } = message(conversation, turn, Date.now(), null);
      await methods.saveMessage(
        { userId: user },
        {
          messageId,
          conversationId,
          text,
          sender,
          isCreatedByUser,
          endpoint,
          model: isCreatedByUser ? null : model,
          tokenCount: 80,
        },
      );
      await methods.saveConvo({ userId: user }, { conversationId, endpoint, model });
    }
    await methods.createTransaction({
      user,
      conversationId,
      tokenType: 'prompt',
      model,
      valueKey: model,
      context: 'message',
      rawAmount: -500,
      balance: { enabled: false },
    });
    if (visit % 25 === 0)
      await methods.deleteConvos(user, { conversationId: choose(conversations).conversationId }, { allowEmpty: true });
  },
  4,
);
await mongoose.disconnect();
