import { z } from 'zod';
import { recordedFigure } from '../../connect/answer.js';
import { figureSchema, type Plain, timeSchema } from '../../plain.js';
import { byName, largest, parts, smallest, sum } from './accumulator.js';
import { countsIn, type ReadEntry, WRITTEN } from './read-entry.js';

/** Plan summaries kept per shape. A shape has one or a few; a wildcard index can give it one per path. */
export const MOST_PLANS = 20;
export const OTHER_PLANS = 'other';

/** What executions by one plan cost together. */
export const planFiguresSchema = z.strictObject({
  executions: figureSchema,
  /** Documents and index keys. */
  examined: z.number().nonnegative(),
  /** Documents returned or written. */
  returned: z.number().nonnegative(),
  /** Executions that several plans were tried for. */
  tried: z.number(),
  /** Executions whose cached plan examined far more than when it was chosen, so that all were tried again. */
  replanned: z.number(),
  from: timeSchema,
  to: timeSchema,
});

export type PlanFigures = Plain<typeof planFiguresSchema>;

export const addedPlans = byName(
  parts<PlanFigures>({
    executions: sum,
    examined: sum,
    returned: sum,
    tried: sum,
    replanned: sum,
    from: smallest,
    to: largest,
  }),
  MOST_PLANS,
  OTHER_PLANS,
);

export function planOf(entry: ReadEntry): Readonly<Record<string, PlanFigures>> | null {
  const { planSummary, fields, isContinuation, at } = entry;
  if (planSummary === null) return null;
  const plan = {
    executions: isContinuation ? 0 : 1,
    examined: countsIn(entry, ['docsExamined', 'keysExamined']) ?? 0,
    returned: countsIn(entry, WRITTEN) ?? recordedFigure(fields['nreturned']) ?? 0,
    tried: Number(fields['fromMultiPlanner'] === true),
    replanned: Number(fields['replanned'] === true),
    from: at,
    to: at,
  };
  return { [planSummary]: plan };
}
