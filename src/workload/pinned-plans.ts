import { z } from 'zod';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';

export const REJECTED = ['find', 'aggregate', 'distinct', 'query'] as const;
const PINNED_BY = ['query settings', 'an index filter'] as const;

/** What people have set so that the planner does not choose by itself. */
export const pinnedPlansSchema = z.strictObject({
  indexes: z.array(
    z.strictObject({
      namespace: ofKind('namespace'),
      /** Name of the index, or its key as plan summaries write it: `{ a: 1 }`. */
      hint: ofKind('index'),
      by: z.enum(PINNED_BY),
    }),
  ),
  /** Collections and commands of shapes that the server rejects. */
  rejected: z.array(z.strictObject({ namespace: ofKind('namespace'), command: z.enum(REJECTED) })),
});

export type PinnedPlans = Plain<typeof pinnedPlansSchema>;
