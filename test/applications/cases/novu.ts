import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * novuhq/novu at 74a2e9a6, libs/dal/src/repositories. The indexes are those of its Mongoose schemas; each collection is shared by
 * the environments of all organisations, and what is deleted is marked.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'the preferences of somebody for a workflow have no index, and are asked for at each notification',
    source: 'preferences.schema.ts; get-preferences.usecase.ts',
    severity: 'warning',
    checks: ['collection-scan'],
    collection: 'preferences',
    path: '_subscriberId',
  },
  {
    what: 'the search for people compares the addresses of an environment by /i',
    source: 'subscriber.repository.ts searchSubscribers',
    severity: 'warning',
    checks: ['case-insensitive-regex'],
    collection: 'subscribers',
    path: 'email',
  },
  {
    what: 'the list of people pages by skip, and counts them on each page',
    source: 'get-subscribers.usecase.ts; subscriber.schema.ts',
    severity: 'warning',
    checks: ['deep-skip', 'full-count'],
    collection: 'subscribers',
  },
  {
    what: 'the statistics read a month of notifications each time',
    source: 'notification.repository.ts getStats, getActivityGraphStats',
    severity: 'warning',
    checks: ['computed-value', 'unselective-filter', 'full-count'],
    collection: 'notifications',
  },
  {
    what: '`_environmentId_1` has six values',
    source: 'job.schema.ts',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'jobs',
    path: '_environmentId_1',
  },
  {
    what: '`_environmentId_1` has six values',
    source: 'execution-details.schema.ts',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'executiondetails',
    path: '_environmentId_1',
  },
  {
    what: 'who is in a topic is found by the index of one of five fields',
    source: 'topic-subscribers.schema.ts; topic-subscribers.repository.ts getTopicSubscriber',
    severity: 'info',
    checks: ['poor-targeting', 'useless-index', 'unused-index', 'unstable-plan'],
    collection: 'topicsubscribers',
  },
  {
    what: 'the workflow of a job is an ObjectId kept as text',
    source: 'job.schema.ts _templateId: String',
    severity: 'info',
    checks: ['typed-values-as-strings', 'lookup-type-mismatch', 'mixed-types'],
    collection: 'jobs',
    path: '_templateId',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the inbox is read newest first through six fields of one index, two of them by lists of both values',
    source: 'message.schema.ts; message.repository.ts findBySubscriberChannel, getCount',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting', 'long-in-list'],
    collection: 'messages',
    path: '_subscriberId',
  },
  {
    what: 'messages, notifications, jobs and details go away by TTL indexes',
    source: 'getTTLOptions',
    checks: ['ttl-without-effect', 'expired-documents', 'unused-index', 'useless-index'],
    collection: 'messages',
    path: 'expireAt',
  },
  {
    what: 'people are upserted by a unique pair and the organisation that goes with it',
    source: 'subscriber.repository.ts bulkCreateSubscribers',
    checks: ['upsert-without-unique-index'],
    collection: 'subscribers',
  },
  {
    what: 'the activity of an environment is read by `_environmentId, createdAt`',
    source: 'notification.repository.ts getFeed',
    checks: ['collection-scan', 'in-memory-sort', 'redundant-index'],
    collection: 'notifications',
    path: '_environmentId',
  },
  {
    what: 'a digest is found by five fields of one index',
    source: 'job.repository.ts shouldDelayDigestJobOrMerge',
    checks: ['collection-scan', 'poor-targeting', 'redundant-index'],
    collection: 'jobs',
    path: '_subscriberId',
  },
  {
    what: 'the jobs of ten notifications are populated by `_notificationId`',
    source: 'notification.repository.ts populateFeed',
    checks: ['collection-scan', 'poor-targeting', 'n-plus-one-query', 'unindexed-reference'],
    collection: 'jobs',
    path: '_notificationId',
  },
  {
    what: 'the details of these jobs are populated by `_jobId`',
    source: 'notification.repository.ts populateFeed',
    checks: ['collection-scan', 'poor-targeting', 'n-plus-one-query', 'unindexed-reference'],
    collection: 'executiondetails',
    path: '_jobId',
  },
];

export const NOVU: Application = {
  name: 'novu',
  kind: 'notifications of tenants',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
