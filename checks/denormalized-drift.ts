import {
  type ClusterVerdict,
  type ComparedReference,
  type Confidence,
  type CopiedField,
  defineClusterCheck,
} from '../src/check.js';
import { formatShare, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { documentsOf } from '../src/judgement/joins/joined-cluster.js';
import { STATED_RISK } from '../src/judgement/margins.js';
import { resyncRemedy } from '../src/judgement/references/resync-remedy.js';
import {
  referenceGaps,
  referencesWithin,
  seenReferences,
  type SeenReferences,
  surelySevere,
} from '../src/judgement/references/seen-references.js';

/** Compared copies below which it is an info of low confidence. Judgement: one of fewer is more than 2 %. */
const FEWEST_COMPARED = 50;

/** Distinct values that copy and source must agree on: statuses and countries agree without being copies. Judgement. */
const FEWEST_VALUES = 10;

/** Distinct values per document of the source below which, as of cities, a field counts only beside its `_id`. Judgement. */
const IDENTIFYING = 0.5;

/**
 * A field counts as a copy if it agrees with a field of the document that it refers to far beyond chance, on values that identify.
 * It is a finding if a share of the copies differs: a warning if older copies were updated, else an info.
 */
export const denormalizedDrift = defineClusterCheck({
  id: 'denormalized-drift',
  title: 'Copies that differ from their source',
  summary: 'a field copied from another collection that no longer equals its source',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['referenceIntegrity'],
  thresholds: {
    info: {
      default: 0.01,
      unit: 'share',
      description: 'share of copies that differ',
      source: 'judgement: one reader in a hundred sees another value than the rest',
    },
    warning: {
      default: 0.05,
      unit: 'share',
      description: 'share of copies that differ, if copies are seen to follow their source',
      source: 'judgement: more than occasional failed writes; some code path does not update the copies',
    },
    agreement: {
      default: 0.61,
      unit: 'share',
      description: "agreement beyond chance (Cohen's kappa) that makes a field a copy",
      source: '"substantial agreement": Landis and Koch, Biometrics 33 (1977)',
    },
  },
  retiredThresholds: ['compared', 'values', 'distinct'],
  judge({ referenceIntegrity, collections }, limits) {
    const findings = referenceIntegrity.references.flatMap((reference) =>
      bestCopies(reference).flatMap((copy): ClusterVerdict[] => {
        const { compared, differing, valuesAgreed, valuesPerSource, isBesideId, path } = copy;
        // A share of few is reported only if they are all that there are.
        const isFew = compared < FEWEST_COMPARED;
        const isCopy =
          (!isFew || reference.complete) &&
          valuesAgreed >= FEWEST_VALUES &&
          agreementBeyondChance(copy) >= limits.agreement &&
          (isBesideId || valuesPerSource >= IDENTIFYING);
        const seen = seenReferences(reference, documentsOf({ collections }, reference.namespace));
        const severities = surelySevere(differing, compared, seen, {
          info: limits.info,
          warning: isKeptUp(copy) && !isFew ? limits.warning : Infinity,
          error: Infinity,
        });
        if (!isCopy || severities === null) return [];
        // By chance, a share about the line is above it in one run and not in the next. A date may be the time of the copy.
        const isUnsure = seen.byChance && referencesWithin(differing, compared, seen)[0] < limits.info;
        if (!isKeptUp(copy) && (isUnsure || copy.family === 'date')) return [];
        const isSharded = collections.get(reference.namespace)?.collection.sharding !== undefined;
        return [
          {
            namespace: reference.namespace,
            path,
            ...severities,
            confidence: isFew ? 'low' : confidenceOf(copy),
            message: message(reference, copy),
            restsOn: ['sample'],
            evidence: evidence(reference, copy, seen),
            remedy: resyncRemedy(reference, copy, { isKeptUp: isKeptUp(copy), isSharded }),
          },
        ];
      }),
    );
    return [...referenceGaps(collections, referenceIntegrity.gaps), ...findings];
  },
});

/** A field's name may fit two fields of the source: it is a copy of the one it agrees with. */
function bestCopies({ copies }: ComparedReference): CopiedField[] {
  return [...groupedBy(copies, ({ path }) => path).values()].map((alike) =>
    alike.reduce((best, each) => (agreementBeyondChance(each) > agreementBeyondChance(best) ? each : best)),
  );
}

/** Referred-to documents with an older copy that was changed, from which copies count as following their source. */
const SOURCES_FOR_PROOF = 3;

const SOURCES_FOR_HIGH = 10;

/** Cohen's kappa: 0 if values agree as often as by chance, 1 if all agree. */
function agreementBeyondChance({ compared, differing, agreementByChance }: CopiedField): number {
  return agreementByChance >= 1 ? 0 : (1 - differing / compared - agreementByChance) / (1 - agreementByChance);
}

/** Copies older than a differing one that are equal must have been changed since they were written. */
function isKeptUp({ history: { updated, untouched } }: CopiedField): boolean {
  return updated >= SOURCES_FOR_PROOF && updated > untouched;
}

function confidenceOf(copy: CopiedField): Confidence {
  if (!isKeptUp(copy)) return 'low';
  return copy.history.updated >= SOURCES_FOR_HIGH ? 'high' : 'medium';
}

function message({ target, complete }: ComparedReference, copy: CopiedField): string {
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

function evidence(reference: ComparedReference, copy: CopiedField, seen: SeenReferences) {
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
