import type { IndexProposal } from '../inventory/index-proposal.js';
import { indexWrites } from '../judgement/indexes/index-writes.js';
import type { TracedWorkload } from '../workload/traced-workload.js';

/** Figures by the names that they have in a finding's evidence. */
export type IndexFigures = Readonly<Record<string, number | string | number[] | string[]>>;

/**
 * What the indexes that a finding advises to create cost, and what they make superfluous, added up. What is unknown of one of
 * them is left out.
 */
export function indexFigures(indexes: readonly IndexProposal[], workload: TracedWorkload | null): IndexFigures {
  const created = indexes.filter(({ action }) => action === 'create');
  const costs = created.flatMap(({ cost }) => cost ?? []);
  if (created.length === 0 || costs.length < created.length) return {};
  const entries = sumOf(costs.map((cost) => cost.entries));
  const sizes = costs.flatMap(({ size }) => size ?? []);
  const superseded = [...new Set(created.flatMap(({ supersedes }) => supersedes))];
  const bytes = costs.flatMap(({ supersededBytes }) => supersededBytes ?? []);
  const writes = workload === null ? null : indexWrites(created, workload);
  return {
    ...(costs.some(({ areEntriesEstimated }) => areEntriesEstimated)
      ? { newIndexEntriesEstimated: entries }
      : { newIndexEntries: entries }),
    ...(sizes.length === costs.length && {
      newIndexBytesEstimated: sumOf(sizes.map(({ estimate }) => estimate)),
      newIndexBytesRange: [sumOf(sizes.map(({ least }) => least)), sumOf(sizes.map(({ most }) => most))],
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

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
