import { MongoServerSelectionError } from 'mongodb';
import type { Collection } from '../inventory/collection.js';
import { absent } from '../presence.js';
import { isOfCluster } from './sources.js';
import type { CollectedPieces, PieceName } from './source.js';

/**
 * True if no server could be selected: the driver has then waited `--timeout` for one, through elections too, and
 * each further command would wait as long again.
 */
export function isConnectionLost(pieces: CollectedPieces): boolean {
  return Object.values(pieces).some((piece) => !piece.present && piece.error instanceof MongoServerSelectionError);
}

/** The pieces of a collection that was not reached before the connection was lost. */
export function unreachedPieces({ namespace }: Collection, wanted: ReadonlySet<PieceName>): CollectedPieces {
  const unreached = absent(
    'connection',
    `reading ${namespace}: the connection to the server was lost before; run again when it is back.`,
  );
  return Object.fromEntries([...wanted].filter((name) => !isOfCluster(name)).map((name) => [name, unreached]));
}
