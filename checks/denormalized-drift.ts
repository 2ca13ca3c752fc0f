import {
  defineClusterCheck,
  type ClusterVerdict,
  type ComparedReference,
  type Confidence,
  type CopiedField,
} from '../src/check.js';
import { formatShare, plural, referenceGaps, resyncRemedy, severityOf } from '../src/helpers.js';

/** Referred-to documents with an older copy that was changed, from which copies are taken to follow their source. */
const SOURCES_FOR_PROOF = 3;
const SOURCES_FOR_HIGH = 10;

export const denormalizedDrift = defineClusterCheck({
  id: 'denormalized-drift',
  title: 'Copies that differ from their source',
  summary: 'a field copied from another collection that no longer says what its source says',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['referenceIntegrity'],
  thresholds: {
    info: {
      default: 0.01,
      unit: 'share',
      description: 'share of the copies that differ from which an info is given',
      source: 'judgement: one reader in a hundred sees something else than the others',
    },
    warning: {
      default: 0.05,
      unit: 'share',
      description:
        'share of the copies that differ from which a warning is given, where copies are shown to follow their source',
      source: 'judgement: more than failed writes now and then; some way of writing leaves the copies out',
    },
    agreement: {
      default: 0.61,
      unit: 'share',
      description: "agreement beyond chance (Cohen's kappa) from which a field is taken for a copy",
      source:
        '"substantial agreement": Landis and Koch, "The Measurement of Observer Agreement for Categorical Data", Biometrics 33 (1977)',
    },
    compared: {
      default: 50,
      unit: 'values',
      description: 'compared copies below which a field is not judged',
      source: 'judgement: of fewer, one differing copy is a share of more than 2 %',
    },
    values: {
      default: 10,
      unit: 'values',
      description: 'different values that copy and source must agree on',
      source: 'judgement: statuses, countries and flags agree without being copies',
    },
    distinct: {
      default: 0.5,
      unit: 'ratio',
      description:
        'different values per document of the source below which a field is judged only inside an embedded object with its `_id`',
      source: 'judgement: names, titles and e-mail addresses are well above, cities and currencies well below',
    },
  },
  judge({ referenceIntegrity, collections }, limits) {
    const findings = referenceIntegrity.references.flatMap((reference) =>
      bestCopies(reference).flatMap((copy): ClusterVerdict[] => {
        const { compared, differing, valuesAgreed, valuesPerSource, isBesideId, path } = copy;
        const isCopy =
          compared >= limits.compared &&
          valuesAgreed >= limits.values &&
          agreementBeyondChance(copy) >= limits.agreement &&
          (isBesideId || valuesPerSource >= limits.distinct);
        const severity = severityOf(differing / compared, {
          info: limits.info,
          warning: isKeptUp(copy) ? limits.warning : Infinity,
          error: Infinity,
        });
        if (!isCopy || severity === null) return [];
        // A date may well say when the copy was made; names and addresses say what is.
        if (copy.family === 'date' && !isKeptUp(copy)) return [];
        const isSharded = collections.get(reference.namespace)?.collection.sharding !== undefined;
        const remedy = resyncRemedy(reference, copy, { isKeptUp: isKeptUp(copy), isSharded });
        return [
          {
            namespace: reference.namespace,
            path,
            severity,
            confidence: confidenceOf(copy),
            message: message(reference, copy),
            evidence: evidence(reference, copy),
            remedy,
          },
        ];
      }),
    );
    return [...referenceGaps(collections, referenceIntegrity.gaps), ...findings];
  },
});

/** A field may be named as two fields of the source are: it is a copy of the one that it agrees with. */
function bestCopies({ copies }: ComparedReference): CopiedField[] {
  const best = new Map<string, CopiedField>();
  for (const copy of copies) {
    const other = best.get(copy.path);
    if (other === undefined || agreementBeyondChance(copy) > agreementBeyondChance(other)) best.set(copy.path, copy);
  }
  return [...best.values()];
}

/** Cohen's kappa: 0 where values agree as often as dealt at random, 1 where all do. */
function agreementBeyondChance({ compared, differing, agreementByChance }: CopiedField): number {
  return agreementByChance >= 1 ? 0 : (1 - differing / compared - agreementByChance) / (1 - agreementByChance);
}

/** True where copies that are older than a differing one are equal: they must have been changed since they were written. */
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
    `\`${path}\` is a copy of \`${sourcePath}\` in ${target}, and ${formatShare(differing / compared)} of ` +
    `${complete ? 'all' : 'the compared'} copies differ from it: ${differing} of ${plural(compared, 'copy', 'copies')}. ${historyText(copy)}`
  );
}

function historyText(copy: CopiedField): string {
  const { updated, untouched } = copy.history;
  if (isKeptUp(copy)) {
    return `Older copies of the same documents are up to date, so changes are carried over, and these were missed (seen on ${plural(updated, 'document')}).`;
  }
  if (untouched > updated) {
    return 'The differing copies are older than the equal ones of the same documents: either nobody carries changes over, or the copy is meant to say how things were.';
  }
  return 'Whether changes are meant to be carried over to it, the data do not tell.';
}

function evidence(reference: ComparedReference, copy: CopiedField) {
  return {
    source: 'sample and look-up by _id, what differs read again',
    window: `${plural(copy.compared, 'copy', 'copies')} in ${plural(reference.sampled, 'document')}`,
    differing: copy.differing,
    shareDiffering: copy.differing / copy.compared,
    agreementBeyondChance: agreementBeyondChance(copy),
    valuesAgreed: copy.valuesAgreed,
    copiedBy: reference.path,
    copiedFrom: `${reference.target} ${copy.sourcePath}`,
    sourcesWithOlderCopiesUpdated: copy.history.updated,
    sourcesWithOlderCopiesUntouched: copy.history.untouched,
    ...(copy.ids !== undefined && { ids: [...copy.ids] }),
  };
}
