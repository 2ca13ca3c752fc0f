import type { ComparedReference, Confidence, CopiedField } from '../../src/check.js';
import { formatShare, plural } from '../../src/format.js';
import { STATED_RISK } from '../../src/judgement/margins.js';
import { referencesWithin, type SeenReferences } from '../../src/judgement/references/seen-references.js';

/** Referred-to documents with an older copy that was changed, from which copies count as following their source. */
const SOURCES_FOR_PROOF = 3;
const SOURCES_FOR_HIGH = 10;

/** Cohen's kappa: 0 if values agree as often as by chance, 1 if all agree. */
export function agreementBeyondChance({ compared, differing, agreementByChance }: CopiedField): number {
  return agreementByChance >= 1 ? 0 : (1 - differing / compared - agreementByChance) / (1 - agreementByChance);
}

/** Copies older than a differing one that are equal must have been changed since they were written. */
export function isKeptUp({ history: { updated, untouched } }: CopiedField): boolean {
  return updated >= SOURCES_FOR_PROOF && updated > untouched;
}

export function confidenceOf(copy: CopiedField): Confidence {
  if (!isKeptUp(copy)) return 'low';
  return copy.history.updated >= SOURCES_FOR_HIGH ? 'high' : 'medium';
}

export function message({ target, complete }: ComparedReference, copy: CopiedField): string {
  const { path, sourcePath, compared, differing } = copy;
  return (
    `${formatShare(differing / compared)} of ${complete ? 'all' : 'the compared'} copies in \`${path}\` differ from their source, ` +
    `\`${sourcePath}\` of ${target}: ${differing} of ${plural(compared, 'copy', 'copies')}. ${historyText(copy)}`
  );
}

function historyText(copy: CopiedField): string {
  const { updated, untouched } = copy.history;
  if (isKeptUp(copy))
    return `Older copies of the same documents are up to date: the application updates copies, and missed these (seen on ${plural(updated, 'document')}).`;
  if (untouched > updated)
    return 'The differing copies are older than the equal ones of the same documents. Either nothing updates them, or the copy is meant to record how things were.';
  return 'The data do not show whether the copy is meant to follow its source.';
}

export function evidence(reference: ComparedReference, copy: CopiedField, seen: SeenReferences) {
  return {
    source: 'sample and look-up by _id, what differs read again',
    window: `${plural(copy.compared, 'copy', 'copies')} in ${plural(reference.sampled, 'document')}`,
    differing: copy.differing,
    shareDiffering: copy.differing / copy.compared,
    ...(!reference.complete && {
      shareDifferingRange: [...referencesWithin(copy.differing, copy.compared, seen, STATED_RISK)],
    }),
    agreementBeyondChance: agreementBeyondChance(copy),
    valuesAgreed: copy.valuesAgreed,
    copiedBy: reference.path,
    copiedFrom: `${reference.target} ${copy.sourcePath}`,
    sourcesWithOlderCopiesUpdated: copy.history.updated,
    sourcesWithOlderCopiesUntouched: copy.history.untouched,
    ...(copy.ids !== undefined && { ids: [...copy.ids] }),
  };
}
