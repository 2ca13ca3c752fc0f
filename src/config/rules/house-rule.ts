import { z } from 'zod';
import { SEVERITIES } from '../../finding/severity.js';
import { BSON_TYPES } from '../../profile/document-profile.js';
import { LINEAR_SYNTAX, linearPattern } from '../../text/linear-pattern.js';
import { globSchema, known } from '../option-schema.js';

const count = (what: string) => z.int().nonnegative().optional().describe(what);

const indexSchema = known({
  key: z
    .record(z.string().min(1), z.union([z.literal(1), z.literal(-1), z.string()]))
    .describe('Fields with which the key of an index must begin, in this order.'),
  unique: z.boolean().optional().describe('Whether it must be unique.'),
});

const maximumSchema = known({
  documents: count('Documents of the collection.'),
  documentBytes: count('Bytes of its largest sampled document.'),
  collectionBytes: count('Uncompressed bytes of its documents.'),
  indexes: count('Indexes of the collection.'),
});

const ruleSchema = known({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/, { error: 'must be written in kebab-case' })
    .describe('Name of the rule: its check is house/ID.'),
  reason: z.string().trim().min(1, { error: 'say why the rule is there' }).describe('Why: it follows each message.'),
  glob: globSchema().default('*').describe('Collections that it is about: glob over database.collection.'),
  severity: z.enum(SEVERITIES).default('warning').describe('Severity of what breaks it.'),
  docs: z.url().optional().describe('Address of a page about it.'),
  name: z
    .string()
    .refine((text) => linearPattern(text) !== null, { error: `is not ${LINEAR_SYNTAX}` })
    .optional()
    .describe('Regular expression (RE2) that the whole name of the collection must match.'),
  fields: z
    .record(z.string().min(1), z.array(z.enum(BSON_TYPES)))
    .optional()
    .describe('Paths that every document must have, each with the BSON types that it may hold; none for any.'),
  forbiddenTypes: z.array(z.enum(BSON_TYPES)).min(1).optional().describe('BSON types that no value may have.'),
  indexes: z.array(indexSchema).min(1).optional().describe('Indexes that each collection must have.'),
  maximum: maximumSchema.optional().describe('What nothing may exceed.'),
}).refine((rule) => KINDS.some((kind) => rule[kind] !== undefined), {
  error: 'must say what it demands: name, fields, forbiddenTypes, indexes or maximum',
});

const KINDS = ['name', 'fields', 'forbiddenTypes', 'indexes', 'maximum'] as const;

/** A check that is written as data. */
export type HouseRule = z.infer<typeof ruleSchema>;

export const rulesSchema = () => z.array(ruleSchema);
