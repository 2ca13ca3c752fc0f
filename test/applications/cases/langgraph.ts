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
  findings: [
    {
      check: 'upsert-without-unique-index',
      collection: 'checkpoints',
      path: 'checkpoint_id_1_checkpoint_ns_1_thread_id_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'no index holds the key of a checkpoint, and the Python package of the same project creates a unique one',
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'checkpoint_writes',
      path: 'checkpoint_id_1_checkpoint_ns_1_idx_1_task_id_1_thread_id_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'the same of the writes of a checkpoint, which are sent again at a retry',
    },
  ],
  missed: [
    '`setup` creates the indexes, and each turn adds a checkpoint with the whole state: no single document is large, so that no check sees what a thread costs',
  ],
};
