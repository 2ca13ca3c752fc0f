import type { Absent, Evidence } from '../presence.js';
import type { CollectedTracedEvidence } from './cluster-evidence.js';

/** Codes of the server's errors that kept these pieces from being collected. */
export function errorCodesOf(pieces: Readonly<Record<string, Evidence<unknown> | undefined>>): readonly number[] {
  return codesOf(Object.values(pieces).filter(isAbsent));
}

/** Codes of the server's errors that kept the evidence of the cluster from being collected, in whole or in part. */
export function errorCodesOfCluster(evidence: CollectedTracedEvidence): readonly number[] {
  const { workload, references, referenceIntegrity, children } = evidence;
  const read = workload?.present === true ? workload.value : null;
  const parts = { ...read?.sources, counters: read?.counters };
  const withGaps = [...Object.values(read?.sources ?? {}), references, referenceIntegrity, children];
  const gaps = withGaps.flatMap((piece) => (piece?.present === true ? piece.value.gaps : []));
  return [...errorCodesOf(evidence), ...errorCodesOf(parts), ...codesOf(gaps)];
}

function codesOf(absences: readonly Absent[]): readonly number[] {
  return absences.flatMap(({ code }) => (code === undefined ? [] : [code]));
}

function isAbsent(piece: Evidence<unknown> | undefined): piece is Absent {
  return piece?.present === false;
}
