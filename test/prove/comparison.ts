/** A shape before and after the remedies: whether it got worse, and whether what was estimated came true. */
import { isWorse as isWorseThan } from '../../src/rehearsal/rehearse.js';
import type { OperationShape } from '../../src/workload/workload.js';
import type { ReplayedShape } from './replay.js';

export interface ComparedShape {
  readonly id: string;
  readonly shape: OperationShape;
  readonly namespace: string;
  /** The checks whose findings name it. */
  readonly namedBy: readonly string[];
  readonly before: ReplayedShape;
  readonly after: ReplayedShape;
  /** Documents returned or written by an execution when it was recorded. */
  readonly documentsRecorded: number;
  /** Documents that an execution examines with the index, as a finding estimates; null if none does. */
  readonly estimated: number | null;
}

/** An estimate holds if it is off by this factor at most; below one document an execution, all is one. */
const FACTOR = 2;

export function isWorse({ before, after }: Pick<ComparedShape, 'before' | 'after'>): boolean {
  return isWorseThan(before, after);
}

/** Null if there is no estimate, or if the replay met other documents: those that a recorded delete removed are gone. */
export function isEstimateMet({ estimated, before, after, documentsRecorded }: ComparedShape): boolean | null {
  if (estimated === null || !isNear(before.documentsReturned, documentsRecorded)) return null;
  return isNear(estimated, after.documentsExamined);
}

function isNear(one: number, other: number): boolean {
  const [least, most] = [Math.min(one, other), Math.max(one, other)].map((each) => Math.max(1, each)) as [
    number,
    number,
  ];
  return most <= FACTOR * least;
}
