import { DIFFERENCES, type DifferenceKind } from './difference.js';
import type { DifferentialReport } from './differential.js';

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
    ...differingGroups(report),
  ].join('\n');
}
