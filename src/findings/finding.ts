import { z } from 'zod';
import { SKIP_REASONS } from '../evidence/evidence.js';

/** Severities, the worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How sure a finding is, the surest first. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A distribution as bars, for drawing. */
export const histogramSchema = z.strictObject({
  unit: z.enum(['elements', 'bytes', 'levels', 'fields']),
  buckets: z.array(z.strictObject({ from: z.number(), to: z.number(), count: z.number() })),
});

/** The numbers a finding rests on, where they come from, and over what window. */
export const findingEvidenceSchema = z
  .object({
    source: z.string().describe('Where the figures come from, for example "sample" or "collStats".'),
    window: z.string().describe('What the figures cover, for example "1,000 of 250,000 documents".'),
    distribution: histogramSchema.optional(),
  })
  .catchall(z.json())
  .describe('Figures by name; sizes in bytes, times in ms, lengths in elements, shares from 0 to 1.');

/** What to do about a finding. `commands`, where given, are database commands that make the finding go away. */
export const remedySchema = z.strictObject({
  text: z.string(),
  commands: z.array(z.strictObject({ db: z.string(), command: z.record(z.string(), z.json()) })).optional(),
});

export const findingSchema = z.strictObject({
  check: z.string().describe('Id of the check.'),
  severity: z.enum(SEVERITIES),
  confidence: z.enum(CONFIDENCES),
  namespace: z.string().describe('database.collection'),
  path: z
    .string()
    .nullable()
    .describe('Dotted path; "[]" marks array elements on the way, "*" field names that are data; null for the whole.'),
  title: z.string(),
  message: z.string(),
  evidence: findingEvidenceSchema,
  remedy: remedySchema,
  docs: z.string().describe('Page of the check.'),
  fingerprint: z.string().describe('Hash of check, namespace and path: the identity of the finding between runs.'),
  suppressed: z.strictObject({ by: z.string(), reason: z.string(), expires: z.string().nullable() }).optional(),
});

export const skippedSchema = z.strictObject({
  check: z.string().describe('Id of the check that could not judge; "*" where it holds for every enabled check.'),
  namespace: z.string().optional(),
  reason: z.enum(SKIP_REASONS),
  detail: z.string(),
});

/** A finding as it is reported. */
export type Finding = z.infer<typeof findingSchema>;
export type FindingEvidence = z.infer<typeof findingEvidenceSchema>;
export type Remedy = z.infer<typeof remedySchema>;
/** Something enabled that could not be judged, and why. */
export type Skipped = z.infer<typeof skippedSchema>;
