import type { Document } from 'mongodb';
import { PROFILED_COMMANDS } from './profiled-commands.js';

const UNKNOWN_TO_ROUTERS = { documentsExamined: null, keysExamined: null, documentsWritten: null };

/**
 * What servers of 4.4 to 9.0 record of one operation, a line or a document each. None of them ran here: each was found where
 * `origin` says, and is cut down to what is read, and to what tells kinds of entries apart.
 */
export interface RecordedKind {
  readonly server: string;
  readonly kind: string;
  readonly origin: string;
  /** A line of the log, as an object; its time is added. */
  readonly line?: { readonly svc?: string; readonly msg?: string; readonly attr: Document };
  /** A document of `system.profile`. */
  readonly profile?: Document;
  /** An entry of `$queryStats`. */
  readonly stats?: Document;
  /** What is to be read: the beginning of an execution, or how it is counted. */
  readonly read: Document | 'ignored' | { readonly notUnderstood: string };
}

const MDBKIT =
  'https://github.com/saqibameen86/mdbkit/blob/e45afef523a50ee967f7a3d2fe959d5788af9579/tests/fixtures/real';
const SERVER = 'https://github.com/mongodb/mongo/blob/master';
const DOCS = 'https://www.mongodb.com/docs';

const LOCKED = { Global: { acquireCount: { r: 3 } } };

export const RECORDED_KINDS: readonly RecordedKind[] = [
  {
    server: '4.4',
    kind: 'aggregate that used the disk',
    origin: `${DOCS}/v4.4/reference/log-messages/#logging-slow-operations`,
    line: {
      attr: {
        type: 'command',
        ns: 'stocks.trades',
        appName: 'MongoDB Shell',
        command: {
          aggregate: 'trades',
          pipeline: [
            { $project: { ticker: 1, price: 1, priceGTE110: { $gte: ['$price', 110] }, _id: 0 } },
            { $sort: { price: -1 } },
          ],
          allowDiskUse: true,
          cursor: {},
          $db: 'test',
        },
        planSummary: 'COLLSCAN',
        cursorid: 1912190691485054700,
        keysExamined: 0,
        docsExamined: 1000001,
        hasSortStage: true,
        usedDisk: true,
        nreturned: 101,
        reslen: 17738,
        locks: LOCKED,
        durationMillis: 22427,
      },
    },
    read: {
      shape: { kind: 'aggregate' },
      figures: { documentsExamined: 1000001, inMemorySorts: 1, diskUses: 1 },
    },
  },
  {
    server: '4.4 to 9.0',
    kind: 'query of the profiler',
    origin: `${DOCS}/manual/reference/database-profiler/#example-system.profile-document`,
    profile: {
      op: 'query',
      ns: 'test.report',
      command: { find: 'report', filter: { a: { $lte: 500 } }, $db: 'test' },
      cursorid: 33629063128,
      keysExamined: 101,
      docsExamined: 101,
      inUseTrackedMemBytes: 368,
      peakTrackedMemBytes: 795,
      fromMultiPlanner: true,
      nreturned: 101,
      planCacheShapeHash: '811451DD',
      queryFramework: 'classic',
      responseLength: 1305014,
      millis: 69132,
      planningTimeMicros: 129,
      planSummary: 'IXSCAN { a: 1, _id: -1 }',
    },
    read: { shape: { kind: 'find' }, figures: { keysExamined: 101, classicExecutions: 1, peakMemoryBytes: 795 } },
  },
  {
    server: '4.4 to 9.0',
    kind: 'getmore of the profiler',
    origin: `${DOCS}/manual/reference/database-profiler/#example-system.profile-document`,
    profile: {
      op: 'getmore',
      ns: 'test.report',
      command: { getMore: 33629063128, collection: 'report', batchSize: 3, $db: 'test' },
      originatingCommand: { find: 'report', filter: { a: { $lte: 500 } }, $db: 'test' },
      cursorid: 33629063128,
      docsExamined: 101,
      nreturned: 3,
      millis: 69132,
      planSummary: 'IXSCAN { a: 1, _id: -1 }',
    },
    read: { shape: { kind: 'find' }, isContinuation: true, cursor: '33629063128' },
  },
  {
    server: '4.4 to 9.0',
    kind: 'update of the profiler',
    origin: `${DOCS}/manual/reference/database-profiler/#example-system.profile-document`,
    profile: {
      op: 'update',
      ns: 'test.report',
      command: { q: {}, u: { $rename: { a: 'b' } }, multi: true, upsert: false },
      keysExamined: 0,
      docsExamined: 25000,
      nMatched: 25000,
      nModified: 25000,
      millis: 164687,
      planSummary: 'COLLSCAN',
    },
    read: {
      shape: { kind: 'update', multi: true },
      figures: { documentsWritten: 25000, planSummaries: { COLLSCAN: 1 } },
    },
  },
  // The manual names types that servers since 3.6 write as `command`: either is read.
  ...PROFILED_COMMANDS.flatMap(([name, command, counts, read]) =>
    [...new Set([name === 'insert' || name === 'remove' ? name : 'command', name])].map((op): RecordedKind => ({
      server: '4.4 to 9.0',
      kind: `${name} of the profiler, as ${op}`,
      origin: `${DOCS}/manual/reference/database-profiler/#mongodb-data-system.profile.op`,
      profile: {
        op,
        ns: 'test.report',
        command: { ...command, $db: 'test' },
        docsExamined: name === 'insert' ? undefined : 25000,
        ...counts,
        planSummary: 'COLLSCAN',
        millis: 12,
      },
      read,
    })),
  ),
  ...['geoNear', 'group', 'mapReduce'].map((name) => ({
    server: name === 'mapReduce' ? '4.4 to 9.0' : 'up to 4.0, and still listed for 9.0',
    kind: `${name} of the profiler`,
    origin: `${DOCS}/manual/reference/database-profiler/#mongodb-data-system.profile.op`,
    profile: {
      op: 'command',
      ns: 'test.report',
      command: { [name]: 'report', $db: 'test' },
      docsExamined: 25000,
      planSummary: 'COLLSCAN',
      millis: 12,
    },
    read: { notUnderstood: name },
  })),
  {
    server: '7.0.43',
    kind: 'statement of an update',
    origin: `${MDBKIT}/mongod-7.0.43.log`,
    line: {
      attr: {
        type: 'update',
        ns: 'shop.orders',
        appName: 'mongosh 2.12.0',
        command: {
          q: { customerId: 'cust-0' },
          u: { $set: { touched: { $date: '2026-10-02T17:27:18.373Z' } } },
          multi: true,
          upsert: false,
        },
        planSummary: 'COLLSCAN',
        planningTimeMicros: 146,
        keysExamined: 0,
        docsExamined: 20000,
        nMatched: 4,
        nModified: 4,
        nUpserted: 0,
        locks: LOCKED,
        durationMillis: 17,
      },
    },
    read: { shape: { kind: 'update', filter: { customerId: { $eq: '?string' } } }, figures: { documentsWritten: 4 } },
  },
  {
    server: '8.0.32',
    kind: 'the command around updates',
    origin: `${MDBKIT}/mongod-8.0.32.log`,
    line: {
      attr: {
        type: 'command',
        isFromUserConnection: true,
        ns: 'shop.$cmd',
        collectionType: 'normal',
        appName: 'mongosh 2.12.0',
        command: {
          update: 'orders',
          updates: [{ q: { customerId: 'cust-0' }, u: { $set: { touched: 1 } }, multi: true }],
          $db: 'shop',
        },
        reslen: 245,
        locks: LOCKED,
        workingMillis: 21,
        durationMillis: 21,
      },
    },
    read: 'ignored',
  },
  {
    server: '8.0.32',
    kind: 'find that bypasses the planner',
    origin: `${MDBKIT}/mongod-8.0.32.log`,
    line: {
      attr: {
        type: 'command',
        isFromUserConnection: true,
        ns: 'shop.users',
        collectionType: 'normal',
        appName: 'mongosh 2.12.0',
        queryShapeHash: 'BB70C30AE8992B9D164BC7310FD5DFC524BD97009B9362668B90EC209D817A0D',
        command: { find: 'users', filter: { email: 'user0@example.com' }, $db: 'shop' },
        planSummary: 'EXPRESS_IXSCAN { email: 1 }',
        planningTimeMicros: 102,
        keysExamined: 1,
        docsExamined: 1,
        nBatches: 1,
        cursorExhausted: true,
        nreturned: 1,
        queryFramework: 'classic',
        reslen: 304,
        locks: LOCKED,
        queues: { execution: { admissions: 2 }, ingress: { admissions: 1 } },
        workingMillis: 0,
        durationMillis: 0,
      },
    },
    read: {
      shape: { kind: 'find' },
      figures: { planSummaries: { 'EXPRESS_IXSCAN { email: 1 }': 1 }, documentsExamined: 1 },
    },
  },
  ...[
    [
      'update',
      { q: { _id: 1 }, u: { $inc: { n: 1 } }, multi: false, upsert: false },
      'EXPRESS_IXSCAN { _id: 1 },EXPRESS_UPDATE',
    ],
    ['remove', { q: { _id: 1 }, limit: 1 }, 'EXPRESS_IXSCAN { _id: 1 },EXPRESS_DELETE'],
    ['remove', { q: { _id: 1 }, limit: 1 }, 'EXPRESS_CLUSTERED_IXSCAN,EXPRESS_DELETE'],
  ].map(([type, command, planSummary]) => ({
    server: '8.0',
    kind: `write that bypasses the planner: ${String(planSummary)}`,
    origin: `${SERVER}/src/mongo/db/query/plan_explainer_express.cpp (getPlanSummary)`,
    line: {
      attr: { type, ns: 'test.acct', command, planSummary, docsExamined: 1, locks: LOCKED, durationMillis: 3012 },
    },
    read: { figures: { planSummaries: { [String(planSummary)]: 1 } } },
  })),
  ...(['bulkWrite', 'msg'] as const).flatMap((op): RecordedKind[] => {
    const origin =
      op === 'msg'
        ? 'https://github.com/mongodb/mongo, jstests/noPassthrough/logging, "write command slow query logs" of 9.0: "the entries use type msg" (SERVER-134827)'
        : `${SERVER}/jstests/core/write/bulk/bulk_write_profile.js, 8.0`;
    const entry = { op, ns: 'shop.orders', appName: 'MongoDB Shell', millis: 3 };
    return [
      {
        server: op === 'msg' ? '9.0' : '8.0',
        kind: `insert of a bulkWrite, as ${op}`,
        origin,
        profile: {
          ...entry,
          command: { insert: 1, documents: [{ a: 10 }, { a: 11 }, { a: 12 }] },
          ninserted: 3,
          keysInserted: 6,
        },
        read: { shape: { kind: 'insert', namespace: 'shop.orders' }, figures: { documentsWritten: 3 } },
      },
      {
        server: op === 'msg' ? '9.0' : '8.0',
        kind: `update of a bulkWrite, as ${op}`,
        origin,
        profile: {
          ...entry,
          command: {
            update: 1,
            filter: { a: { $lt: 4 } },
            updateMods: { $push: { b: 'mdb' } },
            multi: true,
            upsert: false,
          },
          keysExamined: 4,
          docsExamined: 4,
          nMatched: 4,
          nModified: 4,
          planSummary: 'IXSCAN { a: 1 }',
        },
        read: {
          shape: {
            kind: 'update',
            filter: { a: { $lt: '?number' } },
            update: { $push: { b: '?string' } },
            multi: true,
          },
          figures: { documentsWritten: 4 },
        },
      },
      {
        server: op === 'msg' ? '9.0' : '8.0',
        kind: `delete of a bulkWrite, as ${op}`,
        origin,
        profile: {
          ...entry,
          command: { delete: 1, filter: { a: { $gte: 8 } }, multi: true, hint: { a: 1 } },
          keysExamined: 5,
          docsExamined: 5,
          ndeleted: 5,
          planSummary: 'IXSCAN { a: 1 }',
        },
        read: {
          shape: { kind: 'delete', filter: { a: { $gte: '?number' } }, multi: true },
          figures: { documentsWritten: 5 },
        },
      },
    ];
  }),
  {
    server: '8.0',
    kind: 'the command around a bulkWrite, on a server with data',
    origin:
      'https://github.com/mongodb/mongo, jstests, checkLogCountsBulkWrite: mongod logs statements and command, mongos the command',
    line: {
      attr: {
        type: 'command',
        ns: 'admin.$cmd',
        command: { bulkWrite: 1, ops: [{ insert: 0, document: { a: 1 } }], nsInfo: [{ ns: 'test.goodlog' }] },
        locks: LOCKED,
        durationMillis: 120,
      },
    },
    read: 'ignored',
  },
  {
    server: '9.0.2',
    kind: 'find that spills',
    origin: `${MDBKIT}/mongod-9.0.2.log`,
    line: {
      attr: {
        type: 'command',
        ns: 'shop.orders',
        command: { find: 'orders', filter: {}, sort: { total: -1 }, allowDiskUse: true, $db: 'shop' },
        opid: 65545,
        planSummary: 'COLLSCAN',
        planningTimeMicros: 130,
        cursorid: 6082083539557750000,
        docsExamined: 20000,
        hasSortStage: true,
        usedDisk: true,
        nreturned: 101,
        sortSpills: 24,
        sortSpilledBytes: 9382614,
        sortSpilledRecords: 60000,
        sortSpilledDataStorageSize: 2396361,
        sortTotalDataSizeBytes: 3588294,
        inUseTrackedMemBytes: 47867,
        peakTrackedMemBytes: 235929,
        queryFramework: 'classic',
        locks: LOCKED,
        workingMillis: 39,
        durationMillis: 39,
      },
    },
    read: { figures: { diskUses: 1, spills: { sort: 9382614 }, peakMemoryBytes: 235929 } },
  },
  {
    server: '9.0.2',
    kind: 'find through mongos, which writes 0 for what the shards examined',
    origin: `${MDBKIT}/sharded/9.0.2/manual/mongos-mongos.log`,
    line: {
      svc: 'R',
      attr: {
        type: 'command',
        ns: 'shop.orders',
        appName: 'mongosh 2.12.0',
        queryShapeHash: 'ACAC20E6F30B84B9D7BFDE850D81CA64432AC9C943108576EA5A58EB48F8F81C',
        command: { find: 'orders', filter: { status: 'paid', total: { $gt: 900 } }, $db: 'shop' },
        nShards: 2,
        keysExamined: 0,
        docsExamined: 0,
        fromPlanCache: true,
        nMatched: 0,
        nModified: 0,
        ninserted: 0,
        ndeleted: 0,
        nUpserted: 0,
        nreturned: 101,
        reslen: 9912,
        locks: {},
        remoteOpWaitMillis: 5,
        workingMillis: 5,
        durationMillis: 5,
      },
    },
    read: {
      figures: { shardsContacted: { 2: 1 }, ...UNKNOWN_TO_ROUTERS, documentsReturned: 101 },
    },
  },
  {
    server: '9.0.2',
    kind: 'command of mongos that is no operation on data',
    origin: `${MDBKIT}/sharded/9.0.2/manual/mongos-mongos.log`,
    line: {
      svc: 'R',
      attr: {
        type: 'command',
        ns: 'shop.orders',
        command: { moveRange: 'shop.orders', min: { customerId: 'c02000' }, toShard: 'shB', $db: 'admin' },
        locks: {},
        durationMillis: 361,
      },
    },
    read: 'ignored',
  },
  {
    server: 'unknown',
    kind: 'a line about an operation under a message that no known version writes',
    origin: 'made up',
    line: {
      msg: 'Slow imagined query',
      attr: { type: 'command', ns: 'shop.orders', command: { find: 'orders' }, durationMillis: 7 },
    },
    read: { notUnderstood: 'Slow imagined query' },
  },
  ...(
    [
      [
        'update',
        {
          q: { x: { $eq: '?number' } },
          u: { $set: { item: '?string', tags: '?array<?string>' } },
          multi: false,
          upsert: true,
        },
        {
          kind: 'update',
          filter: { x: { $eq: '?number' } },
          update: { $set: { item: '?string', tags: '?array<?string>' } },
          upsert: true,
        },
      ],
      [
        'update',
        { q: { x: { $eq: '?number' } }, u: '?object', multi: false, upsert: false },
        { kind: 'update', update: '?object' },
      ],
      [
        'delete',
        { q: { $and: [{ age: { $gt: '?number' } }, { status: { $eq: '?string' } }] }, limit: 0 },
        { kind: 'delete', multi: true },
      ],
      ['insert', { documents: '?array<?object>' }, { kind: 'insert' }],
    ] as const
  ).map(([command, arguments_, shape]) => ({
    server: '9.0',
    kind: `${command} in $queryStats`,
    origin: `${SERVER}/src/mongo/db/query/query_shape/${command}_cmd_shape_test.cpp; metrics: jstests/noPassthrough/queryStats/query_stats_update_cmd_metrics.js`,
    stats: {
      key: { queryShape: { cmdNs: { db: 'testDB', coll: 'testColl' }, command, ...arguments_ } },
      metrics: {
        execCount: 1,
        queryExec: { docsExamined: { sum: 8 }, keysExamined: { sum: 0 }, docsReturned: { sum: 0 } },
        writes: {
          nMatched: { sum: 8 },
          nUpserted: { sum: 0 },
          nModified: { sum: 8 },
          nDeleted: { sum: 0 },
          nInserted: { sum: 0 },
        },
      },
    },
    read: { shape, figures: { executions: 1, documentsExamined: 8, documentsWritten: 8 } },
  })),
  ...(
    [
      ['find', { filter: { item: { $eq: '?string' } } }, { kind: 'find', filter: { item: { $eq: '?string' } } }],
      ['aggregate', { pipeline: [{ $match: { item: { $eq: '?string' } } }] }, { kind: 'aggregate' }],
      ['distinct', { key: 'item', query: { qty: { $gt: '?number' } } }, { kind: 'distinct' }],
    ] as const
  ).map(([command, arguments_, shape]) => ({
    server: command === 'distinct' ? '8.0' : '6.0 to 8.0',
    kind: `${command} in $queryStats`,
    origin: `${DOCS}/manual/reference/operator/aggregation/queryStats/, Output`,
    stats: {
      key: { queryShape: { cmdNs: { db: 'testDB', coll: 'testColl' }, command, ...arguments_ } },
      metrics: { execCount: 2, docsExamined: { sum: 8 }, keysExamined: { sum: 4 }, docsReturned: { sum: 4 } },
    },
    read: { shape, figures: { executions: 2, documentsExamined: 8, keysExamined: 4 } },
  })),
  {
    server: 'unknown',
    kind: 'a command in $queryStats that no known version has',
    origin: 'made up',
    stats: {
      key: { queryShape: { cmdNs: { db: 'testDB', coll: 'testColl' }, command: 'imagine' } },
      metrics: { execCount: 1 },
    },
    read: { notUnderstood: 'imagine' },
  },
];
