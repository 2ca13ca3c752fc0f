import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * lichess-org/lila: the indexes are those of bin/mongodb/indexes.js at 05aef30a, for the collections of its studies, blogs, forum,
 * teams, letters and timeline. The queries are those of the repositories of these modules, in Scala.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'the blogs of the community: no index has `lived.at` first, so each page reads and sorts all live posts, whole',
    source: 'modules/ublog UblogApi.aggregateVisiblePosts, UblogPaginator.liveByCommunity at b97af467',
    severity: 'error',
    checks: ['in-memory-sort', 'collection-scan', 'poor-targeting', 'query-without-its-index'],
    collection: 'ublog_post',
  },
  {
    what: 'the posts of those whom somebody follows are joined by `$in` on a variable, which no index serves: a scan of all posts',
    source: 'modules/ublog UblogPaginator.liveByFollowed at b97af467',
    severity: 'warning',
    checks: ['missing-lookup-index', 'heavy-lookup', 'collection-scan'],
    collection: 'ublog_post',
  },
  {
    what: 'four indexes on `rank`, and two on `live.at`, which posts do not have: `live` is a boolean, and the date is `lived.at`',
    source: 'bin/mongodb/indexes.js ublog_post; UblogPost.scala at b97af467',
    severity: 'warning',
    checks: ['useless-index', 'too-many-indexes'],
    collection: 'ublog_post',
  },
  {
    what: 'everyone who likes a study is in its document, to be counted by `$size`',
    source: 'modules/study StudyRepo.like, countLikes at 5b5d8a8a',
    severity: 'warning',
    checks: ['unbounded-array', 'long-reference-array', 'fast-growing-array', 'outlier-document'],
    collection: 'study',
    path: 'likers',
  },
  {
    what: 'the members of a study are a map by their ids, asked for by paths that are data, so that `uids` repeats them for an index',
    source: 'modules/study StudyRepo.selectContributorId, addMember at 5b5d8a8a',
    severity: 'warning',
    checks: ['dynamic-field-names'],
    collection: 'study',
    path: 'members',
  },
  {
    what: 'each page of a topic counts all of its studies, and reads them for who may see them',
    source: 'modules/study StudyPager.byTopic at 58a1b12a',
    severity: 'warning',
    checks: ['full-count', 'poor-targeting'],
    collection: 'study',
    path: 'topics',
  },
  {
    what: 'the few who block somebody are found among all who follow them, as `u2_1` has no `r`',
    source: 'modules/relation RelationRepo.blockers, relaters at 048bad8f',
    severity: 'warning',
    checks: ['poor-targeting', 'query-without-its-index', 'useless-index'],
    collection: 'relation',
    path: 'u2',
  },
  {
    what: 'thousands of followers are joined with their accounts, one by one, for each thing that a known player does',
    source: 'modules/relation RelationRepo.freshFollowersFromSecondary at 048bad8f; TimelinePush.propagate',
    severity: 'warning',
    checks: ['heavy-lookup'],
    collection: 'relation',
  },
  {
    what: 'an entry of the timeline holds everyone who is to see it, and a key for each',
    source: 'modules/timeline EntryApi.insert at c42516ed; issue 5818',
    severity: 'warning',
    checks: ['unbounded-array', 'long-reference-array', 'large-multikey-index', 'outlier-document', 'bloated-document'],
    collection: 'timeline_entry',
    path: 'users',
  },
  {
    what: '`team_1` begins another index',
    source: 'bin/mongodb/indexes.js team_member',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'team_member',
    path: 'team_1',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'a page of a topic is read in the order of an index, and counted by the keys of another',
    source: 'modules/forum ForumPaginator.topicPosts at 1adf7e60',
    checks: ['in-memory-sort', 'collection-scan', 'poor-targeting'],
    collection: 'f_post',
    path: 'topicId',
  },
  {
    what: 'the few sticky topics have a partial index of their own, which `categId_1_troll_1` does not begin for other topics',
    source: 'modules/forum ForumTopicRepo.stickyByCateg at d739c41b',
    checks: ['redundant-index', 'unused-index', 'useless-index'],
    collection: 'f_topic',
    path: 'sticky',
  },
  {
    what: 'the topics of a category are in the order of an index, and ten of them are joined with their last post by `_id`',
    source: 'modules/forum ForumPaginator.categTopics at 1adf7e60',
    checks: ['in-memory-sort', 'heavy-lookup', 'missing-lookup-index', 'collection-scan'],
    collection: 'f_topic',
  },
  {
    what: 'letters are read newest first by the key of their talk',
    source: 'modules/msg MsgApi.threadMsgsFor at 0147749c',
    checks: ['in-memory-sort', 'collection-scan', 'poor-targeting', 'bucket-candidate'],
    collection: 'msg_msg',
  },
  {
    what: 'the inbox is in the order of an index by the two of a talk',
    source: 'modules/msg MsgApi.myThreads at 0147749c',
    checks: ['in-memory-sort', 'collection-scan', 'unbounded-array', 'large-multikey-index'],
    collection: 'msg_thread',
  },
  {
    what: 'the leaders of a team are found by a partial index',
    source: 'modules/team TeamMemberRepo.leaders at 048bad8f',
    checks: ['poor-targeting', 'collection-scan', 'unused-index', 'useless-index'],
    collection: 'team_member',
    path: 'perms',
  },
  {
    what: 'the timeline of somebody is the end of an index',
    source: 'modules/timeline EntryApi.userEntries at c42516ed',
    checks: ['in-memory-sort', 'collection-scan', 'poor-targeting'],
    collection: 'timeline_entry',
  },
];

export const LICHESS: Application = {
  name: 'lichess',
  kind: 'chess server',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
