import { MongoServerSelectionError } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import type { Collection } from '../inventory/collection.js';
import { absent, type Absent } from '../presence.js';
import type { CollectedPieces, PieceName } from './source.js';
import { isOfCluster } from './sources.js';

/** Why nothing more can be read of the server, as evidence that is absent. `reading` is a noun phrase: "reading shop.orders". */
export type Unreached = (reading: string) => Absent;

const LOSS_TEXTS = {
  connection: 'the connection to the server was lost before; run again when it is back.',
  authentication: 'the server no longer accepted the user; check it and its password, and run again.',
} as const;

/** Each further command would wait `--timeout` for a server again, as the driver did, or try the credentials again. */
export function connectionLoss(pieces: CollectedPieces): Unreached | null {
  const missing = Object.values(pieces).filter((piece): piece is Absent => !piece.present);
  if (missing.some(({ error }) => error instanceof MongoServerSelectionError)) return lost('connection');
  return missing.some(({ reason }) => reason === 'authentication') ? lost('authentication') : null;
}

function lost(loss: keyof typeof LOSS_TEXTS): Unreached {
  return (reading) => absent(loss, `${reading}: ${LOSS_TEXTS[loss]}`);
}

/** Each further command would fail, at a price that thousands of collections make large. */
export function runEnd({ end }: ClusterReader): Unreached | null {
  return end && ((reading) => absentBecause(end, reading, ''));
}

/** The pieces of a collection that was not reached before. */
export function unreachedPieces(
  { namespace }: Collection,
  wanted: ReadonlySet<PieceName>,
  unreached: Unreached,
): CollectedPieces {
  const piece = unreached(`reading ${namespace}`);
  return Object.fromEntries([...wanted].filter((name) => !isOfCluster(name)).map((name) => [name, piece]));
}
