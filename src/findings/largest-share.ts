import type { Finding } from '../finding.js';
import { RECURRING, SCAN_SIZE } from '../judgement/queries/query-thresholds.js';
import { quotient } from '../judgement/quotient.js';
import { MS_PER_HOUR } from '../time-units.js';
import { examinedBy } from '../workload/operations/waste.js';
import type { OperationFigures } from '../workload/workload.js';
import type { StampedFinding } from './stamp.js';

/**
 * Share of a recording's time, or of all that it examines, by documents and keys, by documents, or by their bytes, from which one
 * operation is an error, and down to which it stays one if it was one. DESIGN.md, "The big one stands out".
 */
const LARGE = 0.25;
const STILL_LARGE = 0.2;
/** Share of what it examines that the remedy saves, from which nearly all of it is wasted. */
const NEARLY_ALL = 0.9;
/** Milliseconds of an average execution from which its time says something: what else a machine does delays short ones. Judgement. */
const LASTING_MS = 10;
/** Executions of a recording from which its shares say something; one of an hour says it with fewer. */
const ENOUGH_EXECUTIONS = 1_000;

/** What was examined, in each measure, and how long it took; null if unknown. */
export interface Examined {
  /** Documents and index keys. */
  readonly examined: number | null;
  readonly documents: number | null;
  /** The documents' bytes, each as large as its collection's are on average. */
  readonly bytes: number | null;
  readonly milliseconds: number | null;
}

/** All that was recorded beside an operation, by the same source. */
export interface WholeRecording extends Examined {
  readonly executions: number | null;
  readonly watchedMs: number;
}

/** A share of the recording, 0 to 1, and of what: "recorded time". */
export interface LargestShare {
  readonly share: number;
  readonly of: string;
}

/**
 * The share of the recording that one operation examines or takes: the largest of those that waste nearly all of that.
 *
 * @param recorded each with the documents and index keys that the remedy saves, and the bytes of its documents; null if unknown
 * @returns null if there is none, or too little was recorded
 */
export function largestShare(
  recorded: readonly {
    readonly figures: OperationFigures;
    readonly saved: number | null;
    readonly bytes: number | null;
  }[],
  whole: WholeRecording,
): LargestShare | null {
  if ((whole.executions ?? 0) < ENOUGH_EXECUTIONS && whole.watchedMs < MS_PER_HOUR) return null;
  const shares = recorded.flatMap(({ figures, saved, bytes }) => {
    const examined = examinedBy(figures);
    if (examined === null || (saved ?? 0) <= NEARLY_ALL * examined || figures.executions < RECURRING) return [];
    const milliseconds = isLasting(figures) ? figures.milliseconds : null;
    return [
      { share: quotient(examined, whole.examined) ?? 0, of: 'documents and index keys examined' },
      { share: quotient(figures.documentsExamined, whole.documents) ?? 0, of: 'documents examined' },
      { share: quotient(bytes, whole.bytes) ?? 0, of: 'bytes of documents examined' },
      { share: quotient(milliseconds, whole.milliseconds) ?? 0, of: 'recorded time' },
    ];
  });
  return shares.toSorted((one, other) => other.share - one.share)[0] ?? null;
}

function isLasting({ milliseconds, executions }: OperationFigures): boolean {
  return (milliseconds ?? 0) >= LASTING_MS * executions;
}

/** A warning as an error if its largest operation examines a quarter of the recording, in a collection that is not small. */
export function standingOut<Of extends Finding & Pick<StampedFinding, 'isSeveritySet'>>(
  { isSeveritySet, ...finding }: Of,
  largest: LargestShare | null,
  documentsThere: number | null,
): Omit<Of, 'isSeveritySet'> {
  const documents = finding.judgedAt?.documents ?? documentsThere ?? 0;
  const isJudged = isSeveritySet !== true && finding.confidence !== 'low' && documents >= SCAN_SIZE.default;
  if (largest === null || !isJudged || finding.severity !== 'warning') return finding;
  if (largest.share < STILL_LARGE) return finding;
  if (largest.share < LARGE) return { ...finding, severityIfSure: 'error' };
  return {
    ...finding,
    severity: 'error',
    message: `${finding.message} It is an error because one operation takes a quarter or more of the ${largest.of}.`,
  };
}
