import { z } from 'zod';

/** What a text of evidence names. Any other text is the name of a field, of a zone, of an application, unless it is known to be none. */
type NameKind = 'namespace' | 'database' | 'index' | 'plan';

const KINDS = z.registry<{ readonly kind: NameKind }>();

/** `database.collection` */
export const namespaceName = () => named('namespace');
export const databaseName = () => named('database');
/** The name of an index of the collection that is named before it, or its key as plan summaries write it. */
export const indexName = () => named('index');
/** A plan summary: `IXSCAN { customer.id: 1, at: -1 }`. */
export const planSummary = () => named('plan');

/** Null of any other text. */
export function nameKindOf(schema: z.ZodType): NameKind | null {
  return KINDS.get(schema)?.kind ?? null;
}

function named(kind: NameKind) {
  return z.string().register(KINDS, { kind });
}
