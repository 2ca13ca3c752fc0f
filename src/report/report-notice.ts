import { z } from 'zod';

const NOTICE_KINDS = [
  'suppression-expired',
  'suppression-unused',
  'glob-unmatched',
  'acceptance-ended',
  'acceptance-ending',
] as const;

export const noticeSchema = z.strictObject({
  kind: z.enum(NOTICE_KINDS).meta({ description: 'What it is about.', examples: [...NOTICE_KINDS] }),
  text: z.string().describe('What to fix, in a sentence.'),
});

export type ReportNotice = z.infer<typeof noticeSchema>;
