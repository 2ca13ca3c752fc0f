import type { Severity } from '../../finding/severity.js';
import type { Interval } from '../../profile/sampling/confidence.js';
import type { ComparedReference } from '../../references/reference-integrity.js';
import { shareWithin, WHOLE, type SeenPart } from '../margins.js';
import { severityOf, type SeverityLines } from '../severity-lines.js';

/** The part of a collection whose references were followed. */
export interface SeenReferences extends SeenPart {
  /** Neighbours that the random cursor picks together may refer to the same: then only different references count as trials. */
  readonly mostTrials: number;
}

/** @param documents of the collection; null if it is not known */
export function seenReferences(
  { sampled, complete, values, ...drawn }: ComparedReference,
  documents: number | null,
): SeenReferences {
  if (complete) return { ...WHOLE, mostTrials: Infinity };
  const byChance = drawn.byChance === true;
  const share = documents === null ? 0 : Math.min(1, sampled / Math.max(1, documents));
  return { share, byChance, mostTrials: byChance ? values : Infinity };
}

/** Within which a share of all references, or of their copies, lies: 0 to 1. */
export function referencesWithin(hits: number, trials: number, seen: SeenReferences, risk?: number): Interval {
  const counted = Math.min(trials, seen.mostTrials);
  const scaled = (hits * counted) / Math.max(1, trials);
  const [low] = shareWithin(Math.floor(scaled), counted, seen, risk);
  return [low, shareWithin(Math.ceil(scaled), counted, seen, risk)[1]];
}

/** How severe a share is: as far as it is sure, or else an info; then also by the sampled figures themselves. */
export interface SureSeverity {
  readonly severity: Severity;
  readonly severityIfSure?: Severity;
}

export function surelySevere(
  hits: number,
  trials: number,
  seen: SeenReferences,
  lines: SeverityLines,
): SureSeverity | null {
  const sampled = severityOf(hits / trials, lines);
  if (sampled === null) return null;
  const sure = severityOf(referencesWithin(hits, trials, seen)[0], lines);
  return sure === sampled ? { severity: sure } : { severity: sure ?? 'info', severityIfSure: sampled };
}
