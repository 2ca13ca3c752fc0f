import type { ComparedReference } from '../../evidence/references/reference-integrity.js';
import type { Severity } from '../../severity.js';
import { shareWithin, WHOLE, type SeenPart } from '../margins.js';
import { severityOf, type SeverityLines } from '../severity-lines.js';

/**
 * The part of a collection whose references were followed.
 *
 * @param documents of the collection; null if it is not known
 */
export function seenReferences({ sampled, complete }: ComparedReference, documents: number | null): SeenPart {
  if (complete) return WHOLE;
  return { share: documents === null ? 0 : Math.min(1, sampled / Math.max(1, documents)), byChance: false };
}

/** The severity of a share that counts as far as it is sure; beyond that, it is an info. */
export function surelySevere(hits: number, trials: number, seen: SeenPart, lines: SeverityLines): Severity | null {
  const sure = severityOf(shareWithin(hits, trials, seen)[0], lines);
  return sure ?? (severityOf(hits / trials, lines) === null ? null : 'info');
}
