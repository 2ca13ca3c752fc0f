import type { ArrayProfile } from '../../src/profile/document-profile.js';
import type { SeenPart } from '../../src/judgement/margins.js';
import { distributionSeverity, lowered } from '../../src/judgement/severity-lines.js';
import type { ArrayElements } from '../../src/judgement/arrays/array-elements.js';
import type { ArrayShape, ArrayShapeLimits, UnboundedShape } from '../../src/judgement/arrays/array-shape.js';
import type { WriteBound } from '../../src/judgement/arrays/write-bound.js';
import { arrayLengthLines, type ArrayLengthLimits } from './length-lines.js';

/** A shape that is reported: without a bound, capped far out, or long without either and written whole again and again. */
export type FaultyArrayShape = UnboundedShape & {
  /** In elements. */
  readonly cappedAt?: number;
  readonly isRewritten?: true;
};

type FaultyShapeLimits = ArrayLengthLimits & ArrayShapeLimits;

/** What users and applications add to; numbers come as vectors and recordings. */
const OPEN_KINDS: ReadonlySet<ArrayElements['kind']> = new Set([
  'documents',
  'references',
  'strings',
  'dates',
  'other',
]);

/**
 * Null for an array that has a bound, or too few to show that it has none.
 *
 * @param isRewritten whether recorded writes send it whole
 */
export function faultyArrayShape(
  array: ArrayProfile,
  elements: ArrayElements,
  shape: ArrayShape,
  limits: FaultyShapeLimits,
  seen: SeenPart,
  writes: WriteBound | null = null,
  isRewritten = false,
): FaultyArrayShape | null {
  if (shape.kind === 'unbounded') return shape;
  return (
    giantAmongFew(array, elements, shape, limits) ??
    cappedFarOut(array, elements, shape, limits, seen, writes) ??
    (isRewritten ? longAndRewritten(array, elements, shape, limits, seen) : null)
  );
}

/** Each such write costs the whole length, and no bound of it is known. */
function longAndRewritten(
  { lengths }: ArrayProfile,
  elements: ArrayElements,
  { kind }: ArrayShape,
  limits: FaultyShapeLimits,
  seen: SeenPart,
): FaultyArrayShape | null {
  const isOpen = kind === 'unclear' && lengths.count >= limits.shapeArrays && OPEN_KINDS.has(elements.kind);
  if (!isOpen || distributionSeverity(lengths, arrayLengthLines(elements, limits), seen) === null) return null;
  const shape = { kind: 'unbounded', heavyTail: false, dominant: false, isSure: false } as const;
  return { ...shape, counts: lengths, countedPer: 'array', isRewritten: true };
}

/** A few arrays can't show a shape. A giant that makes up most of its document does not need to. */
function giantAmongFew(
  array: ArrayProfile,
  elements: ArrayElements,
  { kind }: ArrayShape,
  limits: FaultyShapeLimits,
): FaultyArrayShape | null {
  const { lengths, shareOfDocument } = array;
  const isGiant =
    kind === 'unclear' &&
    lengths.count < limits.shapeArrays &&
    OPEN_KINDS.has(elements.kind) &&
    lengths.max >= arrayLengthLines(elements, limits).error &&
    shareOfDocument.max >= limits.dominantShare;
  return isGiant
    ? { kind: 'unbounded', heavyTail: false, dominant: true, isSure: true, counts: lengths, countedPer: 'array' }
    : null;
}

/** A cap far beyond the lines makes the array no better, only final. Buckets of measurements are meant to be full. */
function cappedFarOut(
  array: ArrayProfile,
  elements: ArrayElements,
  shape: ArrayShape,
  limits: FaultyShapeLimits,
  seen: SeenPart,
  writes: WriteBound | null,
): FaultyArrayShape | null {
  const isWriteCap = shape.kind === 'bounded' && shape.by === 'write-cap';
  const isCap = isWriteCap || (shape.kind === 'bounded' && (shape.by === 'cap' || shape.by === 'limit-field'));
  const kept = isWriteCap && writes?.kind === 'capped' ? writes.at : null;
  // What is longer today is cut by the next write.
  if (kept !== null && kept < arrayLengthLines(elements, limits).warning) return null;
  if (!isCap || !OPEN_KINDS.has(elements.kind) || elements.measurements) return null;
  const byLength = distributionSeverity(array.lengths, arrayLengthLines(elements, limits), seen);
  if (lowered(byLength?.severity ?? null) === null) return null;
  return {
    kind: 'unbounded',
    heavyTail: false,
    dominant: false,
    isSure: true,
    counts: array.lengths,
    countedPer: 'array',
    cappedAt: kept ?? array.lengths.max,
  };
}
