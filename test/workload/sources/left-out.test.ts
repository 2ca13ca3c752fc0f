import { BSON, Long, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ClusterReader, Member } from '../../../src/connect/cluster-reader.js';
import type { RawCursor } from '../../../src/connect/raw-cursor.js';
import { readProfiler } from '../../../src/workload/sources/profiler.js';
import { readQueryStats } from '../../../src/workload/sources/query-stats.js';
import { readServerStatus } from '../../../src/workload/sources/server-status.js';

// Stood in: the servers of 8.3 and 9.0, which can't be had here. What they answer has the shape that their source gives it.

function rawCursor(documents: readonly Document[]): RawCursor {
  let batch = documents.map((document) => BSON.serialize(document));
  return {
    hasNext: async () => batch.length > 0,
    readBufferedDocuments: () => {
      const read = batch;
      batch = [];
      return read;
    },
    close: async () => undefined,
  };
}

function member(answers: {
  readonly status?: Document;
  readonly settings?: Document;
  readonly read?: Document[];
}): Member {
  const reader = {
    command: async (_: string, command: Document) =>
      'serverStatus' in command ? statusWith(answers.status) : (answers.settings ?? {}),
    capabilities: { engine: { name: 'MongoDB' } },
    aggregateDatabaseRaw: () => rawCursor(answers.read ?? []),
    findRaw: () => rawCursor(answers.read ?? []),
  };
  return { name: 'the primary', reader: reader as unknown as ClusterReader };
}

/** What every server answers, and the given sections. */
function statusWith({ metrics, ...status }: Document = {}): Document {
  return { uptimeMillis: 1_000, opcounters: {}, ...status, metrics: { aggStageCounters: {}, ...metrics } };
}

async function countersOf(node: Member) {
  return new Map([[node.name, await readServerStatus(node)]]);
}

function entry(command: string, execCount: number): Document {
  const shape = { cmdNs: { db: 'shop', coll: 'orders' }, command, filter: { a: { $eq: '?number' } } };
  return { key: { queryShape: shape }, metrics: { execCount: Long.fromNumber(execCount) } };
}

function queryStats(limited: number, evicted = 0): Document {
  return {
    metrics: {
      queryStats: {
        numEvicted: Long.fromNumber(evicted),
        numRateLimitedRequests: Long.fromNumber(limited),
        numQueryStatsStoreWriteErrors: Long.fromNumber(0),
      },
    },
  };
}

describe('query stats', () => {
  it('hold writes from 9.0 on, which are sampled at a rate of their own, and count what they do not know', async () => {
    const node = member({
      status: queryStats(0),
      read: [entry('find', 7), entry('update', 5), entry('delete', 3), entry('insert', 2), entry('findAndModify', 1)],
    });
    const { source, operations } = await readQueryStats([node], await countersOf(node));
    expect(operations.map(({ shape, figures }) => [shape.kind, figures.executions])).toEqual([
      ['find', 7],
      ['update', 5],
      ['delete', 3],
      ['insert', 2],
    ]);
    const part = { entries: 4, notUnderstood: { findAndModify: 1 }, coverage: { operations: 'part' } };
    expect(source).toMatchObject({ value: { parts: [part] } });
  });

  it.each([
    ['everything', queryStats(0), 'all', []],
    [
      'a sample',
      queryStats(1_365),
      'part',
      ['the query stats of the primary cover only part of the queries: 1,365 requests were left out by the rate limit'],
    ],
    [
      'what fitted into the store',
      queryStats(0, 1),
      'part',
      ['the query stats of the primary cover only part of the queries: 1 entry was lost, as the store was full'],
    ],
    ['nobody knows which part', {}, 'unknown', []],
  ])('with %s', async (_, status, operations, gaps) => {
    const node = member({ status, read: [entry('find', 135)] });
    const { source } = await readQueryStats([node], await countersOf(node));
    expect(source).toMatchObject({
      value: {
        parts: [{ coverage: { operations } }],
        gaps: gaps.map((text) => ({ reason: 'insufficient', detail: expect.stringContaining(text) })),
      },
    });
  });

  it('that sampled nothing yet are not taken for off', async () => {
    const node = member({ status: queryStats(40) });
    const { source } = await readQueryStats([node], await countersOf(node));
    expect(source).toMatchObject({
      value: { gaps: [{ detail: expect.stringContaining('40 requests were left out') }] },
    });
  });
});

describe('the profiler', () => {
  const settings = { was: 2, slowms: 100, sampleRate: 1 };

  it.each([
    ['dropped nothing', { totalAbandonedWrites: Long.fromNumber(0), dbsPastThreshold: Long.fromNumber(0) }, 'all', []],
    ['does not say so, before 8.3', { totalWrites: 5, activeWriters: 0 }, 'all', []],
    [
      'dropped entries',
      { totalAbandonedWrites: Long.fromNumber(1_234), dbsPastThreshold: Long.fromNumber(1) },
      'part',
      [
        'under load, the profilers of the primary dropped 1,234 entries since the server started. It also switched the profiler off 1 time: lower its sampleRate before you switch it on again.',
      ],
    ],
  ])('that %s', async (_, profiler, operations, details) => {
    const node = member({ status: { profiler }, settings });
    const { source } = await readProfiler([node], ['shop'], await countersOf(node));
    expect(source).toMatchObject({
      value: { parts: [{ coverage: { operations } }], gaps: details.map((detail) => ({ detail })) },
    });
  });
});
