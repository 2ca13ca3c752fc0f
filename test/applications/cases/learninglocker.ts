import type { Application, KnownFault, SoundDesign } from '../application.js';

/** LearningLocker/learninglocker at 5fec948a. The indexes are those of cli/src/commands/v2-migrations and lib/models. */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'charts group all statements of an organisation in a range of time, whenever a dashboard is opened',
    source: 'ui/src/utils/visualisations/aggregationGroup; lib/models/statement.js streamAggregation',
    severity: 'warning',
    checks: ['computed-value', 'unselective-filter', 'poor-targeting', 'in-memory-sort'],
    collection: 'statements',
  },
  {
    what: 'a chart by an attribute of people joins each statement to it before it groups them',
    source: 'ui/src/utils/visualisations/aggregationGroup/grouper/index.js createPersonaAttributeStages',
    severity: 'warning',
    checks: ['early-lookup', 'heavy-lookup'],
    collection: 'statements',
  },
  {
    what: 'the statements of an address are found within the organisation: `mbox` stands behind two fields that are not asked for',
    source: 'lib/services/persona/asignIdentifierToStatements.js; 20171122100800_common_indexes.js',
    severity: 'warning',
    checks: ['poor-targeting', 'collection-scan', 'unselective-filter'],
    collection: 'statements',
    path: 'mbox',
  },
  {
    what: '`org_objId` begins `org_objId_objType`',
    source: '20171122100800_common_indexes.js',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'statements',
    path: 'org_objId',
  },
  {
    what: '`org_voided` begins none, and has two values in each organisation',
    source: '20171122100800_common_indexes.js',
    severity: 'info',
    checks: ['useless-index', 'unused-index', 'redundant-index', 'too-many-indexes'],
    collection: 'statements',
  },
  {
    what: '`organisation_1` begins the unique `organisation, searchString`',
    source: 'lib/models/querybuildercache.js',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'queryBuilderCaches',
    path: 'organisation_1',
  },
  {
    what: 'values are searched by an expression within, by /i, among those of a path',
    source: 'lib/models/querybuildercachevalue.js; ui autocompletion',
    severity: 'warning',
    checks: ['case-insensitive-regex'],
    collection: 'queryBuilderCacheValues',
    path: 'searchString',
  },
  {
    what: 'the statements of each organisation are counted by a job',
    source: 'worker/src/handlers/orgUsageTracker/initializeOrgStatsList.js',
    severity: 'info',
    checks: ['full-count'],
    collection: 'statements',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the source page reads the newest by `organisation, timestamp, _id`',
    source: 'lib/models/statement.js schema.index',
    checks: ['collection-scan', 'in-memory-sort', 'unused-index'],
    collection: 'statements',
    path: 'timestamp',
  },
  {
    what: 'the interface for statements reads the newest of a store by an index that ends in its order',
    source: '20171122100800_common_indexes.js org_lrs_voided_stored__id',
    checks: ['collection-scan', 'in-memory-sort', 'redundant-index'],
    collection: 'statements',
    path: 'stored',
  },
  {
    what: 'a statement is kept once, by its hash',
    source: '20171122100800_common_indexes.js org_lrs_hash',
    checks: ['upsert-without-unique-index', 'redundant-index', 'useless-index'],
    collection: 'statements',
    path: 'hash',
  },
  {
    what: 'values are upserted by a unique triple',
    source: 'lib/services/querybuildercache/saveCacheValues.js',
    checks: ['upsert-without-unique-index', 'collection-scan'],
    collection: 'queryBuilderCacheValues',
  },
  {
    what: 'the attribute is joined by `personaId, key`, by `$expr`',
    source: '20190212150000_personaAttributes_indexes.js',
    checks: ['missing-lookup-index', 'unindexed-reference', 'lookup-type-mismatch'],
    collection: 'personaAttributes',
  },
  {
    what: 'an identifier is upserted by a unique pair whose second is a document',
    source: '@learninglocker/persona-service',
    checks: ['upsert-without-unique-index', 'collection-scan'],
    collection: 'personaIdentifiers',
  },
  {
    what: 'the name of a person is copied into their statements, and changed with it',
    source: 'lib/services/persona/reasignPersonaStatements.js',
    checks: ['denormalized-drift', 'dangling-reference'],
    collection: 'statements',
    path: 'person',
  },
];

export const LEARNINGLOCKER: Application = {
  name: 'learninglocker',
  kind: 'store of learning records',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [
    {
      check: 'full-count',
      collection: 'statements',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'a job counts the statements of each organisation',
    },
    {
      check: 'redundant-index',
      collection: 'statements',
      path: 'org_objId',
      severity: 'info',
      verdict: 'useful',
      why: 'it begins `org_objId_objType`',
    },
    {
      check: 'useless-index',
      collection: 'statements',
      path: 'org_voided',
      severity: 'info',
      verdict: 'useful',
      why: 'four organisations, of which few statements are voided',
    },
    {
      check: 'redundant-index',
      collection: 'queryBuilderCaches',
      path: 'organisation_1',
      severity: 'info',
      verdict: 'useful',
      why: 'it begins the unique `organisation, searchString`',
    },
    {
      check: 'computed-value',
      collection: 'statements',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'the same chart is computed from all statements of an organization',
    },
  ],
  missed: [
    'the chart by an attribute: it groups by what it joins, so nothing comes before the join',
    'the label of `mbox` was wrong: the server skips from store to store in the index, 18 keys for 11 statements',
    'values are compared by /i among 180 of a path, cheap each time',
    'the counts of the job: eight in all',
  ],
};
