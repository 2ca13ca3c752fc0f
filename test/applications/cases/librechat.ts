import type { Application, KnownFault, SoundDesign } from '../application.js';

/** Driven by its own package: models, indexes and methods are those of @librechat/data-schemas. */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'a conversation keeps the ids of all its messages, read again and written back whole at each turn, though each message has the id of its conversation',
    source: 'saveConvo in src/methods/conversation.ts',
    severity: 'warning',
    checks: ['unbounded-array', 'long-reference-array', 'fast-growing-array', 'uncapped-write', 'rebuilt-array'],
    collection: 'conversations',
    path: 'messages',
  },
  {
    what: 'each turn of a conversation maintains some 25 indexes',
    source: 'src/schema/convo.ts',
    severity: 'warning',
    checks: ['too-many-indexes'],
    collection: 'conversations',
  },
  {
    what: '`user_1`, `conversationId_1` and `tenantId_1` begin others',
    source: 'src/schema/convo.ts: `index: true` beside compound indexes',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'conversations',
  },
  {
    what: '`messageId_1`, `conversationId_1`, `user_1` and `tenantId_1` begin others',
    source: 'src/schema/message.ts: `index: true` beside compound indexes',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'messages',
  },
  {
    what: 'each message is written to some 15 indexes',
    source: 'src/schema/message.ts',
    severity: 'info',
    checks: ['too-many-indexes'],
    collection: 'messages',
  },
  {
    what: '`tenantId_1`: no document of an installation without tenants has it',
    source: 'src/schema/transaction.ts',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'transactions',
    path: 'tenantId',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the messages of a conversation in order, by `conversationId, user, createdAt, _id`',
    source: 'getMessages in src/methods/message.ts, src/schema/message.ts',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting'],
    collection: 'messages',
  },
  {
    what: "the sidebar: a person's latest conversations, by `user, isArchived, updatedAt, _id`",
    source: 'getConvosByCursor in src/methods/conversation.ts, src/schema/convo.ts',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting'],
    collection: 'conversations',
  },
  {
    what: 'a message is upserted by `messageId, user`: the unique `messageId, user, tenantId` holds it, since there is no tenant',
    source: 'saveMessage in src/methods/message.ts, src/schema/message.ts',
    checks: ['upsert-without-unique-index'],
    collection: 'messages',
  },
  {
    what: 'a conversation is upserted by `conversationId, user`, held the same way',
    source: 'saveConvo in src/methods/conversation.ts, src/schema/convo.ts',
    checks: ['upsert-without-unique-index'],
    collection: 'conversations',
  },
  {
    what: 'sessions, by `user, refreshTokenHash`, deleted by a TTL index',
    source: 'src/methods/session.ts, src/schema/session.ts',
    checks: ['collection-scan', 'poor-targeting', 'expired-documents'],
    collection: 'sessions',
  },
  {
    what: 'an answer consists of parts of different kinds',
    source: 'src/schema/message.ts content',
    checks: ['mixed-types', 'unbounded-array', 'deep-nesting', 'dynamic-field-names'],
    collection: 'messages',
  },
  {
    what: 'a ledger of what was spent is no series of measurements',
    source: 'src/schema/transaction.ts',
    checks: ['bucket-candidate', 'unbounded-find'],
    collection: 'transactions',
  },
  {
    what: 'a partial unique index for each provider that somebody may sign in with',
    source: 'src/schema/user.ts',
    checks: ['redundant-index', 'too-many-indexes'],
    collection: 'users',
  },
];

export const LIBRECHAT: Application = {
  name: 'librechat',
  kind: 'chat with models',
  packages: {
    '@librechat/data-schemas': '0.0.71',
    mongoose: '8.24.10',
    'librechat-data-provider': '0.8.524',
    jsonwebtoken: '9.0.3',
    dotenv: '16.6.1',
    klona: '2.0.6',
    lodash: '4.17.23',
    meilisearch: '0.38.0',
    nanoid: '3.3.18',
    winston: '3.19.0',
    'winston-daily-rotate-file': '5.0.0',
  },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
