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

/** How severe a share is: as far as it is sure, or else an info, and by the sampled figures themselves. */
export interface SureSeverity {
  readonly severity: Severity;
  readonly severityIfSure: Severity;
}

/** Null below all lines. */
export function surelySevere(hits: number, trials: number, seen: SeenPart, lines: SeverityLines): SureSeverity | null {
  const severityIfSure = severityOf(hits / trials, lines);
  if (severityIfSure === null) return null;
  return { severity: severityOf(shareWithin(hits, trials, seen)[0], lines) ?? 'info', severityIfSure };
}
