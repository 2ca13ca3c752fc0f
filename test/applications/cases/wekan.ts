import type { Application, KnownFault, SoundDesign } from '../application.js';

/** wekan/wekan at f5cc8e37. The indexes are those of `ensureIndex` in models and server/models; sizes are those of issue 837. */
const FAULTS: readonly KnownFault[] = [
  {
    what: "notifications grow without a bound in the user's document",
    source: 'models/users.js addNotification, server/models/users.js cleanup; issues 4948, 6533',
    severity: 'warning',
    checks: ['unbounded-array', 'fast-growing-array', 'uncapped-write'],
    collection: 'users',
    path: 'notifications',
  },
  {
    what: 'opening the tray asks for the activities of all notifications by `$in`',
    source: 'server/publications/notifications.js activityCursor; issue 4948',
    severity: 'warning',
    checks: ['long-in-list'],
    collection: 'activities',
    path: '_id',
  },
  {
    what: 'the search for a member compares user names, full names and addresses of all users by /i',
    source: 'server/publications/users.js user-search',
    severity: 'warning',
    checks: ['case-insensitive-regex'],
    collection: 'users',
  },
  {
    what: 'the search in checklists compares the titles of all items by /i',
    source: 'server/publications/cards.js findCards: OPERATOR_CHECKLIST_TEXT',
    severity: 'warning',
    checks: ['case-insensitive-regex'],
    collection: 'checklistItems',
    path: 'title',
  },
  {
    what: 'the search in cards compares titles and texts by /i, within the boards of a person',
    source: 'models/lib/cardSearch.js, server/publications/cards.js',
    severity: 'info',
    checks: ['case-insensitive-regex', 'poor-targeting', 'unselective-filter'],
    collection: 'cards',
  },
  {
    what: '`listId_1` and `swimlaneId_1` begin `listId, sort` and `swimlaneId, sort`',
    source: 'models/cards.js and server/models/cards.js, both',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'cards',
  },
  {
    what: '`checklistId_1` begins `checklistId, sort`',
    source: 'models/checklistItems.js and server/models/checklistItems.js, both',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'checklistItems',
  },
  {
    what: 'a unique index that begins with `_id` finds nothing that `_id` does not',
    source: 'server/models/boards.js',
    severity: 'info',
    checks: ['redundant-index', 'useless-index', 'unused-index'],
    collection: 'boards',
    path: '_id_1_members.userId_1',
  },
  {
    what: '`updatedAt, deleted` are fields that no card has',
    source: 'server/models/cards.js; models/cards.js has `modifiedAt` and `dateLastActivity`',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'cards',
    path: 'updatedAt_1_deleted_1',
  },
  {
    what: 'widths of lists are kept by the ids of board and list',
    source: 'models/users.js profile.listWidths',
    severity: 'info',
    checks: ['dynamic-field-names', 'uncapped-write'],
    collection: 'users',
    path: 'listWidths',
  },
  {
    what: 'a card that is moved or changed maintains twelve indexes',
    source: 'models/cards.js, server/models/cards.js',
    severity: 'info',
    checks: ['too-many-indexes'],
    collection: 'cards',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'the latest activities of a board or a card, each by its index',
    source: 'server/publications/activities.js; issues 524, 837',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting'],
    collection: 'activities',
  },
  {
    what: 'the cards of a board, by `boardId, archived`',
    source: 'server/publications/boards.js; issue 6480',
    checks: ['collection-scan', 'poor-targeting'],
    collection: 'cards',
    path: 'boardId_1_archived_1',
  },
  {
    what: 'checklists of a board, by `cardId`',
    source: 'server/publications/boards.js, models/checklists.js; issue 1709',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting'],
    collection: 'checklists',
  },
  {
    what: 'the value of a custom field has the type of the field',
    source: 'models/cards.js customFields, models/customFields.js',
    checks: ['mixed-types'],
    collection: 'cards',
    path: 'customFields',
  },
  {
    what: 'the members and labels of a board are few',
    source: 'models/boards.js',
    checks: ['unbounded-array', 'fast-growing-array', 'long-reference-array'],
    collection: 'boards',
  },
  {
    what: 'an empty string stands for no parent and no linked card',
    source: 'models/cards.js parentId, linkedId: defaultValue',
    checks: ['dangling-reference'],
    collection: 'cards',
  },
  {
    what: 'partial indexes for the few activities that have a comment or an attachment',
    source: 'server/models/activities.js',
    checks: ['redundant-index', 'unused-index', 'useless-index'],
    collection: 'activities',
    path: 'commentId',
  },
  {
    what: 'once a day, users with notifications are read to prune them',
    source: 'server/models/users.js notificationCleanup',
    checks: ['collection-scan', 'unselective-filter', 'unbounded-find'],
    collection: 'users',
  },
  {
    what: 'lists and swimlanes of a board, by `boardId`',
    source: 'server/publications/boards.js',
    checks: ['collection-scan', 'in-memory-sort', 'poor-targeting'],
    collection: 'lists',
  },
];

export const WEKAN: Application = {
  name: 'wekan',
  kind: 'kanban boards',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
