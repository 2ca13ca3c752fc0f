import type { Absent, Evidence } from '../../presence.js';

/** What is absent in production, so that nobody looks for the cause here. */
export function inProduction({ reason, detail, code }: Absent): Absent {
  return { present: false, reason, detail: `in production: ${detail}`, ...(code !== undefined && { code }) };
}

export function pieceOfProduction<Piece>(piece: Evidence<Piece>): Evidence<Piece> {
  return piece.present ? piece : inProduction(piece);
}
