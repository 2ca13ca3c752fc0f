import type { IndexProposal } from '../inventory/index-proposal.js';
import { partialSteps } from '../judgement/indexes/index-steps.js';
import { reportedRemedy } from './stamp.js';
import type { StampedFinding } from './stamp.js';
import { widestIndexes } from './widest-index.js';

/**
 * Keeps the offer of a partial index only if it serves each finding that relies on the index: one that gives way to a longer
 * index may be about queries that ask for something else.
 */
export function withAgreedPartials(findings: readonly StampedFinding[]): readonly StampedFinding[] {
  if (!findings.some(({ proposes = [] }) => proposes.some(({ partial }) => partial !== undefined))) return findings;
  const widest = widestIndexes(findings);
  const idFor = (proposal: IndexProposal, check: string) => idOf(widest(proposal, check).proposal);
  const fields = new Map<string, Set<string | null>>();
  for (const { check, proposes = [] } of findings)
    for (const proposal of proposes) {
      const id = idFor(proposal, check);
      fields.set(id, (fields.get(id) ?? new Set()).add(proposal.partial?.field ?? null));
    }
  return findings.map((finding) => {
    const { check, proposes = [], remedy } = finding;
    const lost = proposes.filter(
      (each) => each.partial !== undefined && (fields.get(idFor(each, check))?.size ?? 0) > 1,
    );
    if (lost.length === 0) return finding;
    const texts = new Set(partialSteps(lost).map(({ text }) => text));
    return {
      ...finding,
      proposes: proposes.map((each) => (lost.includes(each) ? withoutPartial(each) : each)),
      remedy: reportedRemedy({ steps: remedy.steps.filter(({ text }) => !texts.has(text)) }),
    };
  });
}

function withoutPartial({ partial: _partial, ...proposal }: IndexProposal): IndexProposal {
  return proposal;
}

function idOf({ namespace, key, options }: IndexProposal): string {
  return JSON.stringify([namespace, Object.entries(key), options]);
}
