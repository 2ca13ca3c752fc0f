import { DIFFERENCES, type DifferenceKind } from './difference.js';
import type { DifferentialReport } from './differential.js';
import { EXECUTIONS, FACTOR, FEW, FIGURES, type ReadsReport } from './estimates.js';

/** Each way in which pairs differ, with the smallest of them. */
export function differingGroups(
  { groups }: DifferentialReport,
  kinds: readonly DifferenceKind[] = DIFFERENCES,
): string[] {
  return [...groups]
    .filter(([, { kind }]) => kinds.includes(kind))
    .toSorted(([, one], [, other]) => other.count - one.count)
    .map(([signature, { count, example }]) => `${count} × ${signature}\n    ${example}`);
}

export function differentialText(
  report: DifferentialReport,
  { seed, version }: { readonly seed: number; readonly version: string },
): string {
  const share = (count: number) => `${count} (${((100 * count) / report.used).toFixed(2)} %)`;
  return [
    `${report.pairs} pairs on MongoDB ${version}, seed ${seed}; the index is used in ${report.used}, of which differ`,
    ...DIFFERENCES.map((kind) => `  in ${kind}: ${share(report.differing[kind])}`),
    `  another plan won: ${share(report.losers)}`,
    ...readsText(report.reads),
    ...differingGroups(report),
  ].join('\n');
}

function readsText(reads: ReadsReport): string[] {
  return [
    `  reads of ${reads.compared} queries, each asking ${EXECUTIONS} times for values that documents have: means are near if within a factor of ${FACTOR}, or ${FEW} apart`,
    ...FIGURES.map((figure) => {
      const { stated, near } = reads.figures[figure];
      return `  ${figure}: near in ${near} of ${stated} (${percent(reads.near(figure))}); not stated in ${reads.compared - stated} (${percent(1 - stated / reads.compared)})`;
    }),
    ...reads.far.map((far) => `    ${far}`),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
