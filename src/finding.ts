import { z } from 'zod';
import { SIZE_SOURCES } from './finding/expected-size.js';
import { impactSchema, ranBySchema } from './finding/impact.js';
import { lookForSchema } from './finding/look-for.js';
import { jsonValue, remedySchema } from './finding/remedy.js';
import { CONFIDENCES, SEVERITIES } from './finding/severity.js';

export type { Impact, RanBy } from './finding/impact.js';
export type { Remedy, RemedyCommand, RemedyStep, ReportedRemedy } from './finding/remedy.js';
export type { Confidence, Severity } from './finding/severity.js';
export type { Excused, Skipped } from './finding/skipped.js';

/** What a path names that is not a field. */
const NAMED_BY_PATH = ['missing-index'] as const;

/** What a baseline says of a finding. */
export const BASELINE_STATUSES = ['new', 'known'] as const;

/** What the bars of a histogram measure. */
const HISTOGRAM_UNITS = ['elements', 'bytes', 'levels', 'fields'] as const;

/** A distribution as bars, for drawing. An enumeration with `examples` may get more values later. */
export const histogramSchema = z
  .strictObject({
    unit: z.enum(HISTOGRAM_UNITS).meta({ description: 'What the bars measure.', examples: [...HISTOGRAM_UNITS] }),
    buckets: z
      .array(
        z.strictObject({
          from: z.number().describe('The lowest value of the bar, included.'),
          to: z.number().describe('The highest value of the bar, included.'),
          count: z.number().describe('How many values lie in between.'),
        }),
      )
      .describe('The bars, in ascending order.'),
  })
  .describe('A distribution as bars.');

/** The numbers a finding rests on, their source, and their window. */
export const findingEvidenceSchema = z
  .object({
    source: z.string().describe('Source of the figures, for example "sample" or "collStats".'),
    window: z.string().describe('What the figures cover, for example "1,000 of 250,000 documents".'),
    figuresFrom: z
      .enum(['here', 'production'])
      .optional()
      .describe('With evidence of production: whether the figures are from there or of the linted database.'),
    distribution: histogramSchema.optional(),
    documentsShowing: z
      .int()
      .nonnegative()
      .optional()
      .describe('Sampled documents of which each shows it by itself; present of what is rare.'),
  })
  .catchall(jsonValue)
  .describe('Figures by name; sizes in bytes, times in ms, lengths in elements, shares from 0 to 1.');

const judgedAtSchema = z.strictObject({
  documents: z.number().describe('Documents of the collection at that size.'),
  from: z.enum(SIZE_SOURCES).meta({
    description: 'Source of that size: "expect" in the configuration, or evidence of "production".',
    examples: [...SIZE_SOURCES],
  }),
});

/** Additive: reports without `owners` in their configuration lack it. */
const ownerSchema = () =>
  z
    .string()
    .nullable()
    .optional()
    .describe(
      'Who answers for it, by `owners` of the configuration; null if none of them does. Absent without `owners`.',
    );

/** What a line of the source does that a finding is about. */
const LOCATED = ['operation', 'join', 'push', 'index', 'schema'] as const;

export const locationSchema = z.strictObject({
  file: z.string().describe('File of the source, from the working directory, with "/".'),
  line: z.int().positive().describe('The line, from 1.'),
  of: z
    .enum(LOCATED)
    .meta({ examples: [...LOCATED] })
    .describe(
      'What is there: the operation, its join, what adds to the array, the declaration of an index, the schema.',
    ),
  certain: z.boolean().describe('True if only this line can be meant; false if it is one of two or three of its kind.'),
});

/** Somebody's word that a finding may stay, until a day. */
export const acceptanceSchema = z.strictObject({
  since: z.iso.date().describe('Day on which it was accepted, in UTC.'),
  until: z.iso.date().describe('Last day on which it does not count, in UTC.'),
  owner: z.string().min(1).describe('Who answers for it.'),
  reason: z.string().min(1).describe('Why it may stay.'),
});

const ofOneCheckSchema = z.strictObject({
  check: z.string().describe('Id of the check.'),
  severity: z.enum(SEVERITIES).describe('How bad it is.'),
  severityIfSure: z
    .enum(SEVERITIES)
    .optional()
    .describe('How bad the sampled figures are by themselves; present if that is not sure.'),
  confidence: z.enum(CONFIDENCES).describe('How sure it is.'),
  namespace: z.string().describe('database.collection'),
  path: z
    .string()
    .nullable()
    .describe(
      'Dotted path; "[]" marks array elements on the way, "*" field names that are data; of an index its name; of a query in the source its fields, as in "at, status"; null for the whole.',
    ),
  pathIs: z
    .enum(NAMED_BY_PATH)
    .optional()
    .meta({ examples: [...NAMED_BY_PATH] })
    .describe('Present if the path is the name of an index that is missing: the one that the remedy creates.'),
  title: z.string().describe('The anti-pattern as a headline.'),
  message: z.string().describe('What is wrong here and how bad, with figures; never a document value.'),
  evidence: findingEvidenceSchema,
  restsOn: z
    .array(z.string())
    .optional()
    .describe('Sources of which a later run needs as much to call the finding fixed, such as "sample" or "profiler".'),
  lookFor: lookForSchema.optional(),
  remedy: remedySchema.describe('What to do about it.'),
  judgedAt: judgedAtSchema
    .optional()
    .describe('Present if it was judged at an expected size instead of the present one.'),
  docs: z.string().describe('Page of the check.'),
  group: z
    .enum(['safety'])
    .optional()
    .meta({ examples: ['safety'] })
    .describe('Present if its check is of a group that is off by default: it stands apart from the other findings.'),
  fingerprint: z.string().describe('Hash of check, namespace and path: the identity of the finding between runs.'),
  impact: impactSchema
    .optional()
    .describe('What it costs, or what is at stake: findings of one severity are ordered by it. Absent if unknown.'),
  ranBy: z
    .array(ranBySchema)
    .optional()
    .describe('Who runs its operations, the ten that run most. Absent if no source says.'),
  locations: z
    .array(locationSchema)
    .optional()
    .describe(
      'Lines of the source that it is about, what to change first. Absent without --code, and if they are unknown.',
    ),
  furtherPlaces: z
    .int()
    .positive()
    .optional()
    .describe('Lines that may have sent one of its operations, if there are too many to name any.'),
  owner: ownerSchema(),
  suppressed: z
    .strictObject({
      by: z.string().describe('Place of the suppression: a file, and its line if known.'),
      reason: z.string().describe('Why it is suppressed.'),
      expires: z.string().nullable().describe('Last day on which it holds, in UTC; null for no end.'),
      owner: z.string().optional().describe('Who answers for it.'),
    })
    .optional()
    .describe('Present if the finding is suppressed: it is listed and does not count.'),
  baseline: z
    .strictObject({
      status: z
        .enum(BASELINE_STATUSES)
        .describe(
          '"new" if it is not in the baseline, or less severe in it by more than the error of a sample. An info from documents that are others each time is "known" all the same.',
        ),
      severityBefore: z
        .enum(SEVERITIES)
        .nullable()
        .describe('Severity in the baseline; null if it is not in the baseline.'),
      better: z
        .literal(true)
        .optional()
        .describe('Present if it is less severe than in the baseline, by more than the error of a sample.'),
      accepted: acceptanceSchema.optional().describe('Present if somebody accepted it with `mongolint accept`.'),
    })
    .optional()
    .describe('Present if the run has a baseline and the finding is not suppressed: only new findings fail the run.'),
});

const furtherReasonSchema = ofOneCheckSchema
  .omit({
    namespace: true,
    remedy: true,
    group: true,
    impact: true,
    ranBy: true,
    locations: true,
    furtherPlaces: true,
    owner: true,
    suppressed: true,
    baseline: true,
  })
  .extend({
    namespace: z
      .string()
      .optional()
      .describe(
        'Present if it is another one: other places at which a check found the same are one finding, and what a finding causes may be in another collection.',
      ),
    remedy: remedySchema.optional().describe('Its own remedy, if that is another one.'),
  });

export const findingSchema = ofOneCheckSchema.extend({
  furtherReasons: z
    .array(furtherReasonSchema)
    .optional()
    .describe(
      'What other checks found that the same index puts right, the same array causes, or this finding does. Or other places of the database at which its check found the same. They do not count on their own.',
    ),
});

/** A finding of the baseline that this run did not show again. */
export const fixedFindingSchema = z.strictObject({
  check: z.string().describe('Id of the check.'),
  severity: z.enum(SEVERITIES).describe('How bad it was.'),
  namespace: z.string().describe('database.collection'),
  path: z.string().nullable().describe('Dotted path; null for the whole.'),
  owner: ownerSchema(),
  fingerprint: z.string().describe('Identity of the finding between runs.'),
});

/** A finding as it is reported. */
export type Finding = z.infer<typeof findingSchema>;
/** What another check found that a finding's remedy puts right too. */
export type FurtherReason = z.infer<typeof furtherReasonSchema>;
export type FixedFinding = z.infer<typeof fixedFindingSchema>;
/** A line of the source that a finding is about. */
export type FindingLocation = z.infer<typeof locationSchema>;
export type FindingEvidence = z.infer<typeof findingEvidenceSchema>;
/** The expected size at which a finding was judged. */
export type JudgedAt = z.infer<typeof judgedAtSchema>;
