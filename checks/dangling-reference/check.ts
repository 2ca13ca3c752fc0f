import { type ClusterVerdict, type ComparedReference, defineClusterCheck } from '../../src/check.js';
import { SEVERITIES } from '../../src/finding/severity.js';
import { formatCount, formatShare, plural } from '../../src/format.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { STATED_RISK } from '../../src/judgement/margins.js';
import { danglingRemedy, oneSidedRemedy } from '../../src/judgement/references/dangling-remedy.js';
import { referenceGaps, type SureSeverity } from '../../src/judgement/references/seen-references.js';
import {
  confidenceOf,
  estimatedDocuments,
  estimatedRange,
  estimateText,
  graded,
  isRemovedByDesign,
  isSharded,
  type Subject,
} from './reference-grade.js';

/** Share of the documents above which one value that all of them hold is a mark, such as `*` for everybody. Judgement. */
const MARKED_SHARE = 0.5;
/** Distinct references looked up, below which a field is not judged. Judgement: one of fewer is a share of more than 5 %. */
const FEWEST_VALUES = 20;
/** Share of the references that must lead somewhere, or the field is no reference. Judgement. */
const FOUND_SHARE = 0.5;
/** Share of the references whose target refers back, from which two references are two sides of one. Judgement. */
const TWO_WAY = 0.8;

/**
 * A field whose values mostly are `_id`s of another collection is a finding if a share of them leads nowhere, or if the
 * other side of a two-way reference lacks them. What a TTL index or a cap removes by design is an info, or none.
 */
export const danglingReference = defineClusterCheck({
  id: 'dangling-reference',
  title: 'References to nothing',
  summary: 'references to documents that do not exist, and two-way references that are kept on one side only',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['referenceIntegrity'],
  thresholds: {
    info: {
      default: 0.01,
      unit: 'share',
      description: 'share of references that lead nowhere or are one-sided',
      source: 'judgement: fewer are left over from deletions that failed half-way',
    },
    warning: {
      default: 0.05,
      unit: 'share',
      description: 'share of references that lead nowhere or are one-sided',
      source: 'judgement: some way of deleting leaves the references behind',
    },
    documents: {
      default: 100,
      unit: 'documents',
      description: 'documents that refer to nothing (estimated), for a warning',
      source: 'judgement: a person can fix as many in a day',
    },
  },
  retiredThresholds: ['values', 'share', 'twoWay'],
  judge(subject, limits) {
    const problems = subject.referenceIntegrity.references.flatMap((reference): Problem[] => {
      const { values, references, dangling, backReferences } = reference;
      if (values < FEWEST_VALUES || dangling.references / references > 1 - FOUND_SHARE) return [];
      const isExpiring = isRemovedByDesign(subject, reference.namespace);
      const isOneValue = dangling.values === 1 && dangling.references > 1;
      const isMark = isOneValue && dangling.documents > MARKED_SHARE * reference.documents;
      const nowhere =
        isMark || isRemovedByDesign(subject, reference.target)
          ? null
          : graded(dangling, references, reference, subject, limits, isOneValue || isExpiring);
      return merged([
        ...(nowhere === null ? [] : [danglingProblem(reference, nowhere, isOneValue, subject)]),
        ...backReferences.flatMap((back): Problem[] => {
          const { compared, oneSided, followed } = back;
          if (compared < FEWEST_VALUES || (compared - oneSided) / followed < TWO_WAY) return [];
          const hits = { references: oneSided, documents: oneSided };
          const severities = graded(hits, compared, reference, subject, limits, isExpiring);
          return severities === null ? [] : [oneSidedProblem(reference, back, severities, subject)];
        }),
      ]);
    });
    return [...referenceGaps(subject.collections, subject.referenceIntegrity.gaps), ...problems];
  },
});

type Problem = Extract<ClusterVerdict, { severity: unknown }>;

const SOURCE = 'sample and look-up by _id, what was missing looked up again';

function danglingProblem(
  reference: ComparedReference,
  severities: SureSeverity,
  isOneValue: boolean,
  subject: Subject,
): Problem {
  const { namespace, path, target, furtherTargets, references, dangling } = reference;
  const all = documentsOf(subject, namespace);
  const range = estimatedRange(reference, dangling.documents, all, STATED_RISK);
  const places = [target, ...furtherTargets];
  const share = dangling.references / references;
  return {
    namespace,
    path,
    ...severities,
    confidence: isOneValue ? 'low' : confidenceOf(reference, subject),
    message:
      `${formatShare(share)} of the ${reference.complete ? '' : 'sampled '}references in \`${path}\` to ${places.join(' and ')} lead nowhere: ${formatCount(dangling.references)} of ` +
      `${formatCount(references)}, in ${estimateText(reference, dangling.documents, all)}.` +
      (isOneValue ? ' They all hold the same value, which may mean "no reference".' : ''),
    restsOn: ['sample'],
    evidence: {
      source: SOURCE,
      window: `${plural(references, 'reference')} in ${plural(reference.sampled, 'document')}`,
      dangling: dangling.references,
      shareDangling: share,
      valuesDangling: dangling.values,
      documentsDangling: dangling.documents,
      documentsReckoned: estimatedDocuments(reference, dangling.documents, all),
      ...(range !== null && { documentsReckonedWithin: [...range] }),
      referredTo: places.join(', '),
      conversion: reference.conversion,
      ...(dangling.ids !== undefined && { ids: [...dangling.ids] }),
    },
    remedy: danglingRemedy(reference, { isSharded: isSharded(subject, namespace) }),
  };
}

/** A two-way reference that is kept on one side only. */
function oneSidedProblem(
  reference: ComparedReference,
  back: ComparedReference['backReferences'][number],
  severities: SureSeverity,
  subject: Subject,
): Problem {
  const { namespace, path, target } = reference;
  const { compared, oneSided } = back;
  return {
    namespace,
    path,
    ...severities,
    confidence: 'medium',
    message:
      `\`${path}\` and \`${back.path}\` of ${target} are two sides of one relation. For ${formatShare(oneSided / compared)} of the ${reference.complete ? '' : 'sampled '}references in \`${path}\` ` +
      `the other document does not refer back: ${formatCount(oneSided)} of ${formatCount(compared)}.`,
    restsOn: ['sample'],
    evidence: {
      source: SOURCE,
      window: `${plural(compared, 'reference')} in ${plural(reference.sampled, 'document')}`,
      oneSided,
      shareOneSided: oneSided / compared,
      otherSide: `${target} ${back.path}`,
      ...(back.ids !== undefined && { ids: [...back.ids] }),
    },
    remedy: oneSidedRemedy(reference, back, { isSharded: isSharded(subject, target) }),
  };
}

/** One finding per field: the worst one, with the messages and remedies of the others. */
function merged(problems: readonly Problem[]): Problem[] {
  const all = problems.toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
  const message = all.map((each) => each.message).join(' ');
  const steps = all.flatMap(({ remedy }) => remedy.steps);
  const evidence = Object.assign({}, ...all.map((each) => each.evidence).toReversed()) as Problem['evidence'];
  return all.slice(0, 1).map((worst) => ({ ...worst, message, evidence, remedy: { steps } }));
}
