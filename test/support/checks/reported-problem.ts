import type { Exempt, NotJudged, Problem } from '../../../src/check.js';
import type { ReportedRemedy } from '../../../src/finding.js';
import { reportedRemedy } from '../../../src/findings/stamp.js';
import { FIGURE_ROWS } from '../../../src/report/evidence-figures.js';
import { SOURCE_NAMES } from '../../../src/workload/coverage/recording.js';

/** A problem with its remedy as it is reported: steps, and their texts and commands joined. */
export type ReportedProblem<P extends Problem = Problem> = P & { readonly remedy: ReportedRemedy };

/** Verdicts whose problems have the remedy as it is reported, without what was let pass. */
export function reported<P extends Problem, N extends NotJudged>(
  verdicts: readonly (P | N | Exempt)[],
): (ReportedProblem<P> | N)[] {
  return verdicts.flatMap((verdict): (ReportedProblem<P> | N)[] => {
    if ('exempt' in verdict) return [];
    return ['notJudged' in verdict ? verdict : { ...verdict, remedy: reportedRemedy(verdict.remedy) }];
  });
}

/** "info, warning if sure", of each problem. */
export function severitiesOf(verdicts: readonly (Problem | NotJudged | Exempt)[]): string[] {
  return verdicts.flatMap((verdict) => {
    if (!('severity' in verdict)) return [];
    const { severity, severityIfSure } = verdict;
    return [severityIfSure === undefined ? severity : `${severity}, ${severityIfSure} if sure`];
  });
}

const KNOWN = new Set(FIGURE_ROWS.map(([name]) => name));

/** What reports call otherwise: a finding that rests on one of these would match no record, and count as fixed without one. */
const NO_NAMES = new Set(Object.entries(SOURCE_NAMES).flatMap(([source, name]) => (source === name ? [] : [source])));

/**
 * The verdicts of a check of mongolint, each figure of which has its row in the table of figures. What they rest on is called as
 * reports call it.
 */
export function withKnownFigures<V extends object>(verdicts: readonly V[]): readonly V[] {
  const names = verdicts.flatMap((verdict) => ('evidence' in verdict ? Object.keys(verdict.evidence as object) : []));
  const unknown = names.filter((name) => !KNOWN.has(name));
  if (unknown.length > 0) throw new Error(`Figures without a row in src/report/evidence-figures.ts: ${unknown.join()}`);
  const sources = verdicts.flatMap((verdict) => ('restsOn' in verdict ? (verdict.restsOn as readonly string[]) : []));
  const unnamed = sources.filter((source) => NO_NAMES.has(source));
  if (unnamed.length > 0) throw new Error(`A finding rests on what no report names: ${unnamed.join()}`);
  return verdicts;
}
