import { z } from 'zod';

/** Somebody's word that a finding may stay, until a day. */
export const acceptanceSchema = z.strictObject({
  since: z.iso.date().describe('Day on which it was accepted, in UTC.'),
  until: z.iso.date().describe('Last day on which it does not count, in UTC.'),
  owner: z.string().min(1).describe('Who answers for it.'),
  reason: z.string().min(1).describe('Why it may stay.'),
});

export type Acceptance = z.infer<typeof acceptanceSchema>;
