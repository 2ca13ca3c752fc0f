import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * telefonicaid/fiware-orion, doc/manuals/admin (a context broker), and telefonicaid/fiware-sth-comet at a54984f3, its history, a
 * collection for each service path. The broker creates no index but that of places, and advises others.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'an entity is found by parts of its `_id`, which have no index, at each update and query',
    source:
      'perf_tuning.md, Database indexes; extra/indexes_analysis.md: 12 queries a second of 100,000 entities, 2,225 with it',
    severity: 'error',
    checks: ['collection-scan', 'poor-targeting'],
    collection: 'entities',
    path: '_id.id',
  },
  {
    what: 'a page of a type reads all entities, sorts them by their creation, and counts them',
    source: 'perf_tuning.md: _id.type, _id.servicePath, creDate',
    severity: 'warning',
    checks: ['collection-scan', 'in-memory-sort', 'unselective-filter', 'deep-skip', 'full-count'],
    collection: 'entities',
    path: '_id.type',
  },
  {
    what: 'the types and their attributes are grouped out of all entities',
    source: 'mongoQueryTypes.cpp; perf_tuning.md',
    severity: 'info',
    checks: ['computed-value', 'collection-scan', 'unselective-filter'],
    collection: 'entities',
  },
  {
    what: 'the values of one sensor are found by the time alone: the unique index begins with it',
    source: 'sthDatabase.js setRawDataUniqueIndex, getRawData',
    severity: 'warning',
    checks: ['poor-targeting', 'collection-scan', 'unselective-filter'],
    collection: 'sth_/madrid',
  },
  {
    what: 'numbers are kept as text',
    source: 'sthDatabase.js storeRawData',
    severity: 'info',
    checks: ['typed-values-as-strings', 'mixed-types'],
    collection: 'sth_/madrid',
    path: 'attrValue',
  },
  {
    what: 'a document for each value of a sensor, outside of a time series',
    source: 'sthDatabase.js insertRawData',
    severity: 'info',
    checks: ['bucket-candidate'],
    collection: 'sth_/madrid',
  },
  {
    what: 'the sums of a sensor are found by parts of their `_id`, which have no index, at each value that arrives',
    source: 'sthDatabase.js getAggregateUpdateCondition, getAggregatedData',
    severity: 'error',
    checks: ['collection-scan', 'poor-targeting'],
    collection: 'sth_/madrid.aggr',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'sums are upserted by all parts of their `_id`, which is unique',
    source: 'sthDatabase.js storeAggregatedData4Resolution',
    checks: ['upsert-without-unique-index'],
    collection: 'sth_/madrid.aggr',
  },
  {
    what: 'the points of sums are filled in advance: 24, 31 or 60',
    source: 'sthDatabase.js getAggregatePrepopulatedData',
    checks: ['unbounded-array', 'fast-growing-array', 'uncapped-write', 'rebuilt-array'],
    collection: 'sth_/madrid.aggr',
  },
  {
    what: 'values go away by a TTL index, which begins the unique one',
    source: 'sthDatabase.js setTTLPolicy',
    checks: ['redundant-index', 'ttl-without-effect', 'expired-documents'],
    collection: 'sth_/madrid',
  },
  {
    what: 'the attributes of an entity are a map whose names are those of its type',
    source: 'database_model.md, entities',
    checks: ['dynamic-field-names', 'deep-nesting'],
    collection: 'entities',
    path: 'attrs',
  },
  {
    what: 'the names of attributes are a list beside them',
    source: 'database_model.md, entities',
    checks: ['unbounded-array', 'fast-growing-array', 'large-multikey-index'],
    collection: 'entities',
    path: 'attrNames',
  },
  {
    what: 'entities near a place are found by its 2dsphere index',
    source: 'perf_tuning.md',
    checks: ['useless-index', 'unused-index', 'in-memory-sort'],
    collection: 'entities',
    path: 'location',
  },
  {
    what: 'the subscriptions are read whole each minute: some hundreds',
    source: 'perf_tuning.md, Subscription cache',
    checks: ['collection-scan', 'unbounded-find', 'full-count', 'unselective-filter'],
    collection: 'csubs',
  },
];

export const FIWARE: Application = {
  name: 'fiware',
  kind: 'context broker and history of sensors',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [
    {
      check: 'collection-scan',
      collection: 'entities',
      path: '_id.id_1__id.type_1_creDate_1__id.servicePath_1',
      severity: 'error',
      verdict: 'useful',
      why: 'an entity is found among all at each update, as the manual says',
    },
    {
      check: 'collection-scan',
      collection: 'sth_/madrid',
      path: 'entityId_1_attrName_1_entityType_1_recvTime_-1',
      severity: 'warning',
      verdict: 'useful',
      why: 'the values of a sensor are counted by a scan, and its days are found by the index of their time: one index serves both',
    },
    {
      check: 'collection-scan',
      collection: 'entities',
      path: '_id.type_1_creDate_1__id.servicePath_1_attrs.temperature.value_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'a page of a type reads and sorts all entities',
    },
    {
      check: 'collection-scan',
      collection: 'entities',
      path: '_id.type_1__id.servicePath_1__id.id_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'those of a type and path are counted, and searched by a part of their id, among all',
    },
    {
      check: 'poor-targeting',
      collection: 'sth_/madrid.aggr',
      path: '_id.attrName_1__id.entityId_1__id.resolution_1__id.entityType_1__id.origin_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'the sums of a sensor are found by the time alone',
    },
    {
      check: 'deep-skip',
      collection: 'entities',
      path: null,
      severity: 'info',
      verdict: 'useful',
      why: 'pages of a type are reached by skipping',
    },
    {
      check: 'collection-scan',
      collection: 'entities',
      path: null,
      severity: 'info',
      verdict: 'useful',
      why: 'the types are grouped out of all entities, and no index helps',
    },
    {
      check: 'useless-index',
      collection: 'entities',
      path: 'expDate_1',
      severity: 'info',
      verdict: 'noise',
      why: 'for entities that expire, which nobody has yet',
    },
    {
      check: 'full-count',
      collection: 'sth_/madrid',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'all values of a sensor are counted for a page of them',
    },
  ],
  missed: [
    'numbers as text: no other collection holds `attrValue` as a number',
    'a document for each value: what tells one source from another is two fields together',
  ],
};
