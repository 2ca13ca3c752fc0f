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
    // `computed-value` was added with the check, which the label is older than.
    checks: ['poor-targeting', 'in-memory-sort', 'collection-scan', 'computed-value'],
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
  findings: [
    {
      check: 'computed-value',
      collection: 'objects',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'the tags of all categories are summed up for each reader: 12,000 documents for a hundred',
    },
    {
      check: 'deep-skip',
      collection: 'objects',
      path: null,
      severity: 'warning',
      verdict: 'useful',
      why: 'a page far into a long topic skips all posts before it',
    },
    {
      check: 'uncapped-write',
      collection: 'objects',
      path: 'members',
      severity: 'info',
      verdict: 'useful',
      why: 'votes and followers are arrays without a cap',
    },
  ],
  missed: [
    "a post's link counts all posts of its topic before it: 2,400 keys that all match: the shape stands among the costliest, with the reason that only a stored result would save that",
  ],
};
