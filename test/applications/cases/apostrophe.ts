import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * apostrophecms/apostrophe at 9438e77f, packages/apostrophe/modules/@apostrophecms. Pages, articles, images, files and tags share
 * `aposDocs`, each as a draft, as published, and many as published before that.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'a page of articles reads all that are published, and sorts them to show ten',
    source:
      'piece-page-type/index.js indexPage, doc-type/index.js permission, archived, locale; issue 1942, pull request 3951',
    severity: 'error',
    checks: ['in-memory-sort', 'poor-targeting', 'query-without-its-index', 'unselective-filter', 'unstable-plan'],
    collection: 'aposDocs',
    path: 'type',
  },
  {
    what: 'each page of articles counts all of them',
    source: 'piece-page-type/index.js indexPage toCount',
    severity: 'warning',
    checks: ['full-count', 'unselective-filter', 'poor-targeting'],
    collection: 'aposDocs',
  },
  {
    what: 'pages far into the articles skip',
    source: 'doc-type/index.js page; issue 1942',
    severity: 'warning',
    checks: ['deep-skip'],
    collection: 'aposDocs',
  },
  {
    what: 'what is typed to choose a document is compared with the words of all of its type',
    source: 'doc-type/lib/autocomplete.js, util/index.js searchify',
    severity: 'warning',
    checks: ['poor-targeting', 'unselective-filter', 'collection-scan', 'case-insensitive-regex', 'expression-filter'],
    collection: 'aposDocs',
    path: 'highSearch',
  },
  {
    what: 'a document keeps the ids of all that refer to it',
    source: 'doc-type/index.js updateCacheField $push relatedReverseIds',
    severity: 'warning',
    checks: ['unbounded-array', 'long-reference-array', 'fast-growing-array', 'uncapped-write'],
    collection: 'aposDocs',
    path: 'relatedReverseIds',
  },
  {
    what: 'each save of any document scans all attachments three times',
    source: 'attachment/index.js alterAttachments',
    severity: 'error',
    checks: ['collection-scan', 'unselective-filter', 'poor-targeting'],
    collection: 'aposAttachments',
  },
  {
    what: 'a document that many refer to marks all of them by a list of their ids when it is saved',
    source: 'doc-type/index.js updateCacheField aposDocId $in relatedReverseIds',
    severity: 'info',
    checks: ['long-in-list'],
    collection: 'aposDocs',
    path: 'aposDocId',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'a page is found by its slug and locale, which are unique',
    source: 'page/index.js serve, doc/index.js getSlugIndexParams',
    checks: ['collection-scan', 'poor-targeting', 'redundant-index'],
    collection: 'aposDocs',
    path: 'slug',
  },
  {
    what: 'what a document refers to is found by `aposDocId, aposLocale`',
    source: 'schema/lib/addFieldTypes.js relationship, doc/index.js createIndexes',
    checks: ['collection-scan', 'poor-targeting', 'redundant-index', 'unindexed-reference'],
    collection: 'aposDocs',
    path: 'aposDocId_1_aposLocale_1',
  },
  {
    what: 'what was edited of late is walked newest first by an index of its own',
    source: 'recently-edited/index.js createIndexes, find',
    checks: ['redundant-index', 'useless-index'],
    collection: 'aposDocs',
    path: 'recentlyEditedLookup',
  },
  {
    what: 'those that refer to a document are found by `relatedReverseIds, aposLocale`',
    source: 'doc-type/index.js deleteRelatedReverseId',
    checks: ['collection-scan', 'unindexed-reference'],
    collection: 'aposDocs',
    path: 'relatedReverseIds_1',
  },
  {
    what: 'attachments that a document no longer has are found by either of two indexes',
    source: 'attachment/index.js updateDocReferences',
    checks: ['redundant-index', 'useless-index'],
    collection: 'aposAttachments',
    path: 'docIds_1',
  },
  {
    what: 'the notices of somebody are polled each second by an index that gives the order, and go away by a TTL',
    source: 'notification/index.js find, ensureCollection',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting', 'ttl-without-effect', 'useless-index'],
    collection: 'aposNotifications',
  },
  {
    what: 'tokens are found by `_id` and go away by a TTL',
    source: 'login/index.js bearerTokens',
    checks: ['collection-scan', 'ttl-without-effect', 'useless-index'],
    collection: 'aposBearerTokens',
  },
];

export const APOSTROPHE: Application = {
  name: 'apostrophe',
  kind: 'CMS of a large site',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [
    {
      check: 'collection-scan',
      collection: 'aposAttachments',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'each save scans all attachments three times',
    },
    {
      check: 'in-memory-sort',
      collection: 'aposDocs',
      path: 'type_1_visibility_1_updatedAt_-1_aposMode_1_archived_1',
      severity: 'error',
      verdict: 'useful',
      why: 'a page of articles reads and sorts all that are published',
    },
    {
      check: 'unstable-plan',
      collection: 'aposDocs',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'articles by two indexes in turn, of which one reads all',
    },
    {
      check: 'in-memory-sort',
      collection: 'aposDocs',
      path: 'topicsIds_1_type_1_visibility_1_updatedAt_-1_aposMode_1_archived_1',
      severity: 'warning',
      verdict: 'useful',
      why: 'the articles of a topic are found among all',
    },
    {
      check: 'deep-skip',
      collection: 'aposDocs',
      path: null,
      severity: 'info',
      verdict: 'useful',
      why: 'pages far into the articles',
    },
    {
      check: 'poor-targeting',
      collection: 'aposDocs',
      path: 'topicsIds_1_type_1_visibility_1_aposMode_1_archived_1',
      severity: 'info',
      verdict: 'useful',
      why: 'the articles of a topic are counted among all',
    },
    {
      check: 'in-memory-sort',
      collection: 'aposDocs',
      path: null,
      severity: 'info',
      verdict: 'noise',
      why: '1,100 documents that hold a word, in 3 ms',
    },
    {
      check: 'useless-index',
      collection: 'aposDocs',
      path: 'advisoryLock._id_1',
      severity: 'info',
      verdict: 'useful',
      why: 'that and two others are on fields that hardly any document has',
    },
    {
      check: 'long-in-list',
      collection: 'aposDocs',
      path: 'aposDocId',
      severity: 'info',
      verdict: 'useful',
      why: 'a document that many refer to marks all of them when it is saved',
    },
    {
      check: 'full-count',
      collection: 'aposDocs',
      path: null,
      severity: 'error',
      verdict: 'useful',
      why: 'all articles are counted for each page of them',
    },
  ],
  missed: [
    'words that are typed, compared with 2,600 images: no index serves both patterns, and 2,600 of 20,000 is not most',
    'the ids of those that refer to a document: some topics and people have them, and the sample of 1,000 met none of the longest; a sample of another 23,000 documents told it in one run of two',
  ],
};
