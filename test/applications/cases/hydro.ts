import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * hydro-dev/Hydro at 409af927, packages/hydrooj/src. The indexes are those that its models ensure. Problems, solutions,
 * discussions, replies, contests and trainings share the collection `document`; who did what with them is in `document.status`.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'each page of the problem list counts all problems that somebody may see',
    source: 'handler/problem.ts ProblemMainHandler, service/db.ts paginate',
    severity: 'warning',
    checks: ['full-count', 'unselective-filter', 'computed-value'],
    collection: 'document',
  },
  {
    what: 'the search compares the titles of all problems by a regular expression, and again to count',
    source: 'handler/problem.ts defaultSearch',
    severity: 'warning',
    checks: ['case-insensitive-regex', 'unselective-filter'],
    collection: 'document',
    path: 'title',
  },
  {
    what: 'the front page sorts all discussions to show twenty: `hidden` stands in front of `pin` in the index',
    source: 'handler/home.ts getDiscussion, model/document.ts discussionSort',
    severity: 'info',
    checks: ['in-memory-sort', 'poor-targeting', 'query-without-its-index'],
    collection: 'document',
    path: 'pin',
  },
  {
    what: 'the domains of somebody are found by scanning all members of all domains: the index begins with the domain',
    source: 'model/domain.ts getDictUserByDomainId',
    severity: 'warning',
    checks: ['collection-scan', 'unindexed-reference'],
    collection: 'domain.user',
    path: 'uid',
  },
  {
    what: 'people are completed by the beginning of their display name over all members of the domain',
    source: 'model/user.ts getPrefixList',
    severity: 'warning',
    checks: ['collection-scan', 'poor-targeting', 'unselective-filter'],
    collection: 'domain.user',
    path: 'displayName',
  },
  {
    what: 'each page of the ranking counts all who are ranked',
    source: 'handler/domain.ts DomainRankHandler, service/db.ts paginate',
    severity: 'warning',
    checks: ['full-count'],
    collection: 'domain.user',
  },
  {
    what: 'files to be deleted are looked for one by one, each time by a scan: no index begins with `autoDelete`',
    source: 'model/storage.ts cleanFiles',
    severity: 'warning',
    checks: ['collection-scan'],
    collection: 'storage',
    path: 'autoDelete',
  },
  {
    what: '`path` begins `path_1_autoDelete_1`',
    source: 'model/storage.ts apply',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'storage',
    path: 'path',
  },
  {
    what: 'every address that somebody ever came from is kept in the user, without a bound',
    source: 'model/user.ts setById $addToSet ip',
    severity: 'warning',
    checks: ['unbounded-array', 'fast-growing-array', 'uncapped-write', 'outlier-document'],
    collection: 'user',
    path: 'ip',
  },
  {
    what: 'whoever gets the notices of the system is found by bits over all users',
    source: 'model/message.ts sendNotification',
    severity: 'info',
    checks: ['collection-scan'],
    collection: 'user',
    path: 'priv',
  },
  {
    what: 'a list of contests asks for the status of each, one after another',
    source: 'model/contest.ts getListStatus',
    severity: 'info',
    checks: ['n-plus-one-query'],
    collection: 'document.status',
  },
  {
    what: 'the statistics count the submissions of a day, a month and a year each time',
    source: 'model/record.ts stat',
    severity: 'info',
    checks: ['full-count', 'computed-value', 'unselective-filter'],
    collection: 'record',
  },
  {
    what: 'the page of the members joins each member to their account before anything is left out',
    source: 'handler/domain.ts DomainUserHandler',
    severity: 'warning',
    checks: ['heavy-lookup', 'early-lookup'],
    collection: 'domain.user',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'a document is found by its domain, type and number, which are unique',
    source: 'model/document.ts get, set',
    checks: ['collection-scan', 'poor-targeting', 'upsert-without-unique-index'],
    collection: 'document',
    path: 'docId',
  },
  {
    what: 'what somebody did with a document is upserted by its unique index',
    source: 'model/document.ts setStatus, revPushStatus, setStatusIfCondition',
    checks: ['upsert-without-unique-index', 'collection-scan', 'poor-targeting'],
    collection: 'document.status',
  },
  {
    what: 'submissions are listed newest first by contest, person, problem and status, each by an index',
    source: 'handler/record.ts RecordListHandler, model/record.ts',
    checks: ['collection-scan', 'in-memory-sort', 'redundant-index', 'deep-skip'],
    collection: 'record',
  },
  {
    what: 'the scoreboard is sorted by an index',
    source: 'model/contest.ts getScoreboard, model/document.ts contestRuleACM',
    checks: ['in-memory-sort'],
    collection: 'document.status',
    path: 'accept',
  },
  {
    what: 'rates of requests are counted in one document a person and period, unique, with a TTL',
    source: 'model/opcount.ts',
    checks: ['upsert-without-unique-index', 'ttl-without-effect', 'unused-index', 'collection-scan'],
    collection: 'opcount',
  },
  {
    what: 'messages are those from or to somebody, each by an index that gives the order',
    source: 'model/message.ts getByUser',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting'],
    collection: 'message',
  },
  {
    what: 'the cases of a submission are pushed one by one while it is judged: a problem has so many',
    source: 'handler/judge.ts, model/record.ts update $push testCases',
    checks: ['unbounded-array', 'fast-growing-array', 'uncapped-write'],
    collection: 'record',
    path: 'testCases',
  },
  {
    what: 'sessions are found by `_id`, listed by an index, and go away by a TTL',
    source: 'model/token.ts',
    checks: ['collection-scan', 'ttl-without-effect', 'in-memory-sort'],
    collection: 'token',
  },
];

export const HYDRO: Application = {
  name: 'hydro',
  kind: 'online judge',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
