import { compareTexts } from '../compare-texts.js';
import { groupedByEach } from '../grouped-by.js';
import { isSameCollation } from '../inventory/collation.js';
import type { IndexProposal } from '../inventory/index-proposal.js';
import { keyRelation } from '../inventory/index-relation.js';
import { partialSteps } from '../judgement/indexes/index-steps.js';
import { reportedRemedy, type StampedFinding } from './stamp.js';

/** An index to create, and the id of the check that proposes it. */
export interface ProposedIndex {
  readonly proposal: IndexProposal;
  readonly check: string;
}

/** Of each proposal the longest index that any of the findings proposes and that serves it too, which may be its own. */
export function widestIndexes(
  findings: readonly StampedFinding[],
): (proposal: IndexProposal, check: string) => ProposedIndex {
  const byBeginning = groupedByEach(findings.flatMap(createdIndexes), beginningsOf);
  return (proposal, check) => {
    const beginLikewise = byBeginning.get(beginningOf(proposal, Object.keys(proposal.key))) ?? [];
    const [widest] = beginLikewise.filter((other) => isBegunBy(other.proposal, proposal)).toSorted(longestFirst);
    return widest ?? { proposal, check };
  };
}

function createdIndexes({ check, proposes = [] }: StampedFinding): ProposedIndex[] {
  return proposes.filter(({ action }) => action === 'create').map((proposal) => ({ proposal, check }));
}

/** Each list of fields that an index begins with, its whole key among them. */
function beginningsOf({ proposal }: ProposedIndex): string[] {
  const fields = Object.keys(proposal.key);
  return fields.map((_, position) => beginningOf(proposal, fields.slice(0, position + 1)));
}

function beginningOf({ namespace }: IndexProposal, fields: readonly string[]): string {
  return JSON.stringify([namespace, ...fields]);
}

function isBegunBy(wider: IndexProposal, { action, key, options }: IndexProposal): boolean {
  return action === 'create' && hasSameOptions(wider.options, options) && keyRelation(key, wider.key) !== null;
}

/** No collation stands for the collection's default, from which one that is given differs. */
function hasSameOptions(one: IndexProposal['options'], other: IndexProposal['options']): boolean {
  return (
    one.sparse === other.sparse &&
    (one.collation === undefined) === (other.collation === undefined) &&
    isSameCollation(one.collation, other.collation)
  );
}

/** By the fields' names if they are as many: findings do not come in the same order at each run. */
function longestFirst({ proposal: one }: ProposedIndex, { proposal: other }: ProposedIndex): number {
  const [fields, otherFields] = [Object.entries(one.key), Object.entries(other.key)];
  return otherFields.length - fields.length || compareTexts(JSON.stringify(fields), JSON.stringify(otherFields));
}

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
