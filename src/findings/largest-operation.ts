import type { Finding } from '../finding.js';
import { formatShare } from '../format.js';
import { RECURRING, SCAN_SIZE } from '../judgement/queries/query-thresholds.js';
import { quotient } from '../judgement/quotient.js';
import { MS_PER_HOUR } from '../time-units.js';
import { shareOfTime } from '../workload/coverage/source-window.js';
import { examinedBy } from '../workload/operations/waste.js';
import type { OperationFigures } from '../workload/workload.js';
import type { StampedFinding } from './stamp.js';

/**
 * Shares of a recording from which one operation is an error, and down to which it stays one if it was one. DESIGN.md, "The big one
 * stands out". Time depends on what else the machine does, so that it takes half of it.
 */
const LARGE = { examined: { from: 0.25, until: 0.2 }, time: { from: 0.5, until: 0.4 } } as const;
/** Share of what it examines that the remedy saves, from which nearly all of it is wasted. */
const NEARLY_ALL = 0.9;
/** Executions of a recording from which its shares say something; one of an hour says it with fewer. */
const ENOUGH_EXECUTIONS = 1_000;

/** What one operation takes of its recording, 0 to 1. */
export interface LargestOperation {
  readonly share: number;
  readonly of: 'time' | 'examined';
}

/** All that was recorded beside an operation, by the same source. */
export interface WholeRecording {
  /** Documents and index keys. */
  readonly examined: number | null;
  readonly milliseconds: number | null;
  readonly executions: number | null;
  readonly watchedMs: number;
}

/**
 * The one that takes most of the recording, of those that waste nearly all that they examine.
 *
 * @param recorded each with the documents and index keys that the remedy saves; null if unknown
 * @returns null if there is none, or too little was recorded
 */
export function largestOperation(
  recorded: readonly { readonly figures: OperationFigures; readonly saved: number | null }[],
  whole: WholeRecording,
): LargestOperation | null {
  if ((whole.executions ?? 0) < ENOUGH_EXECUTIONS && whole.watchedMs < MS_PER_HOUR) return null;
  const shares = recorded.flatMap(({ figures, saved }): LargestOperation[] => {
    const examined = examinedBy(figures);
    if (examined === null || (saved ?? 0) <= NEARLY_ALL * examined || figures.executions < RECURRING) return [];
    return [
      { share: shareOfTime(figures.milliseconds, whole.milliseconds) ?? 0, of: 'time' },
      { share: quotient(examined, whole.examined) ?? 0, of: 'examined' },
    ];
  });
  const sizeOf = ({ share, of }: LargestOperation) => share / LARGE[of].from;
  return shares.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0] ?? null;
}

/** A warning as an error if its largest operation takes a large share of the recording, in a collection that is not small. */
export function standingOut<Of extends Finding & Pick<StampedFinding, 'isSeveritySet'>>(
  { isSeveritySet, ...finding }: Of,
  largest: LargestOperation | null,
  documentsThere: number | null,
): Omit<Of, 'isSeveritySet'> {
  const documents = finding.judgedAt?.documents ?? documentsThere ?? 0;
  const isJudged = isSeveritySet !== true && finding.confidence !== 'low' && documents >= SCAN_SIZE.default;
  if (largest === null || !isJudged || finding.severity !== 'warning') return finding;
  const line = LARGE[largest.of];
  if (largest.share < line.until) return finding;
  if (largest.share < line.from) return { ...finding, severityIfSure: 'error' };
  const what = largest.of === 'time' ? 'of the recorded time' : 'of what recorded operations examine';
  return {
    ...finding,
    severity: 'error',
    message: `${finding.message} It is an error because one operation takes ${formatShare(largest.share)} ${what}.`,
  };
}
