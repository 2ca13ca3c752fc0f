import type { ClusterVerdict, KnownCollection } from '../../check.js';
import type { Severity } from '../../finding/severity.js';
import type { Absent } from '../../presence.js';
import type { Interval } from '../../profile/sampling/confidence.js';
import type { ComparedReference } from '../../references/reference-integrity.js';
import { type SeenPart, type SeverityLines, severityOf, shareWithin, WHOLE } from '../margins.js';

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

/** What could not be judged of references: whole collections, or their values. */
export function referenceGaps(
  collections: ReadonlyMap<string, KnownCollection<'indexes' | 'storage' | 'fieldTypes'>>,
  gaps: readonly Absent[],
): ClusterVerdict[] {
  const ofValues = gaps.map(({ reason, detail }) => ({ notJudged: reason, detail }));
  const plain = [...collections.values()].filter(({ collection }) => collection.kind === 'collection');
  const ofCollections = plain.flatMap(({ collection, indexes, fieldTypes, storage }) => {
    const missing = [fieldTypes, indexes, storage].find((piece) => !piece.present);
    return missing?.present === false
      ? [{ namespace: collection.namespace, notJudged: missing.reason, detail: missing.detail }]
      : [];
  });
  const isNothingJudged = plain.length > 0 && plain.every(({ fieldTypes }) => !fieldTypes.present);
  return [...ofValues, ...ofCollections].map((gap) => (isNothingJudged ? { ...gap, nothingJudged: true } : gap));
}
