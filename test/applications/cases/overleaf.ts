import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * overleaf/overleaf at 05565653, with the indexes of the Community Edition before its migrations of October 2023 (tools/migrations):
 * what these dropped is what its authors came to know as faults.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'contacts are kept by the ids of users, one more for each person somebody shares with',
    source: 'services/web Features/Contacts/ContactManager.mjs touchContact',
    severity: 'warning',
    checks: ['dynamic-field-names', 'uncapped-write'],
    collection: 'contacts',
    path: 'contacts',
  },
  {
    what: 'a notification is counted, then upserted by `user_id, key`, which no unique index holds',
    source: 'services/notifications Notifications.js addNotification, migration 20190912145014',
    severity: 'warning',
    checks: ['upsert-without-unique-index'],
    collection: 'notifications',
    path: 'key',
  },
  {
    what: 'a chat room is upserted by `project_id, thread_id`, which no unique index holds',
    source: 'services/chat ThreadManager.js findOrCreateThread, migration 20190912145026',
    severity: 'warning',
    checks: ['upsert-without-unique-index'],
    collection: 'rooms',
    path: 'project_id',
  },
  {
    what: '`docs.project_id_1` begins two others',
    source: 'dropped by migration 20231031164732',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'docs',
    path: 'project_id_1',
  },
  {
    what: '`tags.user_id_1` begins `user_id, name`',
    source: 'dropped by migration 20231031164732',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'tags',
    path: 'user_id_1',
  },
  {
    what: '`_id, lastOpened, active` finds nothing that `_id` does not',
    source: 'dropped by migration 20231031164732',
    severity: 'info',
    checks: ['redundant-index', 'useless-index', 'unused-index'],
    collection: 'projects',
    path: '_id_1_lastOpened_1_active_1',
  },
  {
    what: 'indexes on fields that no user has: `owner_ref`, `holdingAccount`, `auth_token`',
    source: 'dropped by migration 20231101191643',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'users',
  },
  {
    what: '`publicAccesLevel_1` has three values, nearly all of them one',
    source: 'dropped by migration 20231101191643',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'projects',
    path: 'publicAccesLevel_1',
  },
  {
    what: '17 indexes on users, of which seven were dropped',
    source: 'migrations 20190912145032, 20231101191643',
    severity: 'info',
    checks: ['too-many-indexes'],
    collection: 'users',
  },
  {
    what: 'folders within folders: files are addressed by positions, `rootFolder.0.folders.3.docs.5`',
    source: 'services/web models/Folder.mjs, ProjectEntityMongoUpdateHandler.mjs',
    severity: 'info',
    checks: ['deep-nesting'],
    collection: 'projects',
    path: 'rootFolder',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: "a text is kept as an array of its lines: a document's own content",
    source: 'services/docstore MongoManager.js upsertIntoDocCollection',
    checks: ['unbounded-array', 'fast-growing-array', 'uncapped-write', 'long-reference-array'],
    collection: 'docs',
  },
  {
    what: 'the docs of a project, by `project_id` with `deleted` or `inS3`',
    source: 'services/docstore MongoManager.js getProjectsDocs, getNonArchivedProjectDocIds',
    checks: ['collection-scan', 'poor-targeting', 'in-memory-sort', 'unselective-filter'],
    collection: 'docs',
  },
  {
    what: 'the latest chunk of a history, by a partial unique index',
    source: 'services/history-v1 chunk_store/mongo.js getLatestChunk, migration 20250411200550',
    checks: ['collection-scan', 'poor-targeting', 'in-memory-sort', 'unused-index'],
    collection: 'projectHistoryChunks',
  },
  {
    what: 'the latest messages of a room',
    source: 'services/chat MessageManager.js getMessages',
    checks: ['collection-scan', 'poor-targeting', 'in-memory-sort'],
    collection: 'messages',
  },
  {
    what: 'an address is unique as it is, and regardless of case: two indexes with different collations',
    source: 'migration 20190912145032',
    checks: ['redundant-index'],
    collection: 'users',
  },
  {
    what: "a person's projects, by six indexes on arrays of members",
    source: 'services/web CollaboratorsGetter.mjs getProjectsUserIsMemberOf',
    checks: ['collection-scan', 'poor-targeting', 'in-memory-sort'],
    collection: 'projects',
  },
  {
    what: 'invitations expire by a TTL index',
    source: 'services/web models/ProjectInvite.mjs, migration 20190912145023',
    checks: ['expired-documents', 'collection-scan', 'upsert-without-unique-index'],
    collection: 'projectInvites',
  },
  {
    what: 'who did something is kept in an audit log, and never searched',
    source: 'services/web models/ProjectAuditLogEntry.mjs',
    checks: ['unindexed-reference', 'collection-scan', 'mixed-types', 'bucket-candidate'],
    collection: 'projectAuditLogEntries',
  },
  {
    what: 'projects of a tag are always searched with the owner of the tag',
    source: 'services/web Features/Tags/TagsHandler.mjs',
    checks: ['unindexed-reference', 'collection-scan', 'unbounded-array'],
    collection: 'tags',
  },
];

export const OVERLEAF: Application = {
  name: 'overleaf',
  kind: 'LaTeX editor',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
