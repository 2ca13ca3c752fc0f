import type { ArrayProfile, Confidence, Severity } from '../../check.js';
import { DOCUMENT_LIMIT_BYTES } from '../../profile/server-limits.js';
import {
  distributionSeverity,
  largestAtLeast,
  lowered,
  quantileAtLeast,
  type SeenPart,
  type SeverityLines,
} from '../margins.js';
import { RECURRING } from '../queries/query-thresholds.js';
import type { ArrayElements, WriteBound } from './array-elements.js';
import {
  type ArrayBound,
  type ArrayShape,
  DOMINANT_SHARE,
  FEWEST_ARRAYS,
  TAIL_RATIO,
  type UnboundedShape,
} from './array-shape.js';
import { longArrays } from './length-bound.js';

/** Arrays at a path, and what is known of them: `written` are executions of recorded writes. */
export interface JudgedArray {
  readonly array: ArrayProfile;
  readonly elements: ArrayElements;
  readonly lines: SeverityLines;
  readonly giantBytes: number;
  /** Sampled, with the array or without. */
  readonly documents: number;
  readonly bound: WriteBound | null;
  readonly written: { readonly added: number; readonly whole: number };
  readonly shapeIn: (seen: SeenPart) => ArrayShape;
  readonly isInNaturalOrder: boolean;
}

/** How bad it is, and by which figures. */
export interface ArrayGrade extends Pick<UnboundedShape, 'counts' | 'countedPer' | 'heavyTail' | 'dominant'> {
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** In elements: it ends there, beyond the lines. */
  readonly cappedAt?: number;
  /** Nothing shows how it ends, and recorded writes send it whole again and again. */
  readonly isRewritten?: true;
  /** Recorded writes insert documents and change none: the arrays have the lengths that they are inserted with. */
  readonly isInserted?: true;
}

/** Bytes of the array in one document from which an error is given, regardless of its length: a quarter of 16 MB. Judgement. */
export const ERROR_BYTES = DOCUMENT_LIMIT_BYTES / 4;
/** Arrays from which a finding can be trusted in full, and at all. */
export const ARRAYS_FOR_HIGH = 100;
const ARRAYS_FOR_MEDIUM = 20;
/**
 * Long arrays expected among as many documents as were inserted, from which the absence of updates shows that updates do not make
 * them. If three are expected, a recording misses each of them by chance in 5 of 100 cases; if one is, in 37.
 */
const EXPECTED_LONG = 3;
/** What users and applications add to; numbers come as vectors and recordings. */
const OPEN_KINDS: ReadonlySet<string> = new Set(['documents', 'references', 'strings', 'dates', 'other']);
const CAPS: ReadonlySet<ArrayBound> = new Set(['write-cap', 'cap', 'limit-field']);

/** Null for an array that has a bound, or too few to show that it has none. */
export function gradeOf(judged: JudgedArray, seen: SeenPart): ArrayGrade | null {
  const { array, elements, lines, bound, written } = judged;
  const { lengths, shareOfDocument } = array;
  const shape = judged.shapeIn(seen);
  if (shape.kind === 'unbounded') return unboundedGrade(shape, judged, seen);
  if (shape.kind === 'short' || !OPEN_KINDS.has(elements.kind)) return null;
  const found = { counts: lengths, countedPer: 'array', heavyTail: false, dominant: false } as const;
  const byLength = distributionSeverity(lengths, lines, seen)?.severity ?? null;
  if (shape.kind === 'bounded') {
    // A cap far beyond the lines makes the array no better, only final. Buckets of measurements are meant to be full.
    const kept = shape.by === 'write-cap' && bound?.kind === 'capped' ? bound.at : null;
    const severity = lowered(byLength);
    if (severity === null || !CAPS.has(shape.by) || elements.measurements || (kept ?? Infinity) < lines.warning)
      return null;
    return { ...found, cappedAt: kept ?? lengths.max, severity, confidence: 'medium' };
  }
  // A few arrays can't show a shape. A giant that makes up most of its document does not need to.
  if (lengths.count < FEWEST_ARRAYS) {
    if (lengths.max < lines.error || shareOfDocument.max < DOMINANT_SHARE) return null;
    return unboundedGrade({ ...found, kind: 'unbounded', dominant: true, isSure: true }, judged, seen);
  }
  if (written.whole < RECURRING || byLength === null) return null;
  return { ...found, severity: 'info', confidence: 'medium', isRewritten: true };
}

function unboundedGrade(shape: UnboundedShape, judged: JudgedArray, seen: SeenPart): ArrayGrade {
  const { array, elements, lines, giantBytes, bound, documents, written } = judged;
  const { counts, dominant } = shape;
  const largest = largestAtLeast(array.bytesPerDocument, seen);
  const isFew = counts.count < ARRAYS_FOR_MEDIUM;
  // The outline of one thing, a signal or a vector ends at some length. A few arrays may be test data, unless they are giants.
  if (elements.positions || elements.floats || !shape.isSure || (isFew && largest < giantBytes))
    return { ...shape, severity: 'info', confidence: 'low' };
  const byLength = distributionSeverity(counts, lines, seen);
  const bySize = largest >= ERROR_BYTES ? 'error' : (byLength?.severity ?? 'info');
  const severity = bySize === 'info' && written.added + written.whole >= RECURRING ? 'warning' : bySize;
  const inserted = bound?.kind === 'inserted' ? bound.inserts : 0;
  const longInserted = (inserted * longArrays(counts, lines.info)) / Math.max(counts.count, documents);
  if (longInserted >= EXPECTED_LONG) return { ...shape, severity: 'info', confidence: 'medium', isInserted: true };
  if (isFew || longInserted >= 1) return { ...shape, severity: lowered(severity) ?? 'info', confidence: 'medium' };
  const isLong = quantileAtLeast(counts, 'p99', seen) >= 2 * TAIL_RATIO * Math.max(1, counts.median);
  const isCommon = counts.count >= ARRAYS_FOR_HIGH && byLength?.byExtremesOnly === false && !judged.isInNaturalOrder;
  return { ...shape, severity, confidence: isCommon && (dominant || isLong) ? 'high' : 'medium' };
}
