import { z } from 'zod';
import { growing } from './published-schema.js';

const NOTICE_KINDS = [
  'suppression-expired',
  'suppression-unused',
  'glob-unmatched',
  'acceptance-ended',
  'acceptance-ending',
] as const;

export const noticeSchema = z.strictObject({
  kind: growing(NOTICE_KINDS, 'What it is about.'),
  text: z.string().describe('What to fix, in a sentence.'),
});

export type ReportNotice = z.infer<typeof noticeSchema>;
