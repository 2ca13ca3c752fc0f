import type { Application, KnownFault, SoundDesign } from '../application.js';

/** RocketChat/Rocket.Chat, packages/models/src/models. The indexes are those of its models, and of Meteor's accounts-base. */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'the engagement dashboard joins the analytics of each room by `room._id`, whose only index is partial on another type',
    source: 'Rooms.ts getChannelsWithNumberOfMessagesBetweenDateQuery; Analytics.ts modelIndexes',
    severity: 'warning',
    checks: ['missing-lookup-index', 'collection-scan', 'heavy-lookup', 'early-lookup'],
    collection: 'rocketchat_analytics',
    path: 'room._id',
  },
  {
    what: 'a day of a room is upserted without a unique index on messages',
    source: 'Analytics.ts saveMessageSent; its unique index holds `type: rooms`',
    severity: 'warning',
    checks: ['upsert-without-unique-index'],
    collection: 'rocketchat_analytics',
  },
  {
    what: 'each message reads all of the analytics of its day to find its room',
    source: 'Analytics.ts saveMessageSent',
    severity: 'warning',
    checks: ['poor-targeting', 'unselective-filter', 'collection-scan'],
    collection: 'rocketchat_analytics',
  },
  {
    what: 'the search for people compares all names by /i',
    source: 'Users.ts findByActiveUsersExcept',
    severity: 'warning',
    checks: ['case-insensitive-regex'],
    collection: 'users',
  },
  {
    what: 'the search for rooms compares all names by /i, and counts what it found',
    source: 'Rooms.ts findByNameOrFnameContainingAndTypes',
    severity: 'warning',
    checks: ['case-insensitive-regex'],
    collection: 'rocketchat_room',
  },
  {
    what: 'the search for people whom somebody shares rooms with joins all members of all these rooms',
    source: 'Subscriptions.ts findConnectedUsersExcept',
    severity: 'warning',
    checks: ['heavy-lookup', 'early-lookup'],
    collection: 'rocketchat_subscription',
  },
  {
    what: 'the search within a room asks the text index for the word in all rooms',
    source: 'app/lib/server/methods search; Messages.ts `msg: text`',
    severity: 'warning',
    checks: ['poor-targeting', 'unselective-filter'],
    collection: 'rocketchat_message',
  },
  {
    what: '`rid_1_u._id_1_open_1` adds nothing to the unique `rid, u._id`',
    source: 'Subscriptions.ts modelIndexes',
    severity: 'info',
    checks: ['redundant-index', 'unused-index', 'too-many-indexes'],
    collection: 'rocketchat_subscription',
  },
  {
    what: '29 indexes that each message maintains',
    source: 'Messages.ts modelIndexes',
    severity: 'info',
    checks: ['too-many-indexes'],
    collection: 'rocketchat_message',
  },
  {
    what: '`open_1` and `alert_1` have two values each',
    source: 'Subscriptions.ts modelIndexes',
    severity: 'info',
    checks: ['useless-index', 'unused-index', 'too-many-indexes'],
    collection: 'rocketchat_subscription',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the history of a room is read by `rid, ts`, with other conditions that exclude little',
    source: 'Messages.ts findVisibleByRoomIdNotContainingTypesBeforeTs',
    checks: ['collection-scan', 'in-memory-sort', 'unstable-plan'],
    collection: 'rocketchat_message',
    path: 'rid_1_ts',
  },
  {
    what: 'threads are listed by a partial index',
    source: 'Messages.ts findThreadsByRoomId',
    checks: ['collection-scan', 'in-memory-sort', 'redundant-index'],
    collection: 'rocketchat_message',
    path: 'tlm',
  },
  {
    what: 'a subscription is found and updated by its unique pair',
    source: 'Subscriptions.ts findOneByRoomIdAndUserId',
    checks: ['upsert-without-unique-index', 'poor-targeting', 'collection-scan'],
    collection: 'rocketchat_subscription',
    path: 'rid',
  },
  {
    what: 'the last message is copied into its room: one copy, written with each message',
    source: 'Rooms.ts incMsgCountAndSetLastMessageById',
    checks: ['denormalized-drift', 'uncapped-write', 'bloated-document'],
    collection: 'rocketchat_room',
  },
  {
    what: 'what is deleted goes to the trash by its `_id`, and away by a TTL index',
    source: 'BaseRaw.ts deleteOne',
    checks: ['upsert-without-unique-index', 'ttl-without-effect', 'expired-documents'],
    collection: 'rocketchat__trash',
  },
  {
    what: 'a login token is found by a unique sparse index',
    source: 'Users.ts; accounts-base',
    checks: ['collection-scan', 'redundant-index', 'useless-index'],
    collection: 'users',
    path: 'loginTokens',
  },
  {
    what: 'names of people are indexed by a collation that ignores case',
    source: 'Users.ts username_insensitive',
    checks: ['redundant-index', 'useless-index'],
    collection: 'users',
    path: 'username',
  },
];

export const ROCKETCHAT: Application = {
  name: 'rocketchat',
  kind: 'team chat',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
