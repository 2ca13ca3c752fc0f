import type { ComparedReference } from '../../src/references/reference-integrity.js';
import type { Interval } from '../../src/profile/sampling/confidence.js';
import { formatCount, plural } from '../../src/format.js';
import { STATED_RISK } from '../../src/judgement/margins.js';
import { referencesWithin, seenReferences } from '../../src/judgement/references/seen-references.js';

/** The sample's documents extrapolated to the `all` of the collection; null if it is not known how many those are. */
export function estimatedDocuments(
  { sampled, complete }: ComparedReference,
  documents: number,
  all: number | null,
): number | null {
  if (complete) return documents;
  return all === null ? null : Math.round((documents / sampled) * all);
}

/** Within which their number lies, but for a risk on each side; null if it is not known how many the collection has. */
export function estimatedRange(
  reference: ComparedReference,
  documents: number,
  ofCollection: number | null,
  risk: number,
): Interval | null {
  const all = reference.complete ? reference.sampled : ofCollection;
  if (all === null) return null;
  const [low, high] = referencesWithin(documents, reference.sampled, seenReferences(reference, all), risk);
  return [Math.max(documents, Math.floor(low * all)), Math.ceil(high * all)];
}

/** "5 of 1,000 sampled documents, so an estimated 20–120 documents in all". */
export function estimateText(reference: ComparedReference, documents: number, all: number | null): string {
  const range = reference.complete ? null : estimatedRange(reference, documents, all, STATED_RISK);
  if (range === null) return plural(documents, 'document');
  const low = Math.max(documents, rounded(range[0], Math.floor));
  const high = rounded(range[1], Math.ceil);
  return (
    `${formatCount(documents)} of ${formatCount(reference.sampled)} sampled documents, so an estimated ` +
    `${formatCount(low)}–${formatCount(high)} documents in all`
  );
}

function rounded(count: number, towards: (value: number) => number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return towards(count / unit) * unit;
}
