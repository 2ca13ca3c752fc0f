import { MongoServerSelectionError } from 'mongodb';
import type { Collection } from '../inventory/collection.js';
import type { CollectedEvidence } from './collect-evidence.js';
import { absent } from '../presence.js';
import type { EvidenceName } from './evidence.js';

/**
 * True where no server could be selected: the driver has then waited `--timeout` for one, through elections too, and
 * each further command would wait as long again.
 */
export function isConnectionLost(evidence: CollectedEvidence): boolean {
  return Object.values(evidence).some((piece) => !piece.present && piece.error instanceof MongoServerSelectionError);
}

/** The evidence of a collection that was not reached before the connection was lost. */
export function unreachedEvidence({ namespace }: Collection, needs: ReadonlySet<EvidenceName>): CollectedEvidence {
  const unreached = absent(
    'connection',
    `reading ${namespace}: the connection to the server was lost before; run again when it is back.`,
  );
  return Object.fromEntries([...needs].map((name) => [name, unreached]));
}
