import type { Application } from '../application.js';

export const LANGCHAIN_CHAT: Application = {
  name: 'langchain-chat',
  kind: 'chat history',
  packages: { '@langchain/mongodb': '1.3.1', '@langchain/core': '1.4.0', mongodb: '7.9.0' },
  expectedBefore: {
    useful: [
      'one document a conversation, whose `messages` grow without a bound',
      '`sessionId` has no index: each message scans all conversations',
    ],
    noise: ["the nesting and types of `messages[].data`, which are LangChain's", 'a validator'],
  },
  findings: [
    {
      check: 'collection-scan',
      collection: 'memory',
      path: 'sessionId_1',
      severity: 'error',
      verdict: 'useful',
      why: 'each message scans all conversations',
    },
    {
      check: 'unbounded-array',
      collection: 'memory',
      path: 'messages',
      severity: 'warning',
      verdict: 'useful',
      why: 'a conversation grows without a bound',
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'memory',
      path: 'sessionId_1',
      severity: 'error',
      verdict: 'useful',
      why: 'a session is upserted by its id, without an index: two first messages at once make two histories',
    },
  ],
  missed: [],
};
