import {
  type BackReference,
  type ClusterVerdict,
  type ComparedReference,
  defineClusterCheck,
  type ThresholdValues,
} from '../../src/check.js';
import { formatCount, formatShare, plural } from '../../src/format.js';
import { documentsOf } from '../../src/judgement/joins/joined-cluster.js';
import { STATED_RISK } from '../../src/judgement/margins.js';
import { danglingRemedy, oneSidedRemedy } from '../../src/judgement/references/dangling-remedy.js';
import { referenceGaps } from '../../src/judgement/references/reference-gaps.js';
import { SEVERITIES } from '../../src/severity.js';
import {
  confidenceOf,
  estimatedDocuments,
  estimatedRange,
  estimateText,
  graded,
  isRemovedByDesign,
  isSharded,
  type ReferenceLimits,
  type Subject,
} from './reference-grade.js';

/**
 * Share of the documents above which a value that all of them hold, beside references to what exists, is a mark: `*` for
 * everybody. A document that most others refer to would be missed at once.
 */
const MARKED_SHARE = 0.5;

/** Distinct references looked up, below which a field is not judged. Judgement: one of fewer is a share of more than 5 %. */
const FEWEST_VALUES = 20;

/** Share of the references that must lead somewhere, or the field is no reference. Judgement. */
const FOUND_SHARE = 0.5;

/** Share of the references whose target refers back, from which two references are two sides of one. Judgement. */
const TWO_WAY = 0.8;

const thresholds = {
  info: {
    default: 0.01,
    unit: 'share',
    description: 'share of the references that lead nowhere, or are one-sided, from which an info is given',
    source: 'judgement: fewer are left over from deletions that failed half-way',
  },
  warning: {
    default: 0.05,
    unit: 'share',
    description: 'share from which a warning is given',
    source: 'judgement: some way of deleting leaves the references behind',
  },
  documents: {
    default: 100,
    unit: 'documents',
    description: 'referring documents, estimated for the whole collection, below which a warning is an info',
    source: 'judgement: a person can fix as many in a day',
  },
} as const;

export const danglingReference = defineClusterCheck({
  id: 'dangling-reference',
  title: 'References to nothing',
  summary: 'references to documents that do not exist, and two-way references that are kept on one side only',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['referenceIntegrity'],
  thresholds,
  retiredThresholds: ['values', 'share', 'twoWay'],
  judge(subject, limits) {
    const problems = subject.referenceIntegrity.references.flatMap((reference): Problem[] => {
      const { values, references, dangling } = reference;
      if (values < FEWEST_VALUES || dangling.references / references > 1 - FOUND_SHARE) return [];
      return merged([...danglingProblem(reference, subject, limits), ...oneSidedProblems(reference, subject, limits)]);
    });
    return [...referenceGaps(subject.collections, subject.referenceIntegrity.gaps), ...problems];
  },
});

function danglingProblem(
  reference: ComparedReference,
  subject: Subject,
  limits: ThresholdValues<typeof thresholds>,
): Problem[] {
  const { namespace, path, target, furtherTargets, references, dangling } = reference;
  if (isRemovedByDesign(subject, target)) return [];
  const share = dangling.references / references;
  const isOneValue = dangling.values === 1 && dangling.references > 1;
  if (isOneValue && dangling.documents > MARKED_SHARE * reference.documents) return [];
  const all = documentsOf(subject, namespace);
  const documents = estimatedDocuments(reference, dangling.documents, all);
  const range = estimatedRange(reference, dangling.documents, all, STATED_RISK);
  const severities = graded(
    { hits: dangling.references, references, documents: dangling.documents },
    reference,
    subject,
    limits,
    isOneValue || isRemovedByDesign(subject, namespace),
  );
  if (severities === null) return [];
  const places = [target, ...furtherTargets];
  return [
    {
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
        source: 'sample and look-up by _id, what was missing looked up again',
        window: `${plural(references, 'reference')} in ${plural(reference.sampled, 'document')}`,
        dangling: dangling.references,
        shareDangling: share,
        valuesDangling: dangling.values,
        documentsDangling: dangling.documents,
        documentsReckoned: documents,
        ...(range !== null && !reference.complete && { documentsReckonedWithin: [...range] }),
        referredTo: places.join(', '),
        conversion: reference.conversion,
        ...(dangling.ids !== undefined && { ids: [...dangling.ids] }),
      },
      remedy: danglingRemedy(reference, { isSharded: isSharded(subject, namespace) }),
    },
  ];
}

/** One finding per field: the worst one, with the messages and remedies of the others. */
function merged(problems: readonly Problem[]): Problem[] {
  const [worst, ...others] = problems.toSorted(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
  if (worst === undefined) return [];
  const all = [worst, ...others];
  return [
    {
      ...worst,
      message: all.map(({ message }) => message).join(' '),
      evidence: { ...Object.assign({}, ...others.map(({ evidence }) => evidence)), ...worst.evidence },
      remedy: { steps: all.flatMap(({ remedy }) => remedy.steps) },
    },
  ];
}

type Problem = Extract<ClusterVerdict, { severity: unknown }>;

/** Two-way references that are kept on one side only. */
function oneSidedProblems(reference: ComparedReference, subject: Subject, limits: ReferenceLimits): Problem[] {
  return reference.backReferences.flatMap((back): Problem[] => {
    const { compared, oneSided, followed } = back;
    const share = oneSided / compared;
    const severities = graded(
      { hits: oneSided, references: compared, documents: oneSided },
      reference,
      subject,
      limits,
      isRemovedByDesign(subject, reference.namespace),
    );
    if (compared < FEWEST_VALUES || (compared - oneSided) / followed < TWO_WAY || severities === null) return [];
    const { namespace, path, target } = reference;
    return [
      {
        namespace,
        path,
        ...severities,
        confidence: 'medium',
        message:
          `\`${path}\` and \`${back.path}\` of ${target} are two sides of one relation. For ${formatShare(share)} of the ${reference.complete ? '' : 'sampled '}references in \`${path}\` ` +
          `the other document does not refer back: ${formatCount(oneSided)} of ${formatCount(compared)}.`,
        restsOn: ['sample'],
        evidence: oneSidedEvidence(reference, back),
        remedy: oneSidedRemedy(reference, back, { isSharded: isSharded(subject, target) }),
      },
    ];
  });
}

function oneSidedEvidence({ sampled, target }: ComparedReference, { path, compared, oneSided, ids }: BackReference) {
  return {
    source: 'sample and look-up by _id, what was missing looked up again',
    window: `${plural(compared, 'reference')} in ${plural(sampled, 'document')}`,
    oneSided,
    shareOneSided: oneSided / compared,
    otherSide: `${target} ${path}`,
    ...(ids !== undefined && { ids: [...ids] }),
  };
}
