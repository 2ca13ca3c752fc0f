import { ObjectId, type Document } from 'mongodb';
import { z } from 'zod';
import { figureIfAny, figureIn, neededDocument, neededFigure, neededTime } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import type { Collection } from '../inventory/collection.js';
import { figureSchema, type Plain } from '../plain.js';
import { absent, type Evidence, present } from '../presence.js';

/** Why the server stopped adding to a bucket, by its counters: `numBucketsClosedDueTo…`, `numBucketsArchivedDueTo…`. */
const REASONS = [
  'Count',
  'Size',
  'TimeForward',
  'TimeBackward',
  'SchemaChange',
  'MemoryThreshold',
  'CachePressure',
] as const;

/** What the primaries of a time-series collection have done with its buckets since they started; a restart sets all to 0. */
export const bucketsSchema = z.strictObject({
  /** Buckets that are stored, whenever they were made. */
  stored: figureSchema,
  measurements: figureSchema,
  opened: figureSchema,
  /** The buckets among these that were opened because no open bucket had the value of the meta field. */
  openedForMetadata: figureSchema,
  /** Buckets that are no longer added to, by the reason. */
  finished: z.partialRecord(z.enum(REASONS), figureSchema),
  /** In ms, since the start of the primary; null through mongos, as each shard has its own. */
  countedFor: z.number().nonnegative().nullable(),
});

export type Buckets = Plain<typeof bucketsSchema>;

const COMMAND = '$collStats';
const STAGES = [{ $collStats: { storageStats: {} } }, { $project: { shard: 1, 'storageStats.timeseries': 1 } }];

/** Only a primary keeps buckets open, and counts them. */
export async function readBuckets(reader: ClusterReader, collection: Collection): Promise<Evidence<Buckets>> {
  const { database, name, namespace } = collection;
  const what = `reading how the buckets of ${namespace} are filled`;
  try {
    const primary = await reader.ofPrimary();
    if (primary === null)
      return absent('insufficient', `${what}: only a primary counts that, and none can be read here.`);
    const hello = reader.capabilities.isRouter ? null : await primary.command('admin', { hello: 1 });
    const answers = await primary.aggregate<Document>(database, name, STAGES).toArray();
    const parts = answers.map((answer) => neededDocument(COMMAND, answer, 'storageStats.timeseries'));
    const sum = (figure: (part: Document) => number) => parts.reduce((total, part) => total + figure(part), 0);
    const finished = REASONS.map((reason) => [reason, sum((part) => finishedBy(part, reason))] as const);
    return present({
      stored: sum((part) => neededFigure(COMMAND, part, 'bucketCount')),
      measurements: sum((part) => neededFigure(COMMAND, part, 'numMeasurementsCommitted')),
      opened: sum((part) => neededFigure(COMMAND, part, 'numBucketInserts')),
      openedForMetadata: sum((part) => neededFigure(COMMAND, part, 'numBucketsOpenedDueToMetadata')),
      finished: Object.fromEntries(finished.filter(([, buckets]) => buckets > 0)),
      countedFor: hello === null ? null : sinceStart(hello),
    });
  } catch (error) {
    return absentBecause(error, what, `collStats on ${namespace}`);
  }
}

/** An archived bucket may be opened again (since 6.3); the server does not count these by reason. */
function finishedBy(part: Document, reason: (typeof REASONS)[number]): number {
  const closed = figureIfAny(COMMAND, part, `numBucketsClosedDueTo${reason}`) ?? 0;
  return closed + (figureIn(part, `numBucketsArchivedDueTo${reason}`) ?? 0);
}

/** The server makes the id of its process as it starts. Null if it does not say it. */
function sinceStart(hello: Document): number | null {
  const id: unknown = hello['topologyVersion']?.['processId'];
  if (!(id instanceof ObjectId)) return null;
  return Math.max(0, neededTime('hello', hello, 'localTime') - id.getTimestamp().getTime());
}
