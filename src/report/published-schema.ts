import { z } from 'zod';

/** The version of the report's contract. Within it, changes only add: keys, and values where `examples` list them. */
export const REPORT_SCHEMA_VERSION = 1;

export const count = () => z.int().nonnegative();

/** An enumeration to which later versions may add. */
export function growing<const Values extends readonly string[]>(values: Values, description: string) {
  return z.enum(values).meta({ description, examples: [...values] });
}

/**
 * The JSON Schema (draft 2020-12) of a contract within which changes only add. It is more tolerant than the schema that
 * is written by, so that it also accepts what later versions write: unknown keys are allowed, and an enumeration that may
 * grow is a string with its values as examples.
 */
export function publishedJsonSchema(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.enum !== undefined && jsonSchema.examples !== undefined) delete jsonSchema.enum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
}
