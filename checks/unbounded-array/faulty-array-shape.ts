import type { ArrayElements } from '../../src/judgement/arrays/array-elements.js';
import {
  DOMINANT_SHARE,
  FEWEST_ARRAYS,
  type ArrayBound,
  type ArrayShape,
  type UnboundedShape,
} from '../../src/judgement/arrays/array-shape.js';
import type { WriteBound } from '../../src/judgement/arrays/write-bound.js';
import type { SeenPart } from '../../src/judgement/margins.js';
import { distributionSeverity, lowered, type SeverityLines } from '../../src/judgement/severity-lines.js';
import type { ArrayProfile } from '../../src/profile/document-profile.js';

/** A shape that is reported: without a bound, capped far out, or long without either and written whole again and again. */
export type FaultyArrayShape = UnboundedShape & {
  /** In elements. */
  readonly cappedAt?: number;
  readonly isRewritten?: true;
};

/** What users and applications add to; numbers come as vectors and recordings. */
const OPEN_KINDS: ReadonlySet<ArrayElements['kind']> = new Set([
  'documents',
  'references',
  'strings',
  'dates',
  'other',
]);

const CAPS: ReadonlySet<ArrayBound> = new Set(['write-cap', 'cap', 'limit-field']);

/**
 * Null for an array that has a bound, or too few to show that it has none.
 *
 * @param isRewritten whether recorded writes send it whole
 */
export function faultyArrayShape(
  { lengths, shareOfDocument }: ArrayProfile,
  elements: ArrayElements,
  shape: ArrayShape,
  limits: ArrayLengthLimits,
  seen: SeenPart,
  writes: WriteBound | null,
  isRewritten: boolean,
): FaultyArrayShape | null {
  if (shape.kind === 'unbounded') return shape;
  if (shape.kind === 'short' || !OPEN_KINDS.has(elements.kind)) return null;
  const found = { kind: 'unbounded', heavyTail: false, isSure: true, counts: lengths, countedPer: 'array' } as const;
  const lines = arrayLengthLines(elements, limits);
  const byLength = distributionSeverity(lengths, lines, seen)?.severity ?? null;
  if (shape.kind === 'bounded') {
    const kept = shape.by === 'write-cap' && writes?.kind === 'capped' ? writes.at : null;
    // What is longer today is cut by the next write.
    const isCutShort = kept !== null && kept < lines.warning;
    // A cap far beyond the lines makes the array no better, only final. Buckets of measurements are meant to be full.
    if (!CAPS.has(shape.by) || isCutShort || elements.measurements || lowered(byLength) === null) return null;
    return { ...found, dominant: false, cappedAt: kept ?? lengths.max };
  }
  // A few arrays can't show a shape. A giant that makes up most of its document does not need to.
  if (lengths.count < FEWEST_ARRAYS)
    return lengths.max >= lines.error && shareOfDocument.max >= DOMINANT_SHARE ? { ...found, dominant: true } : null;
  // Each such write costs the whole length, and no bound of it is known.
  return isRewritten && byLength !== null ? { ...found, dominant: false, isSure: false, isRewritten: true } : null;
}

/** Lengths from which an array without a bound is reported, in elements, by what it holds. */
export const ARRAY_LENGTH_THRESHOLDS = {
  embeddedWarning: {
    default: 200,
    unit: 'elements',
    description:
      'embedded documents per array from which a warning is given; an info from half, an error from five times as many',
    source: '"a couple of hundred": MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
  },
  elementWarning: {
    default: 1_000,
    unit: 'elements',
    description:
      'references or plain values per array from which a warning is given; an info from half, an error from five times as many',
    source:
      'MongoDB manual, "Operations Checklist: Development": indexed arrays of fewer than 1,000 elements; "more than a few thousand": MongoDB blog, "6 Rules of Thumb for MongoDB Schema Design", part 3',
  },
} as const;

export type ArrayLengthLimits = Readonly<Record<keyof typeof ARRAY_LENGTH_THRESHOLDS, number>>;

/** The lines for arrays of such elements. */
export function arrayLengthLines({ kind }: Pick<ArrayElements, 'kind'>, limits: ArrayLengthLimits): SeverityLines {
  const warning = kind === 'documents' ? limits.embeddedWarning : limits.elementWarning;
  return { info: warning / 2, warning, error: 5 * warning };
}
