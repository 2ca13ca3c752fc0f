import { z } from 'zod';

/** What a text of evidence is. Any other text is a name: of a field, a zone, an application. So what is added later is one, too. */
export type NameKind =
  | 'namespace'
  | 'database'
  /** The name of an index of the collection that is named before it, or its key as plan summaries write it. */
  | 'index'
  /** A plan summary: `IXSCAN { customer.id: 1, at: -1 }`. */
  | 'plan'
  /** What stands for a direction in an index key. */
  | 'index kind'
  /** An option of the server, whose value may be a name. */
  | 'option'
  /** "the primary", "secondary 1", "a member of shard sh1" */
  | 'member'
  /** It may name anything. */
  | 'sentence'
  /** A version, a time, a setting of the server. */
  | 'no name';

const KINDS = z.registry<{ readonly kind: NameKind }>();

/** A text of this kind, or whatever the schema describes. */
export function ofKind(kind: NameKind): z.ZodString;
export function ofKind<Schema extends z.ZodType>(kind: NameKind, schema: Schema): Schema;
export function ofKind(kind: NameKind, schema: z.ZodType = z.string()): z.ZodType {
  KINDS.add(schema, { kind });
  return schema;
}

/** Null of a name of something else. */
export function kindOf(schema: z.ZodType): NameKind | null {
  return KINDS.get(schema)?.kind ?? null;
}
