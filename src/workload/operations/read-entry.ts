import type { Document } from 'mongodb';
import { z } from 'zod';
import { documentIn, numberIn, recordedFigure } from '../../connect/answer.js';
import { arrayOf, bodyOf } from '../shapes/placeholder.js';
import type { Slices } from '../shapes/slices.js';
import type { Window } from '../window.js';
import { type Batch, sum } from './accumulator.js';
import { type Client, type ClientExecutions, clientOf, ClientTally, driverText } from './clients.js';

/** An entry of the profiler or of a log, as figures are read from it. */
export interface ReadEntry extends Omit<Batch, 'cursor' | 'recorded'> {
  /** The profiler's document, or the log line's `attr`. */
  readonly fields: Document;
  /** As it was sent, or a text if it was cut. */
  readonly command: Document;
  /** The command without what says nothing of data: empty for inserts and for texts. */
  readonly asked: Document;
  readonly milliseconds: number | null;
  readonly responseBytes: number | null;
  readonly planSummary: string | null;
  readonly longestLiteralArray: number;
  readonly slices: Slices;
  readonly client: Client;
  readonly truncated: boolean;
  /** mongos of 9.0 writes 0 for what only shards know. */
  readonly isOfRouter: boolean;
}

/** An entry of query stats, whose figures are totals. */
export interface Statistics {
  figure(name: string, part?: 'sum' | 'max' | 'true'): number | null;
  time(name: string): number | null;
  readonly isWrite: boolean;
  readonly client: Document | undefined;
}

/** Stages that can spill. Source: `OpDebug` of the server's public sources, 8.1. */
const SPILLING = 'sort group setWindowFields bucketAuto textOr geoNear graphLookup hashLookup'.split(' ');
export const SPILLED = SPILLING.map((stage) => `${stage}SpilledBytes`);

/** What an entry says of documents that were written; in query stats of 9.0, by `query_stats_update_cmd_metrics.js` of the server's tests. */
export const WRITTEN = ['ninserted', 'nModified', 'nUpserted', 'ndeleted'] as const;
const WRITTEN_IN_STATISTICS = ['nInserted', 'nModified', 'nUpserted', 'nDeleted'] as const;

const MICROSECONDS_PER_MILLISECOND = 1_000;

/** Documents that executions passed over by `skip` before they returned the first. */
export const skipsSchema = z.strictObject({
  /** Executions that skipped any. */
  executions: z.number(),
  documents: z.number(),
  deepest: z.number(),
});

/** Who must have a write before it is acknowledged, if its client says so or it is a majority; null within a transaction. */
export function acknowledgedBy(fields: Document, command: Document): string | null {
  const { insert, findAndModify, autocommit } = command;
  if ((insert === undefined && findAndModify === undefined) || autocommit === false) return null;
  const concern = documentIn(fields, 'writeConcern');
  if (concern?.['w'] === 'majority') return 'majority';
  const members = numberIn(concern, 'w');
  const isOfClient = (concern?.['provenance'] ?? 'clientSupplied') === 'clientSupplied';
  return isOfClient && (members === 0 || members === 1) ? String(members) : null;
}

/** A count of the entry; null if it does not say. */
export function countIn({ fields, isOfRouter }: Pick<ReadEntry, 'fields' | 'isOfRouter'>, name: string): number | null {
  const count = recordedFigure(fields[name]);
  return count === 0 && isOfRouter ? null : count;
}

/** Counts of the entry added up; null if it says none of them. */
export function countsIn(entry: ReadEntry, names: readonly string[]): number | null {
  return names.reduce<number | null>((all, name) => {
    const count = countIn(entry, name);
    return count === null ? all : (all ?? 0) + count;
  }, null);
}

export function inMilliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / MICROSECONDS_PER_MILLISECOND;
}

/** Null of a read, and if no such figure is reported. */
export function writtenInStatistics(statistics: Statistics): number | null {
  if (!statistics.isWrite) return null;
  const reported = WRITTEN_IN_STATISTICS.flatMap((name) => statistics.figure(name, 'sum') ?? []);
  return reported.length === 0 ? null : reported.reduce(sum);
}

export function windowInStatistics(statistics: Statistics): Window | null {
  const [from, to] = [statistics.time('firstSeenTimestamp'), statistics.time('latestSeenTimestamp')];
  return from === null || to === null ? null : { from, to };
}

export function skippedBy({ asked: { skip, pipeline } }: ReadEntry): z.output<typeof skipsSchema> | null {
  let documents = recordedFigure(skip) ?? 0;
  for (const stage of arrayOf(pipeline)) documents += recordedFigure(bodyOf(stage)['$skip']) ?? 0;
  return documents === 0 ? null : { executions: 1, documents, deepest: documents };
}

/** Whether its only batch returned fewer documents than its limit. Of an aggregate, the first limit counts. */
export function isBelowLimit({ asked: { limit, pipeline }, fields: { nreturned, cursorid } }: ReadEntry): boolean {
  const returned = recordedFigure(nreturned);
  if ((cursorid ?? null) !== null || returned === null) return false;
  let most = recordedFigure(limit);
  for (const stage of arrayOf(pipeline)) most ??= recordedFigure(bodyOf(stage)['$limit']);
  return returned < (most ?? 0);
}

export function spillsIn({ fields }: ReadEntry): Record<string, number> | null {
  let spills: Record<string, number> | null = null;
  for (const [at, name] of SPILLED.entries()) {
    const bytes = recordedFigure(fields[name]) ?? 0;
    if (bytes > 0) (spills ??= {})[SPILLING[at] as string] = bytes;
  }
  return spills;
}

export function countOf(name: string | number | null): Record<string, number> | null {
  return name === null ? null : { [name]: 1 };
}

/** Who ran the operations of an entry of query stats. */
export function clientsInStatistics({ client, figure }: Statistics): readonly ClientExecutions[] | undefined {
  const tally = new ClientTally();
  const driver = driverText(client?.['driver']);
  const appName: unknown = documentIn(client, 'application')?.['name'];
  tally.count(clientOf({ appName, user: null, driver, address: null }), figure('execCount') ?? 0);
  return tally.figure();
}
