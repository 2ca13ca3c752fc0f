import {
  defineClusterCheck,
  type ClusterVerdict,
  type ComparedReference,
  type Confidence,
  type CopiedField,
} from '../../src/check.js';
import { formatShare, plural } from '../../src/format.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { STATED_RISK } from '../../src/judgement/margins.js';
import { referenceGaps } from '../../src/judgement/references/reference-gaps.js';
import { resyncRemedy } from './resync-remedy.js';
import {
  referencesWithin,
  seenReferences,
  surelySevere,
  type SeenReferences,
} from '../../src/judgement/references/seen-references.js';

/** Referred-to documents with an older copy that was changed, from which copies count as following their source. */
const SOURCES_FOR_PROOF = 3;
const SOURCES_FOR_HIGH = 10;

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
      description: 'share of the copies that differ from which an info is given',
      source: 'judgement: one reader in a hundred sees another value than the rest',
    },
    warning: {
      default: 0.05,
      unit: 'share',
      description:
        'share of the copies that differ from which a warning is given, if copies are shown to follow their source',
      source: 'judgement: more than occasional failed writes; some code path does not update the copies',
    },
    agreement: {
      default: 0.61,
      unit: 'share',
      description: "agreement beyond chance (Cohen's kappa) from which a field counts as a copy",
      source:
        '"substantial agreement": Landis and Koch, "The Measurement of Observer Agreement for Categorical Data", Biometrics 33 (1977)',
    },
    compared: {
      default: 50,
      unit: 'values',
      description:
        'compared copies below which the severity is an info of low confidence, or nothing is judged if they are a sample',
      source: 'judgement: one differing copy of fewer is a share of more than 2 %',
    },
    values: {
      default: 10,
      unit: 'values',
      description: 'distinct values that copy and source must agree on',
      source: 'judgement: statuses, countries and flags agree without being copies',
    },
    distinct: {
      default: 0.5,
      unit: 'ratio',
      description:
        'distinct values per document of the source below which a field is judged only inside an embedded object with its `_id`',
      source: 'judgement: names, titles and e-mail addresses are well above it, cities and currencies well below',
    },
  },
  judge({ referenceIntegrity, collections }, limits) {
    const findings = referenceIntegrity.references.flatMap((reference) =>
      bestCopies(reference).flatMap((copy): ClusterVerdict[] => {
        const { compared, differing, valuesAgreed, valuesPerSource, isBesideId, path } = copy;
        // A share of few is reported only if they are all that there are.
        const isFew = compared < limits.compared;
        const isCopy =
          (!isFew || reference.complete) &&
          valuesAgreed >= limits.values &&
          agreementBeyondChance(copy) >= limits.agreement &&
          (isBesideId || valuesPerSource >= limits.distinct);
        const seen = seenReferences(reference, documentsOf({ collections }, reference.namespace));
        const severities = surelySevere(differing, compared, seen, {
          info: limits.info,
          warning: isKeptUp(copy) && !isFew ? limits.warning : Infinity,
          error: Infinity,
        });
        if (!isCopy || severities === null) return [];
        // A date may be the time of the copy; names and addresses describe the source.
        if (copy.family === 'date' && !isKeptUp(copy)) return [];
        const isSharded = collections.get(reference.namespace)?.collection.sharding !== undefined;
        const remedy = resyncRemedy(reference, copy, { isKeptUp: isKeptUp(copy), isSharded });
        return [
          {
            namespace: reference.namespace,
            path,
            ...severities,
            confidence: isFew ? 'low' : confidenceOf(copy),
            message: message(reference, copy),
            evidence: evidence(reference, copy, seen),
            remedy,
          },
        ];
      }),
    );
    return [...referenceGaps(collections, referenceIntegrity.gaps), ...findings];
  },
});

/** A field's name may fit two fields of the source: it is a copy of the one it agrees with. */
function bestCopies({ copies }: ComparedReference): CopiedField[] {
  const best = new Map<string, CopiedField>();
  for (const copy of copies) {
    const other = best.get(copy.path);
    if (other === undefined || agreementBeyondChance(copy) > agreementBeyondChance(other)) best.set(copy.path, copy);
  }
  return [...best.values()];
}

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
  if (isKeptUp(copy)) {
    return `Older copies of the same documents are up to date: the application updates copies, and missed these (seen on ${plural(updated, 'document')}).`;
  }
  if (untouched > updated) {
    return 'The differing copies are older than the equal ones of the same documents. Either nothing updates them, or the copy is meant to record how things were.';
  }
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
