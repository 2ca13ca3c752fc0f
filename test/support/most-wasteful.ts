import type { Finding } from '../../src/finding.js';

/** The findings that waste most of what a source saw examined, the most wasteful first: what two name is counted once. */
export function mostWasteful(
  findings: readonly Finding[],
  most = 5,
): { readonly share: number; readonly findings: readonly Finding[] } {
  const left = new Set(findings.filter(({ impact }) => (impact?.share ?? 0) >= 0.01));
  const counted = new Set<string>();
  const shareOf = ({ impact }: Finding) =>
    (impact?.operations ?? []).reduce((sum, { id, share = 0 }) => sum + (counted.has(id) ? 0 : share), 0);
  const first: Finding[] = [];
  let all = 0;
  while (first.length < most && left.size > 0) {
    const [next] = [...left].toSorted((one, other) => shareOf(other) - shareOf(one));
    if (next === undefined || shareOf(next) < 0.01) break;
    first.push(next);
    all += shareOf(next);
    left.delete(next);
    for (const { id } of next.impact?.operations ?? []) counted.add(id);
  }
  return { share: all, findings: first };
}
