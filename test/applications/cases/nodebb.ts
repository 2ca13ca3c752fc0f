import type { Application, KnownFault, SoundDesign } from '../application.js';

/** NodeBB/NodeBB at ab329b3b: sorted sets, sets and hashes as documents of one collection, with the indexes of src/database/mongo.js. */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'a page far into a long topic or category skips all before it',
    source: 'src/database/mongo/sorted.js getSortedSetRange; issue 2281',
    severity: 'warning',
    checks: ['deep-skip'],
    collection: 'objects',
  },
  {
    what: 'the tags of all categories: a union reads and groups each set whole, to show some',
    source: 'src/database/mongo/sorted/union.js, src/topics/tags.js getCategoryTags; issue 4307',
    severity: 'warning',
    checks: ['poor-targeting', 'in-memory-sort', 'collection-scan'],
    collection: 'objects',
  },
  {
    what: 'sets are arrays without a cap: votes of a popular post, followers of a topic',
    source: 'src/database/mongo/sets.js setAdd, src/posts/votes.js',
    severity: 'info',
    checks: ['uncapped-write', 'unbounded-array', 'fast-growing-array'],
    collection: 'objects',
    path: 'members',
  },
  {
    what: "a post's link counts all posts of its topic before it",
    source: 'src/database/mongo/sorted.js getSortedSetRank, src/posts/index.js',
    severity: 'info',
    checks: ['poor-targeting', 'full-count'],
    collection: 'objects',
    path: 'score',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'documents of all kinds live in one collection, by design',
    source: 'src/database/mongo.js; issue 9146',
    checks: ['mixed-types', 'missing-validator', 'dynamic-field-names', 'denormalized-drift'],
    collection: 'objects',
  },
  {
    what: 'a hash is upserted by `_key`: the unique sparse `_key, value` holds it, since it has no `value`',
    source: 'src/database/mongo/hash.js setObject, which tries again at E11000',
    checks: ['upsert-without-unique-index'],
    collection: 'objects',
  },
  {
    what: 'the first pages of one sorted set, or of several, by `_key, score`',
    source: 'src/database/mongo/sorted.js getSortedSetRange',
    checks: ['in-memory-sort'],
    collection: 'objects',
    path: 'score',
  },
  {
    what: 'keys by a prefix',
    source: 'src/database/mongo/main.js scan, src/user/search.js searchByIP',
    checks: ['unselective-filter', 'case-insensitive-regex'],
    collection: 'objects',
  },
  {
    what: 'what expires is deleted by a partial TTL index',
    source: 'src/database/mongo.js createIndices',
    checks: ['expired-documents'],
    collection: 'objects',
  },
  {
    what: 'indexes for the documents of one kind',
    source: 'src/database/mongo.js createIndices',
    checks: ['redundant-index', 'unused-index', 'useless-index', 'too-many-indexes'],
    collection: 'objects',
  },
];

export const NODEBB: Application = {
  name: 'nodebb',
  kind: 'forum',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [
    'a page far into a long topic or category skips all before it: 100 pages skip 2,500 posts each; an info begins at 10,000',
    'the tags of all categories: a union reads and groups each set whole, to show some: its 12,000 documents are all grouped: no check looks at a `$group` that reads everything for few results; the shape stands first, with `nothing known helps`',
    'sets are arrays without a cap: votes of a popular post, followers of a topic: not looked into',
    "a post's link counts all posts of its topic before it: 2,400 keys that a count examines are no finding; the shape stands among the costliest, with `nothing known helps`",
  ],
};
