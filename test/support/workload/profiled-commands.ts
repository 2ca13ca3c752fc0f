/**
 * Commands as the profiler has them, with what it counts of each, and what is to be read. Source: MongoDB manual, "Database
 * Profiler Output", which has no example of these: the fields are those that it lists.
 */
export const PROFILED_COMMANDS = [
  [
    'insert',
    { insert: 'report', ordered: true },
    { ninserted: 3 },
    { shape: { kind: 'insert' }, figures: { documentsWritten: 3 } },
  ],
  [
    'remove',
    { q: { a: 1 }, limit: 0 },
    { ndeleted: 4 },
    { shape: { kind: 'delete', multi: true }, figures: { documentsWritten: 4 } },
  ],
  [
    'count',
    { count: 'report', query: { a: 1 } },
    {},
    { shape: { kind: 'count' }, figures: { documentsExamined: 25000 } },
  ],
  ['distinct', { distinct: 'report', key: 'a', query: {} }, {}, { shape: { kind: 'distinct' } }],
  [
    'aggregate',
    { aggregate: 'report', pipeline: [{ $match: { a: 1 } }], cursor: {} },
    {},
    { shape: { kind: 'aggregate' } },
  ],
  [
    'findAndModify',
    { findAndModify: 'report', query: { a: 1 }, update: { $set: { b: 2 } } },
    { nMatched: 1, nModified: 1 },
    { shape: { kind: 'findAndModify' }, figures: { documentsWritten: 1 } },
  ],
] as const;
