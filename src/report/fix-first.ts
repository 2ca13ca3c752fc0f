import type { Finding, Impact } from '../finding.js';
import { formatCount, formatShare } from '../format.js';
import { isActive } from './finding-status.js';

/** How many are named: what one person can look into in a day. */
const FIRST = 5;
/** Share of what is examined below which nothing is to be fixed first. Judgement. */
const LEAST_SHARE = 0.01;

const NUMBERS = ['no findings', 'this', 'these two', 'these three', 'these four', 'these five'] as const;

/** The findings that waste most of what a source saw examined, the most wasteful first. */
export interface FixFirst {
  readonly source: string;
  /** Share of the documents examined that they waste together, 0 to 1: what two findings name is counted once. */
  readonly share: number;
  readonly findings: readonly [WastefulFinding, ...WastefulFinding[]];
}

export interface WastefulFinding {
  readonly finding: Finding;
  readonly share: number;
}

/** Looks at the findings that count, whatever their severity. Null if no source counts what is examined, or little is wasted. */
export function fixFirst(findings: readonly Finding[]): FixFirst | null {
  const wasteful = findings.filter((finding) => isActive(finding) && (finding.impact?.share ?? 0) >= LEAST_SHARE);
  const source = sourceOfMost(wasteful);
  const left = new Set(wasteful.filter(({ impact }) => impact?.source === source));
  const counted = new Set<string>();
  const first: WastefulFinding[] = [];
  while (first.length < FIRST && left.size > 0) {
    const [next] = [...left]
      .map((finding) => ({ finding, share: shareBeyond(finding.impact, counted) }))
      .toSorted((one, other) => other.share - one.share);
    if (next === undefined || next.share < LEAST_SHARE) break;
    first.push(next);
    left.delete(next.finding);
    for (const { id } of next.finding.impact?.operations ?? []) counted.add(id);
  }
  const [most, ...others] = first;
  if (source === null || most === undefined) return null;
  const share = first.reduce((sum, each) => sum + each.share, 0);
  return { source, share: Math.min(1, share), findings: [most, ...others] };
}

/** "Fix these five first: they waste 83 % of what is examined, as recorded by the profiler." */
export function fixFirstHeadline({ findings, share, source }: FixFirst): string {
  const number = NUMBERS[findings.length] ?? `these ${formatCount(findings.length)}`;
  const they = findings.length === 1 ? 'it wastes' : 'they waste';
  return `Fix ${number} first: ${they} ${formatShare(share)} of what is examined, by the ${source}`;
}

/** Figures of different sources are not compared: the one with the most waste is. */
function sourceOfMost(findings: readonly Finding[]): string | null {
  const documents = new Map<string, number>();
  for (const { impact } of findings) {
    if (impact?.source === undefined) continue;
    documents.set(impact.source, (documents.get(impact.source) ?? 0) + (impact.documents ?? 0));
  }
  const [most] = [...documents].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? null;
}

function shareBeyond(impact: Impact | undefined, counted: ReadonlySet<string>): number {
  return (impact?.operations ?? []).reduce((sum, { id, share = 0 }) => sum + (counted.has(id) ? 0 : share), 0);
}
