import type { Severity } from '../../src/finding.js';
import type { Application, KnownFault, LabelledFinding, SoundDesign } from './application.js';

/** How a run reports a known fault. */
export type Outcome = 'at its severity' | 'lower' | 'higher' | 'missed';

const RANK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

/** The faults that the sources and issues of an application show. */
export const faultsOf = ({ expectedBefore: { useful } }: Application): readonly KnownFault[] =>
  useful.filter((expected) => typeof expected !== 'string');

/** The designs of an application that a run must not report. */
export const soundDesignsOf = ({ expectedBefore: { noise } }: Application): readonly SoundDesign[] =>
  noise.filter((expected) => typeof expected !== 'string');

/** How the findings report a fault. Of several about it, the worst counts. */
export function outcomeOf(fault: KnownFault, findings: readonly LabelledFinding[]): Outcome {
  const ranks = reportsOf(fault, findings).map(({ severity }) => RANK[severity]);
  if (ranks.length === 0) return 'missed';
  const worst = Math.max(...ranks);
  if (worst === RANK[fault.severity]) return 'at its severity';
  return worst < RANK[fault.severity] ? 'lower' : 'higher';
}

/** The findings that report a label, be it a fault or a sound design. */
export function reportsOf(
  { checks, collection, path = '' }: KnownFault | SoundDesign,
  findings: readonly LabelledFinding[],
): readonly LabelledFinding[] {
  return findings.filter(
    (finding) =>
      checks.includes(finding.check) && finding.collection === collection && (finding.path ?? '').includes(path),
  );
}
