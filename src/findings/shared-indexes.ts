import { sum } from 'simple-statistics';
import { compareTexts } from '../compare-texts.js';
import type { Finding, RemedyStep } from '../finding.js';
import { groupedBy, groupedByEach } from '../grouped-by.js';
import { formatIndexKey } from '../inventory/index-key.js';
import type { IndexProposal } from '../inventory/index-proposal.js';
import { followingSteps, indexSteps } from '../judgement/indexes/index-steps.js';
import { indexWrites } from '../judgement/indexes/index-writes.js';
import { SEVERITIES } from '../severity.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { worstFirst } from './finding-order.js';
import { combined } from './further-reasons.js';
import { reportedRemedy, type StampedFinding } from './stamp.js';
import { type ProposedIndex, widestIndexes, withAgreedPartials } from './widest-index.js';

/**
 * Findings that the same indexes put right are one, with all of their reasons. If the index that one proposes begins the one
 * that another proposes, both need the longer one only: the shorter one beside it would be redundant at the next run.
 *
 * @param costOf what the indexes that a finding is left with cost, as figures of its evidence
 */
export function withSharedIndexes(
  given: readonly StampedFinding[],
  costOf: (indexes: readonly IndexProposal[]) => IndexFigures = () => ({}),
): Finding[] {
  const findings = withAgreedPartials(given);
  const widest = widestIndexes(findings);
  const needs = findings.map((finding) => indexNeed(finding, widest));
  const [solved, others] = [needs.filter(({ isSolved }) => isSolved), needs.filter(({ isSolved }) => !isSolved)];
  const alike = [...groupedBy(solved, ({ ids }) => JSON.stringify(ids)).values()].map(
    (group) => [...group] as [IndexNeed, ...IndexNeed[]],
  );
  return [
    ...withoutContained(alike).map((group) => oneFinding(group, widest)),
    ...others.map(({ finding }) => withSharedSteps(finding, widest)),
  ].map(({ finding, indexes }) => withFigures(finding, costOf(indexes)));
}

interface Advised {
  readonly finding: Finding;
  readonly indexes: readonly IndexProposal[];
}

function withFigures(finding: Finding, figures: IndexFigures): Finding {
  return Object.keys(figures).length === 0 ? finding : { ...finding, evidence: { ...finding.evidence, ...figures } };
}

/** The indexes that a finding needs. */
interface IndexNeed {
  readonly finding: StampedFinding;
  /** The longest that serve it, by what they are, in order. */
  readonly ids: readonly string[];
  readonly indexes: readonly IndexProposal[];
  /** True if these are the ones that it proposes itself. */
  readonly isOwn: boolean;
  /** True if they are all that its remedy consists of. */
  readonly isSolved: boolean;
}

type Widest = ReturnType<typeof widestIndexes>;

type Alike = readonly [IndexNeed, ...IndexNeed[]];

function indexNeed(finding: StampedFinding, widest: Widest): IndexNeed {
  const { proposes = [], check, remedy } = finding;
  const indexes = new Map(
    proposes.map((proposal) => widest(proposal, check).proposal).map((index) => [idOf(index), index]),
  );
  const following = new Set(followingSteps(proposes).map(({ text }) => text));
  return {
    finding,
    ids: [...indexes.keys()].toSorted(),
    indexes: [...indexes.values()],
    isOwn: proposes.every((proposal) => indexes.has(idOf(proposal))),
    isSolved: proposes.length > 0 && remedy.steps.every((step) => isIndexCommand(step) || following.has(step.text)),
  };
}

function idOf({ namespace, action, name, key, options }: IndexProposal): string {
  return JSON.stringify([namespace, action, action === 'unhide' ? name : Object.entries(key), options]);
}

function isIndexCommand({ command }: RemedyStep): boolean {
  return command !== undefined && ('createIndexes' in command.command || 'index' in command.command);
}

/** Of two groups, one of which needs more indexes than the other and is no less severe, one is left. */
function withoutContained(groups: readonly Alike[]): readonly Alike[] {
  const byId = groupedByEach(groups, ([{ ids }]) => ids);
  const further = new Map<Alike, IndexNeed[]>();
  const kept = groups.filter((group) => {
    const [{ ids }] = group;
    const [wider] = (byId.get(ids[0] ?? '') ?? [])
      .filter((other) => other[0].ids.length > ids.length && ids.every((id) => other[0].ids.includes(id)))
      .filter((other) => severityOf(other) <= severityOf(group))
      .toSorted(
        ([one], [other]) => other.ids.length - one.ids.length || compareTexts(one.ids.join(), other.ids.join()),
      );
    if (wider === undefined) return true;
    further.set(wider, [...(further.get(wider) ?? []), ...group]);
    return false;
  });
  return kept.map((group): Alike => [...group, ...(further.get(group) ?? [])]);
}

/** The lower, the worse. */
function severityOf(group: Alike): number {
  return Math.min(...group.map(({ finding }) => SEVERITIES.indexOf(finding.severity)));
}

function oneFinding(group: Alike, widest: Widest): Advised {
  const [first] = group;
  if (group.length === 1) return withSharedSteps(first.finding, widest);
  const own = group.filter(({ isOwn, ids }) => isOwn && ids.length === first.ids.length);
  const [builder] = worstFirst(own.map(({ finding }) => finding));
  const built = builder?.remedy ?? reportedRemedy({ steps: indexSteps(first.indexes, SERVE_ALL) });
  const findings = group.map(({ finding: { proposes: _proposes, ...finding } }) => finding);
  return { finding: combined(findings, built), indexes: first.indexes };
}

const SERVE_ALL = 'Together they serve all that is found here.';

/** The steps that build a shorter index than another finding does give way to those of the longer one; all others stay. */
function withSharedSteps({ proposes = [], ...finding }: StampedFinding, widest: Widest): Advised {
  const [proposal, ...others] = proposes;
  if (proposal?.action !== 'create' || others.length > 0 || finding.remedy.commands?.length !== 1)
    return { finding, indexes: proposes };
  const wider = widest(proposal, finding.check);
  const isOwn = idOf(wider.proposal) === idOf(proposal);
  const remedy = isOwn ? finding.remedy : sharedRemedy(finding.remedy, proposal, wider);
  return { finding: { ...finding, remedy }, indexes: [isOwn ? proposal : wider.proposal] };
}

function sharedRemedy(
  { steps }: Finding['remedy'],
  narrower: IndexProposal,
  { proposal, check }: ProposedIndex,
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

/** Figures by the names that they have in a finding's evidence. */
type IndexFigures = Readonly<Record<string, number | string | number[] | string[]>>;

/**
 * What the indexes that a finding advises to create cost, and what they make superfluous, added up. What is unknown of one of
 * them is left out.
 */
export function indexFigures(indexes: readonly IndexProposal[], workload: TracedWorkload | null): IndexFigures {
  const created = indexes.filter(({ action }) => action === 'create');
  const costs = created.flatMap(({ cost }) => cost ?? []);
  if (created.length === 0 || costs.length < created.length) return {};
  const entries = sum(costs.map((cost) => cost.entries));
  const sizes = costs.flatMap(({ size }) => size ?? []);
  const superseded = [...new Set(created.flatMap(({ supersedes }) => supersedes))];
  const bytes = costs.flatMap(({ supersededBytes }) => supersededBytes ?? []);
  const writes = workload === null ? null : indexWrites(created, workload);
  return {
    ...(costs.some(({ areEntriesEstimated }) => areEntriesEstimated)
      ? { newIndexEntriesEstimated: entries }
      : { newIndexEntries: entries }),
    ...(sizes.length === costs.length && {
      newIndexBytesEstimated: sum(sizes.map(({ estimate }) => estimate)),
      newIndexBytesRange: [sum(sizes.map(({ least }) => least)), sum(sizes.map(({ most }) => most))],
    }),
    ...(writes !== null && {
      newIndexWrites: writes.documents,
      newIndexWritesWindow: writes.window,
      ...(writes.perDay !== null && { newIndexWritesPerDay: writes.perDay }),
    }),
    ...(superseded.length > 0 && {
      superfluousIndexes: superseded,
      ...(created.length === 1 && bytes.length === 1 && { superfluousIndexBytes: bytes[0] as number }),
    }),
  };
}
