import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * Infisical/infisical before it left MongoDB, at the end of 2023: the models of backend/src/models and backend/src/ee/models at
 * 4d3fdbfb and 3447074e, auditLog.ts at 87984a70. Three indexes are all that they declare.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'the secrets of a folder are found by a scan of the secrets of all projects, twice for each call of a program or cluster',
    source: 'helpers/secrets.ts getSecretsHelper, getSecretHelper at 2645a119; models/secret.ts; issue 302',
    severity: 'error',
    checks: ['collection-scan'],
    collection: 'secrets',
  },
  {
    what: 'secrets that are imported: those of the whole project are grouped, whole, and only then are the wanted folders matched',
    source: 'services/SecretImportService.ts getAllImportedSecrets at 1e1ad450',
    severity: 'warning',
    checks: ['computed-value', 'poor-targeting', 'unbounded-find', 'a $match behind the $group that it could precede'],
    collection: 'secrets',
  },
  {
    what: 'secrets that override a shared one are deleted by `workspaceId`, which no secret has: none is, and all are scanned',
    source: 'helpers/secrets.ts deleteSecretHelper at 2645a119',
    severity: 'warning',
    checks: ['collection-scan', 'a condition on a field that no document has'],
    collection: 'secrets',
    path: 'workspaceId',
  },
  {
    what: '`tags_1` is on lists of which most are empty, and no query asks for them',
    source: 'models/secret.ts secretSchema.index',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'secrets',
    path: 'tags',
  },
  {
    what: 'the versions of secrets have no index: each write scans all versions for the latest, and so does the history of one',
    source:
      'ee/helpers/secret.ts takeSecretSnapshotHelper at df662b10; ee/controllers/v1/secretController.ts getSecretVersions',
    severity: 'warning',
    checks: ['collection-scan', 'in-memory-sort', 'unindexed-reference', 'computed-value'],
    collection: 'secretversions',
  },
  {
    what: 'snapshots have no index: each write scans all for the latest of the project, and the list of a folder scans and sorts them',
    source:
      'ee/helpers/secret.ts takeSecretSnapshotHelper at df662b10; ee/controllers/v1/workspaceController.ts at 53ac0569',
    severity: 'warning',
    checks: ['collection-scan', 'in-memory-sort', 'full-count', 'unindexed-reference'],
    collection: 'secretsnapshots',
  },
  {
    what: 'each page of the audit log sorts all that was ever done in the project, as `workspace_1` has no `createdAt`',
    source:
      'ee/controllers/v1/workspaceController.ts getWorkspaceAuditLogs at 53ac0569; fixed later by pull request 1759',
    severity: 'warning',
    checks: ['in-memory-sort', 'poor-targeting', 'query-without-its-index'],
    collection: 'auditlogs',
  },
  {
    what: 'the folders of a project are scanned for at each call, though there is one tree for each environment',
    source: 'services/FolderService.ts getFolderIdFromServiceToken; models/folder.ts',
    severity: 'warning',
    checks: ['collection-scan', 'unindexed-reference'],
    collection: 'folders',
  },
  {
    what: 'whether somebody is a member of a project is scanned for at each call',
    source: 'ee/services/ProjectRoleService.ts getAuthDataProjectPermissions at 097a8cae; models/membership.ts',
    severity: 'warning',
    checks: ['collection-scan', 'unindexed-reference'],
    collection: 'memberships',
  },
  {
    what: 'the versions of folders are scanned and sorted at each write',
    source: 'ee/helpers/secret.ts takeSecretSnapshotHelper at df662b10; ee/models/folderVersion.ts',
    severity: 'warning',
    checks: ['collection-scan', 'in-memory-sort', 'unindexed-reference'],
    collection: 'folderversions',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'audits end by a TTL of their own plan',
    source: 'ee/models/auditLog/auditLog.ts expiresAt at 87984a70',
    checks: ['useless-index', 'unused-index', 'redundant-index'],
    collection: 'auditlogs',
    path: 'expiresAt',
  },
  {
    what: 'what an event is about is different for each type, and its fields are texts and numbers, each of one type',
    source: 'ee/models/auditLog/types.ts Event',
    checks: ['mixed-types', 'dynamic-field-names', 'missing-validator'],
    collection: 'auditlogs',
    path: 'event.metadata',
  },
  {
    what: 'a tree of folders is small, a few levels deep, and read whole to find a path',
    source: 'models/folder.ts; services/FolderService.ts getFolderByPath',
    checks: ['deep-nesting', 'unbounded-array', 'bloated-document'],
    collection: 'folders',
    path: 'nodes',
  },
  {
    what: 'a machine is known by the `_id` of its token, and counted there',
    source: 'utils/authn/authModeValidators/identity.ts at 50ef23e8',
    checks: ['collection-scan', 'poor-targeting', 'unindexed-reference'],
    collection: 'identityaccesstokens',
  },
  {
    what: 'a session is found by its `_id` and updated, once a request',
    source: 'utils/authn/authModeValidators/jwt.ts at 176d9254',
    checks: ['collection-scan', 'poor-targeting'],
    collection: 'tokenversions',
  },
];

export const INFISICAL: Application = {
  name: 'infisical',
  kind: 'secret manager',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
