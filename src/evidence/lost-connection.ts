import { MongoServerSelectionError } from 'mongodb';
import type { Collection } from '../inventory/collection.js';
import { absent, type Absent } from '../presence.js';
import { isOfCluster } from './sources.js';
import type { CollectedPieces, PieceName } from './source.js';

/** Why nothing more can be read of the server. */
export type ConnectionLoss = 'connection' | 'authentication';

const LOSS_TEXTS: Readonly<Record<ConnectionLoss, string>> = {
  connection: 'the connection to the server was lost before; run again when it is back.',
  authentication: 'the server no longer accepted the user; check it and its password, and run again.',
};

/** Each further command would wait `--timeout` for a server again, as the driver did, or try the credentials again. */
export function connectionLoss(pieces: CollectedPieces): ConnectionLoss | null {
  const missing = Object.values(pieces).filter((piece): piece is Absent => !piece.present);
  if (missing.some(({ error }) => error instanceof MongoServerSelectionError)) return 'connection';
  return missing.some(({ reason }) => reason === 'authentication') ? 'authentication' : null;
}

/** The pieces of a collection that was not reached before the connection was lost. */
export function unreachedPieces(
  { namespace }: Collection,
  wanted: ReadonlySet<PieceName>,
  loss: ConnectionLoss,
): CollectedPieces {
  const unreached = absent(loss, `reading ${namespace}: ${LOSS_TEXTS[loss]}`);
  return Object.fromEntries([...wanted].filter((name) => !isOfCluster(name)).map((name) => [name, unreached]));
}
