import { defineClusterCheck, type ClusterVerdict, type ComparedReference, type CopiedField } from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { referenceGaps } from '../../src/judgement/references/reference-gaps.js';
import { referencesWithin, seenReferences, surelySevere } from '../../src/judgement/references/seen-references.js';
import { agreementBeyondChance, confidenceOf, evidence, isKeptUp, message } from './copied-field.js';
import { resyncRemedy } from './resync-remedy.js';

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
      description: 'share of the copies that differ from which an info is given',
      source: 'judgement: one reader in a hundred sees another value than the rest',
    },
    warning: {
      default: 0.05,
      unit: 'share',
      description: 'the same from which a warning is given, if copies are shown to follow their source',
      source: 'judgement: more than occasional failed writes; some code path does not update the copies',
    },
    agreement: {
      default: 0.61,
      unit: 'share',
      description: "agreement beyond chance (Cohen's kappa) from which a field counts as a copy",
      source:
        '"substantial agreement": Landis and Koch, "The Measurement of Observer Agreement for Categorical Data", Biometrics 33 (1977)',
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
