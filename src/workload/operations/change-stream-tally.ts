import { z } from 'zod';
import { documentIn, numberIn, textIn } from '../../connect/answer.js';
import { ofKind } from '../../names.js';
import { figureSchema, type Plain } from '../../plain.js';
import { MS_PER_SECOND } from '../../time-units.js';
import { arrayOf, bodyOf } from '../shapes/placeholder.js';
import { BoundedMap } from './bounded-map.js';
import type { TransactionSource } from './transaction-tally.js';

/** Kept of all logs; entries of further ones are counted. */
export const MOST_STREAMS = 1_000;

const LOST = 'ChangeStreamHistoryLost';

/** The line of a change stream that ends, however fast: ids 23799 and 20478, as warnings. */
export const CHANGE_STREAM_LOST = `"codeName":"${LOST}"`;

/** A resume token begins with its type and the seconds since 1970, in hexadecimal. */
const TOKEN = /^82([\dA-F]{8})/i;

/** What logs hold of the change streams that an application opens on a collection. */
export const changeStreamSchema = z.strictObject({
  /** Null of a stream on a database or on all of them. */
  namespace: ofKind('namespace').nullable(),
  appName: z.string().nullable(),
  source: z.enum(['profiler', 'logFile', 'recentLog']),
  /** Those that were opened at a time before, and slow enough to be logged. */
  resumed: figureSchema,
  /** Time in ms that the furthest of them had to catch up with; 0 if none was logged. */
  furthestBehindMs: z.number().nonnegative(),
  /** Those that ended because the oplog no longer had what they asked for. */
  lost: figureSchema,
  /** Whether one of them has no stage that leaves events out. */
  unfiltered: z.boolean(),
});

export type ChangeStreams = Plain<typeof changeStreamSchema>;

type Counted = { -readonly [Name in keyof ChangeStreams]: ChangeStreams[Name] };

/** Puts the change streams of logs together. */
export class ChangeStreamTally {
  readonly #byKey = new BoundedMap<Counted>(MOST_STREAMS);

  /** @param since what happened before is left out, in ms since 1970; null for nothing */
  constructor(private readonly since: number | null = null) {}

  /** @param command of an aggregate that was logged as slow */
  opened(source: TransactionSource, at: number, command: unknown, appName: string | null): void {
    const behind = behindMs(at, command);
    const stream = behind === null ? null : this.#known(source, at, command, appName);
    if (stream === null || behind === null) return;
    stream.resumed += 1;
    stream.furthestBehindMs = Math.max(stream.furthestBehindMs, behind);
  }

  /** @param fields the attributes of a warning */
  ended(
    source: TransactionSource,
    at: number,
    fields: Readonly<Record<string, unknown>>,
    appName: string | null,
  ): void {
    if (textIn(fields, 'error.codeName') !== LOST) return;
    const stream = this.#known(source, at, fields['cmd'] ?? fields['originatingCommand'], appName);
    if (stream !== null) stream.lost += 1;
  }

  summary(): readonly ChangeStreams[] {
    return this.#byKey.values();
  }

  get leftOut(): number {
    return this.#byKey.leftOut;
  }

  #known(source: TransactionSource, at: number, command: unknown, appName: string | null): Counted | null {
    const { aggregate, getMore, collection, $db, pipeline } = bodyOf(command);
    if (this.since !== null && at < this.since) return null;
    const name = typeof aggregate === 'string' ? aggregate : getMore === undefined ? null : collection;
    const namespace =
      typeof name === 'string' && typeof $db === 'string' && !name.startsWith('$cmd') ? `${$db}.${name}` : null;
    const key = JSON.stringify([namespace, appName, source]);
    const none = { resumed: 0, furthestBehindMs: 0, lost: 0, unfiltered: false };
    const known = this.#byKey.at(key, () => ({ namespace, appName, source, ...none }));
    const isFiltered =
      pipeline === undefined || arrayOf(pipeline).some((stage) => documentIn(stage, '$match') !== null);
    if (known !== null && !isFiltered) known.unfiltered = true;
    return known;
  }
}

/** Null if it begins now. */
function behindMs(at: number, command: unknown): number | null {
  const [first] = arrayOf(bodyOf(command)['pipeline']);
  const stream = documentIn(first, '$changeStream');
  if (stream === null) return null;
  const token = textIn(stream, 'resumeAfter._data') ?? textIn(stream, 'startAfter._data') ?? '';
  const [, hexadecimal] = TOKEN.exec(token) ?? [];
  const seconds =
    hexadecimal === undefined
      ? numberIn(stream, 'startAtOperationTime.$timestamp.t')
      : Number.parseInt(hexadecimal, 16);
  return seconds === null ? null : Math.max(0, at - seconds * MS_PER_SECOND);
}
