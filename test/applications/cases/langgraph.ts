import type { Application } from '../application.js';

export const LANGGRAPH: Application = {
  name: 'langgraph',
  kind: 'agent checkpoints',
  packages: {
    '@langchain/langgraph-checkpoint-mongodb': '1.4.1',
    '@langchain/langgraph': '1.7.3',
    '@langchain/core': '1.4.0',
    mongodb: '6.22.0',
  },
  expectedBefore: {
    useful: [
      'reads by `thread_id` have no index that serves them, if `setup` makes none',
      'each checkpoint holds the whole state: documents grow with the conversation',
    ],
    noise: ['checkpoints as measurements to be bucketed', 'a validator'],
  },
  findings: [],
  missed: [
    '`setup` creates the indexes, and each turn adds a checkpoint with the whole state: no single document is large, so that no check sees what a thread costs',
  ],
};
