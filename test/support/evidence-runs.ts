import type { EvidenceRun } from '../../src/evidence/evidence-run.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { absent, present } from '../../src/presence.js';
import { traceWorkload } from '../../src/workload/traced-workload.js';
import type { OperationFigures } from '../../src/workload/workload.js';
import { index } from './checks/index-builders.js';
import { storage } from './checks/sharded-evidence.js';
import { profileOf } from './documents/profiles.js';
import { shapeOf } from './workload/shapes.js';

/** What such a run was asked for. */
export const EVIDENCE_SETTINGS = {
  include: [],
  exclude: [],
  sampleSize: 1_000,
  sampleBytes: 64 * 1024 * 1024,
  deep: false,
  concurrency: 4,
  timeout: 15_000,
  maxTime: 600_000,
} as const;

const DAY = { from: Date.UTC(2026, 10, 21), to: Date.UTC(2026, 10, 22) };
const NOT_ASKED = absent('unsupported', 'it is not asked for.');

const FIGURES: OperationFigures = {
  executions: 40,
  milliseconds: 8_000,
  slowestMilliseconds: 300,
  documentsExamined: 4_000_000,
  keysExamined: 0,
  documentsReturned: 40,
  documentsWritten: null,
  responseBytes: null,
  largestResponseBytes: null,
  planSummaries: { COLLSCAN: 40 },
  inMemorySorts: 0,
  diskUses: 0,
  slotBasedExecutions: 0,
  classicExecutions: 40,
  longestLiteralArray: null,
  slices: {},
  window: DAY,
};

/** A collection with indexes and sizes alone. */
export function smallCollection(namespace: string): KeptCollection {
  const [database = '', name = ''] = namespace.split('.');
  return {
    collection: { namespace, database, name, kind: 'collection', clustered: false },
    evidence: {
      storage: present(storage()),
      indexes: present([index({ _id: 1 }, { name: '_id_' }), index({ at: 1 }, { name: 'at_1' })]),
      documents: absent('privilege', `reading ${namespace}: grant find.`, new Error('a value')),
    },
  };
}

/** Two collections: the documents of one were read. */
export function smallShop(): KeptCollection[] {
  const items = smallCollection('shop.items');
  const sample = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 1 } as const;
  const documents = present({ sample, profile: profileOf([{ _id: 1, at: new Date(0) }]) });
  return [smallCollection('shop.orders'), { ...items, evidence: { ...items.evidence, documents } }];
}

/** A run that reads no server. */
export function plainRun(collections: readonly KeptCollection[]): EvidenceRun {
  const coverage = { operations: 'all', slowMilliseconds: null, sampleRate: 1 } as const;
  const counts = { entries: 40, ignored: 0, unreadable: 0, bounded: false };
  const source = present({ parts: [{ database: 'shop', coverage, window: DAY, ...counts }], gaps: [] });
  const workload = traceWorkload({
    operations: [
      { shape: shapeOf('find', { find: 'orders', filter: { customer: 1 } }), figures: { profiler: FIGURES } },
    ],
    views: [],
    sources: {
      profiler: source,
      queryStats: NOT_ASKED,
      logFile: NOT_ASKED,
      recentLog: NOT_ASKED,
      routerLog: NOT_ASKED,
    },
    counters: NOT_ASKED,
  });
  return {
    startedAt: new Date('2026-11-22T10:00:00Z'),
    cluster: {
      topology: 'standalone',
      version: '6.0.27',
      engine: { name: 'MongoDB', version: null },
      name: null,
      atlas: false,
      readFrom: 'primary',
    },
    inventory: { unlisted: [] },
    ofCollections: (take) => Promise.all(collections.map((one) => take(one))),
    ofCluster: async () => ({ server: present({ version: '6.0.27' }), workload: present(workload) }),
    end: async () => ({
      finishedAt: new Date('2026-11-22T10:01:00Z'),
      isOutOfTime: false,
      isStopped: false,
      serverLoad: null,
      gaps: [{ name: 'oplog', gap: absent('privilege', 'reading the oplog: grant find on local.oplog.rs.') }],
      errorCodes: [13],
      historyFault: null,
    }),
    user: async () => 'as before',
  };
}
