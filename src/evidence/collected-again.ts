import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Evidence } from '../presence.js';

const MOST_TIMES = 3;

/** A piece of evidence, collected once more from its beginning if a member was lost under it and another may answer. */
export async function collectedAgain<Piece>(
  reader: ClusterReader,
  collect: () => Evidence<Piece> | Promise<Evidence<Piece>>,
): Promise<Evidence<Piece>> {
  for (let times = 1; ; times += 1) {
    const begun = performance.now();
    const piece = await collect();
    if (piece.present || times === MOST_TIMES || !(await reader.mayReadAgain(piece.error, begun))) return piece;
  }
}
