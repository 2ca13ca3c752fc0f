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
  findings: [],
  missed: [],
};
