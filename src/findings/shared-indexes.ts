import { sum } from 'simple-statistics';
import type { Finding } from '../finding.js';
import { SEVERITIES } from '../finding/severity.js';
import { groupedBy, groupedByEach } from '../grouped-by.js';
import type { IndexProposal } from '../inventory/index-proposal.js';
import { indexWrites } from '../judgement/indexes/index-writes.js';
import { compareTexts } from '../text/compare-texts.js';
import type { TracedWorkload } from '../workload/traced-workload.js';
import { worstFirst } from './finding-order.js';
import { combined } from './further-reasons.js';
import type { StampedFinding } from './stamp.js';

/**
 * Findings that the same indexes put right are one, with all of their reasons.
 *
 * @param costOf what the indexes that a finding is left with cost, as figures of its evidence
 */
export function withSharedIndexes(
  findings: readonly StampedFinding[],
  costOf: (indexes: readonly IndexProposal[]) => IndexFigures = () => ({}),
): Finding[] {
  const needs = findings.map(indexNeed);
  const [solved, others] = [needs.filter(({ isSolved }) => isSolved), needs.filter(({ isSolved }) => !isSolved)];
  const alike = [...groupedBy(solved, ({ ids }) => JSON.stringify(ids)).values()].map(
    (group) => group as unknown as Alike,
  );
  return [...withoutContained(alike).map(oneOf), ...others].map(({ finding, indexes }) =>
    withFigures(finding, costOf(indexes)),
  );
}

function withFigures(finding: Finding, figures: IndexFigures): Finding {
  return Object.keys(figures).length === 0 ? finding : { ...finding, evidence: { ...finding.evidence, ...figures } };
}

/** The indexes that a finding needs. */
interface IndexNeed {
  readonly finding: Finding;
  /** By what they are, in order. */
  readonly ids: readonly string[];
  readonly indexes: readonly IndexProposal[];
  /** True if these are all that its remedy consists of. */
  readonly isSolved: boolean;
}

type Alike = readonly [IndexNeed, ...IndexNeed[]];

function indexNeed({ proposes = [], proposesInPart, ...finding }: StampedFinding): IndexNeed {
  const ids = [...new Set(proposes.map(idOf))].toSorted();
  return { finding, ids, indexes: proposes, isSolved: ids.length > 0 && proposesInPart !== true };
}

function idOf({ namespace, action, name, key, options }: IndexProposal): string {
  return JSON.stringify([namespace, action, action === 'unhide' ? name : Object.entries(key), options]);
}

/** If one of two groups needs more indexes than the other and is no less severe, that one is left. */
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

function oneOf(group: Alike): Pick<IndexNeed, 'finding' | 'indexes'> {
  const [first] = group;
  const builders = group.filter(({ ids }) => ids.length === first.ids.length).map(({ finding }) => finding);
  const [{ remedy }] = worstFirst(builders) as [Finding];
  return {
    finding: combined(
      group.map(({ finding }) => finding),
      remedy,
    ),
    indexes: first.indexes,
  };
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
