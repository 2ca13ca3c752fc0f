import { isSameCollation } from '../inventory/collation.js';
import type { IndexProposal } from '../inventory/index-proposal.js';
import { keyRelation } from '../inventory/index-relation.js';
import { compareTexts } from '../compare-texts.js';
import { groupedBy } from '../grouped-by.js';
import { formatIndexKey } from '../inventory/index-key.js';
import { followingSteps, indexSteps } from '../judgement/indexes/index-steps.js';
import type { Finding } from '../finding.js';
import { reportedRemedy } from './reported-remedy.js';
import type { StampedFinding } from './stamp.js';

/** An index to create, and the id of the check that proposes it. */
interface CreatedIndex {
  readonly proposal: IndexProposal;
  readonly check: string;
}

/**
 * If the index that one finding proposes begins the one that another proposes, both propose the longer one: it serves both,
 * and the shorter one beside it would be redundant at the next run.
 */
export function withSharedIndexes(findings: readonly StampedFinding[]): Finding[] {
  const widerByBeginning = groupedBy(
    findings.flatMap(createdIndexes).flatMap(shorterBeginnings),
    ({ beginning }) => beginning,
  );
  return findings.map(({ proposes = [], ...finding }) => {
    const [proposal, ...others] = proposes;
    if (proposal?.action !== 'create' || others.length > 0 || finding.remedy.commands?.length !== 1) return finding;
    const beginsLikewise = widerByBeginning.get(beginningOf(proposal, Object.keys(proposal.key))) ?? [];
    const [wider] = beginsLikewise
      .map((each) => each.wider)
      .filter((other) => isBegunBy(other.proposal, proposal))
      .toSorted(longestFirst);
    return wider === undefined ? finding : { ...finding, remedy: sharedRemedy(finding.remedy, proposal, wider) };
  });
}

function createdIndexes({ check, proposes = [] }: StampedFinding): CreatedIndex[] {
  return proposes.filter(({ action }) => action === 'create').map((proposal) => ({ proposal, check }));
}

/** The steps that build the narrower index give way to those of the wider one; all others stay. */
function sharedRemedy(
  { steps }: Finding['remedy'],
  narrower: IndexProposal,
  { proposal, check }: CreatedIndex,
): Finding['remedy'] {
  const key = formatIndexKey(narrower.key);
  const reason = `It begins with ${key}, and ${check} proposes it: create it alone, it serves both findings.`;
  const following = new Set(followingSteps([narrower]).map(({ text }) => text));
  return reportedRemedy({
    steps: steps.flatMap((step) => {
      if (step.command !== undefined) return indexSteps([proposal], reason);
      return following.has(step.text) ? [] : [step];
    }),
  });
}

/** An index by each list of fields that it begins with and that is not all of it. */
function shorterBeginnings(wider: CreatedIndex): { readonly beginning: string; readonly wider: CreatedIndex }[] {
  const fields = Object.keys(wider.proposal.key);
  return fields
    .slice(1)
    .map((_, position) => ({ beginning: beginningOf(wider.proposal, fields.slice(0, position + 1)), wider }));
}

function beginningOf({ namespace }: IndexProposal, fields: readonly string[]): string {
  return JSON.stringify([namespace, ...fields]);
}

function isBegunBy(wider: IndexProposal, { key, options }: IndexProposal): boolean {
  return hasSameOptions(wider.options, options) && keyRelation(key, wider.key) !== null;
}

/** No collation stands for the collection's default, from which one that is given differs. */
function hasSameOptions(one: IndexProposal['options'], other: IndexProposal['options']): boolean {
  return (
    (one.collation === undefined) === (other.collation === undefined) && isSameCollation(one.collation, other.collation)
  );
}

/** By the fields' names if they are as many: findings do not come in the same order at each run. */
function longestFirst({ proposal: one }: CreatedIndex, { proposal: other }: CreatedIndex): number {
  const [fields, otherFields] = [Object.entries(one.key), Object.entries(other.key)];
  return otherFields.length - fields.length || compareTexts(JSON.stringify(fields), JSON.stringify(otherFields));
}
