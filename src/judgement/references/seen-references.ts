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

/** How severe a share is: as far as it is sure, or else an info; then also by the sampled figures themselves. */
export interface SureSeverity {
  readonly severity: Severity;
  readonly severityIfSure?: Severity;
}

/** Null below all lines. */
export function surelySevere(hits: number, trials: number, seen: SeenPart, lines: SeverityLines): SureSeverity | null {
  const sampled = severityOf(hits / trials, lines);
  if (sampled === null) return null;
  const sure = severityOf(shareWithin(hits, trials, seen)[0], lines);
  return sure === sampled ? { severity: sure } : { severity: sure ?? 'info', severityIfSure: sampled };
}
