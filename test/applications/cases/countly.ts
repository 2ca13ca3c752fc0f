import type { Application, KnownFault, SoundDesign } from '../application.js';

const APP = '5f1a7c3e9b2d4e6f8a0c1b3d';
/** Its name ends with a hash of the event, `login`, and the application. */
const EVENTS_OF_ONE = 'events686cd786c7488b1cc5e4db7be6a202677c1e6f64';

/**
 * Countly/countly-server with one application: the indexes that api/parts/mgmt/apps.js and plugins/crashes create with it, and those
 * of the plugins' install.js. Crashes at cf6f8346, tasks at 56a853d7, events at 2f5ed753, consents at 00f61ac2, logs of the system at
 * 00b01009. Its driver counts by `count`, which reads nothing if there is no condition.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'whether the same report is running is asked of all tasks, as these have no index, before each export or query of the database',
    source: 'api/utils/taskmanager.js checkIfRunning; bin/scripts/add_indexes.js has none for long_tasks',
    severity: 'error',
    checks: ['collection-scan', 'poor-targeting'],
    collection: 'long_tasks',
  },
  {
    what: 'the list of reports scans all tasks twice, to count them and to sort them by `end`, with results that it leaves out',
    source: 'api/utils/taskmanager.js getTableQueryResult',
    severity: 'warning',
    checks: ['in-memory-sort', 'full-count', 'query-without-its-index'],
    collection: 'long_tasks',
  },
  {
    what: 'the result of a report is a text in its document, however long, which lists and looks for what is running read past',
    source: 'api/utils/taskmanager.js saveResult, without gridfs',
    severity: 'warning',
    checks: ['bloated-document', 'outlier-document', 'oversized-document'],
    collection: 'long_tasks',
  },
  {
    what: 'devices are searched by a part of their id, whatever its case: all keys of `did_1` are read, twice, or the whole collection',
    source: 'plugins/compliance-hub/api/api.js /o/app_users/consents',
    severity: 'error',
    checks: ['case-insensitive-regex', 'collection-scan', 'poor-targeting'],
    collection: `app_users${APP}`,
    path: 'did',
  },
  {
    what: 'crashes are searched by a part of their name, whatever its case, though a text index was meant for it',
    source: 'plugins/crashes/api/api.js method crashes, sSearch; the line with $text is a comment',
    severity: 'warning',
    checks: ['case-insensitive-regex', 'collection-scan', 'poor-targeting'],
    collection: `app_crashgroups${APP}`,
    path: 'name',
  },
  {
    what: 'each page of the crashes counts all that are not hidden or not resolved, which most are',
    source: 'plugins/crashes/api/api.js method crashes, cursor.count',
    severity: 'warning',
    checks: ['full-count', 'poor-targeting', 'collection-scan'],
    collection: `app_crashgroups${APP}`,
  },
  {
    what: 'a group of crashes counts by devices, versions and values of its own fields, as names of fields',
    source: 'plugins/crashes/api/api.js processCrash, "custom.key.value"',
    severity: 'warning',
    checks: ['dynamic-field-names'],
    collection: `app_crashgroups${APP}`,
  },
  {
    what: 'the values of the segments of an event are names of fields, up to a thousand for each',
    source: 'api/parts/data/events.js processEvents, meta_v2',
    severity: 'warning',
    checks: ['dynamic-field-names'],
    collection: EVENTS_OF_ONE,
  },
  {
    what: 'who had a crash is upserted by `group` and `uid`, whose index is not unique: two requests at once insert them twice',
    source: 'plugins/crashes/api/api.js app_crashusers findAndModify; /i/apps/create',
    severity: 'warning',
    checks: ['upsert-without-unique-index', 'concurrent upserts can insert duplicates: no unique index prevents it'],
    collection: `app_crashusers${APP}`,
  },
  {
    what: 'what was done is an object, but a text of JSON for tasks',
    source:
      'api/utils/taskmanager.js createTask, data: JSON.stringify(update); plugins/systemlogs/api/api.js recordAction, log.i',
    severity: 'info',
    checks: ['mixed-types'],
    collection: 'systemlogs',
    path: 'i',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the newest hundred reports of a crash are the end of an index',
    source: 'plugins/crashes/api/api.js method crashes, group',
    checks: ['in-memory-sort', 'collection-scan', 'poor-targeting'],
    collection: `app_crashes${APP}`,
    path: 'group',
  },
  {
    what: 'who is affected is counted by the keys of an index, and no document is read',
    source: 'plugins/crashes/api/api.js delete, recalculate users',
    checks: ['collection-scan', 'unused-index', 'useless-index', 'redundant-index'],
    collection: `app_crashusers${APP}`,
    path: 'group_1_crashes_1_fatal_1',
  },
  {
    what: 'requests are kept in a capped collection of a thousand, and read whole',
    source: 'plugins/logger/api/api.js at 07dae6aa',
    checks: ['collection-scan', 'unbounded-find', 'bucket-candidate'],
    collection: `logs${APP}`,
  },
  {
    what: 'sums of a month by day and hour, known by their `_id`: names of fields, but numbers that end at 31 and 23',
    source: 'api/utils/common.js recordCustomMetric; plugins/crashes/api/api.js crashdata',
    checks: ['dynamic-field-names', 'deep-nesting', 'bloated-document'],
    collection: 'crashdata',
  },
  {
    what: 'the newest lines of the log are the end of `ts_1`, and their number is that of the metadata',
    source: 'plugins/systemlogs/api/api.js method systemlogs',
    checks: ['in-memory-sort', 'collection-scan', 'full-count'],
    collection: 'systemlogs',
  },
  {
    what: 'a user of the application is found and updated by `_id`, a hash of its key and the device',
    source: 'api/parts/mgmt/app_users.js create; api/parts/mgmt/apps.js getAppsDetails',
    checks: ['in-memory-sort', 'upsert-without-unique-index', 'mixed-types'],
    collection: `app_users${APP}`,
    path: 'lac',
  },
];

export const COUNTLY: Application = {
  name: 'countly',
  kind: 'mobile analytics',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [
    {
      check: 'full-count',
      collection: 'app_crashusers5f1a7c3e9b2d4e6f8a0c1b3d',
      path: null,
      severity: 'info',
      verdict: 'noise',
      why: 'a count of keys that takes 2 ms, five times',
    },
    {
      check: 'case-insensitive-regex',
      collection: 'app_crashgroups5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'name',
      severity: 'warning',
      verdict: 'useful',
      why: 'somebody types a part of a name',
    },
    {
      check: 'dynamic-field-names',
      collection: 'app_crashgroups5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'custom.build',
      severity: 'warning',
      verdict: 'useful',
      why: 'names are data, one for each thing that is counted',
    },
    {
      check: 'dynamic-field-names',
      collection: 'app_crashgroups5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'custom.screen',
      severity: 'warning',
      verdict: 'useful',
      why: 'names are data, one for each thing that is counted',
    },
    {
      check: 'poor-targeting',
      collection: 'app_crashgroups5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'is_resolved_1_is_resolving_1_is_hidden_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'an index would find fewer',
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'app_crashgroups5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'groups_1',
      severity: 'info',
      verdict: 'noise',
      why: 'two at once insert it twice',
    },
    {
      check: 'mixed-types',
      collection: 'app_crashusers5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'group',
      severity: 'warning',
      verdict: 'useful',
      why: 'two types of one field',
    },
    {
      check: 'upsert-without-unique-index',
      collection: 'app_crashusers5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'group_1_uid_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'two at once insert it twice',
    },
    {
      check: 'case-insensitive-regex',
      collection: 'app_users5f1a7c3e9b2d4e6f8a0c1b3d',
      path: 'did',
      severity: 'error',
      verdict: 'useful',
      why: 'somebody types a part of a name',
    },
    {
      check: 'collection-scan',
      collection: 'long_tasks',
      path: 'manually_create_1_app_id_1_end_-1',
      severity: 'warning',
      verdict: 'useful',
      why: 'no index finds them',
    },
    {
      check: 'collection-scan',
      collection: 'long_tasks',
      path: 'request_1_status_1',
      severity: 'error',
      verdict: 'useful',
      why: 'no index finds them',
    },
    {
      check: 'collection-scan',
      collection: 'long_tasks',
      path: null,
      severity: 'info',
      verdict: 'useful',
      why: 'no index finds them',
    },
    {
      check: 'unindexed-reference',
      collection: 'long_tasks',
      path: 'creator',
      severity: 'info',
      verdict: 'noise',
      why: 'who refers to it is found by a scan',
    },
    {
      check: 'mixed-types',
      collection: 'systemlogs',
      path: 'i',
      severity: 'info',
      verdict: 'useful',
      why: 'two types of one field',
    },
    {
      check: 'useless-index',
      collection: 'systemlogs',
      path: 'app_id_1',
      severity: 'info',
      verdict: 'useful',
      why: 'no document has its first field',
    },
  ],
  missed: [],
};
