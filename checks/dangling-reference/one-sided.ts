import type { BackReference, ClusterVerdict, ComparedReference } from '../../src/check.js';
import { formatCount, formatShare, plural } from '../../src/format.js';
import { oneSidedRemedy } from '../../src/judgement/references/dangling-remedy.js';
import { graded, isRemovedByDesign, isSharded, type ReferenceLimits, type Subject } from './reference-grade.js';

export type Problem = Extract<ClusterVerdict, { severity: unknown }>;

/** Two-way references that are kept on one side only. */
export function oneSidedProblems(
  reference: ComparedReference,
  subject: Subject,
  limits: ReferenceLimits & { readonly values: number; readonly twoWay: number },
): Problem[] {
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
    if (compared < limits.values || (compared - oneSided) / followed < limits.twoWay || severities === null) return [];
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
