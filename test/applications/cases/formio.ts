import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * formio/formio at ff103279, with resourcejs 2.6.1. What is submitted to any form is in `submissions`, users included. The indexes
 * are those of src/db/install.js and of its Mongoose schemas; what is deleted is marked.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'a page of submissions that refer to others joins all of the form, before it sorts and takes ten',
    source: 'src/actions/properties/reference.js buildPipeline; resourcejs Resource.js indexQuery',
    severity: 'error',
    checks: ['early-lookup', 'heavy-lookup'],
    collection: 'submissions',
  },
  {
    what: 'that a value is unique is checked by a regular expression with /i over all submissions of the form',
    source: 'src/resources/Validator.js isUnique',
    severity: 'error',
    checks: ['case-insensitive-regex', 'unselective-filter', 'poor-targeting'],
    collection: 'submissions',
    path: 'data.phone',
  },
  {
    what: 'a login reads all users: only an upgrade creates the index of `data.email` that it needs, not an installation',
    source: 'src/authentication/index.js authenticate, src/db/updates/3.1.5.js, src/db/install.js',
    severity: 'warning',
    checks: ['poor-targeting', 'collection-scan', 'query-without-its-index', 'unselective-filter'],
    collection: 'submissions',
    path: 'data.email',
  },
  {
    what: 'each page of submissions counts all of the form',
    source: 'resourcejs Resource.js index',
    severity: 'warning',
    checks: ['full-count'],
    collection: 'submissions',
  },
  {
    what: 'pages far into the submissions skip',
    source: 'resourcejs Resource.js index',
    severity: 'warning',
    checks: ['deep-skip'],
    collection: 'submissions',
  },
  {
    what: 'a list that is sorted by a field of the form sorts all of its submissions',
    source: 'resourcejs Resource.js index sort; src/middleware/sortMongooseQuery.js',
    severity: 'warning',
    checks: ['in-memory-sort', 'poor-targeting'],
    collection: 'submissions',
    path: 'data.lastName',
  },
  {
    what: 'a list is filtered by a part of a field with /i over all submissions of the form',
    source: 'resourcejs Resource.js getFindQuery regex',
    severity: 'warning',
    checks: ['case-insensitive-regex', 'unselective-filter'],
    collection: 'submissions',
    path: 'data.lastName',
  },
  {
    what: 'what somebody has access to is found among all submissions of the form',
    source: 'src/middleware/submissionResourceAccessFilter.js getQuery',
    severity: 'warning',
    checks: ['poor-targeting', 'unselective-filter', 'query-without-its-index', 'in-memory-sort'],
    collection: 'submissions',
    path: 'access',
  },
  {
    what: '`form_1` and `form_1_deleted_1` begin `form_1_deleted_1_created_-1`',
    source: 'src/models/Submission.js',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'submissions',
    path: 'form_1',
  },
  {
    what: '`access.id_1` is on a field that no document has',
    source: 'src/db/install.js, src/models/AccessSchema.js',
    severity: 'warning',
    checks: ['useless-index'],
    collection: 'submissions',
    path: 'access.id',
  },
  {
    what: '`externalIds.created_1` and `externalIds.modified_1` are on fields that hardly any document has',
    source: 'src/models/Submission.js ExternalIdSchema, src/plugins/timestamps.js',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'submissions',
    path: 'externalIds',
  },
  {
    what: '`deleted_1` is null in nearly all documents',
    source: 'src/models/Submission.js',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'submissions',
    path: 'deleted_1',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the newest submissions of a form are walked by `form, deleted, created`',
    source: 'src/models/Submission.js',
    checks: ['redundant-index', 'useless-index', 'unused-index'],
    collection: 'submissions',
    path: 'form_1_deleted_1_created_-1',
  },
  {
    what: "somebody's own submissions are found by `owner_1`",
    source: 'src/middleware/ownerFilter.js',
    checks: ['useless-index', 'redundant-index'],
    collection: 'submissions',
    path: 'owner_1',
  },
  {
    what: 'submissions that another refers to are joined by `_id`',
    source: 'src/actions/properties/reference.js',
    checks: ['missing-lookup-index', 'lookup-type-mismatch'],
    collection: 'submissions',
  },
  {
    what: 'a form is found by its path, which an index holds',
    source: 'src/cache/cache.js loadFormByAlias',
    checks: ['collection-scan', 'poor-targeting', 'unindexed-query'],
    collection: 'forms',
  },
  {
    what: 'the actions of a form are found by it',
    source: 'src/actions/actions.js loadActions',
    checks: ['collection-scan', 'poor-targeting'],
    collection: 'actions',
  },
  {
    what: 'tokens go away by a TTL',
    source: 'src/models/Token.js',
    checks: ['ttl-without-effect', 'useless-index', 'collection-scan'],
    collection: 'tokens',
  },
];

export const FORMIO: Application = {
  name: 'formio',
  kind: 'form builder',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
