import { groupedBy } from '../../src/grouped-by.js';
import type { BsonType, DocumentProfile, PathProfile, TypeCounts } from '../../src/profile/document-profile.js';
import { fieldName } from '../../src/profile/path-steps.js';

export type DocumentSchema = {
  bsonType?: string | string[];
  required?: string[];
  properties?: Record<string, DocumentSchema>;
  items?: DocumentSchema;
};

export interface SchemaLimits {
  readonly fields: number;
  /** Fewest objects from which a field that all of them have is required. */
  readonly objects: number;
}

/** The schema of the profiled documents. It omits dynamic field names, and allows further fields. */
export function documentSchema({ paths, documents }: DocumentProfile, limits: SchemaLimits): DocumentSchema {
  const byParent = groupedBy(paths, ({ parent }) => parent);
  const levels = levelsWithin(paths, limits.fields);
  const children = (parent: string | null) => (byParent.get(parent) ?? []).filter(({ depth }) => depth <= levels);
  const objectSchema = (parent: string | null, objects: number): Pick<DocumentSchema, 'required' | 'properties'> => {
    const fields = children(parent).filter(({ path }) => isNameable(path));
    const required =
      objects < limits.objects
        ? []
        : fields.filter(({ presence }) => presence === 1).map(({ path }) => fieldName(path));
    return {
      ...(required.length > 0 && { required }),
      ...(fields.length > 0 && {
        properties: Object.fromEntries(fields.map((field) => [fieldName(field.path), valueSchema(field)])),
      }),
    };
  };
  const valueSchema = ({ path, types, object, array }: PathProfile): DocumentSchema => {
    const elements = array === undefined ? undefined : children(path).find((child) => child.path === `${path}[]`);
    return {
      bsonType: bsonTypes(types),
      ...(object !== undefined && !object.folded && objectSchema(path, object.fields.count)),
      ...(elements !== undefined && { items: valueSchema(elements) }),
    };
  };
  return { bsonType: 'object', ...objectSchema(null, documents) };
}

function levelsWithin(paths: readonly PathProfile[], most: number): number {
  const depths = [...new Set(paths.map(({ depth }) => depth))].sort((a, b) => a - b);
  const fitting = depths.filter((depth) => paths.filter((path) => path.depth <= depth).length <= most);
  return fitting.at(-1) ?? 1;
}

/** A validator can't name a field with a dot in its name or a dollar in front. Names that are data are never printed. */
function isNameable(path: string): boolean {
  const name = fieldName(path);
  return !path.endsWith('[]') && name !== '*' && name !== '' && !name.startsWith('$') && !name.includes('.');
}

const WHOLE_OR_FRACTION: ReadonlySet<BsonType> = new Set(['int', 'long', 'double']);

/** Drivers write a whole number as int, long or double as it comes, so one of these stands for all. */
function bsonTypes(types: TypeCounts): string | string[] {
  const seen = (Object.entries(types) as [BsonType, number][]).filter(([, count]) => count > 0).map(([type]) => type);
  const isNumber = seen.some((type) => WHOLE_OR_FRACTION.has(type));
  const names = isNumber
    ? ['number', ...seen.filter((type) => !WHOLE_OR_FRACTION.has(type) && type !== 'decimal')]
    : seen;
  const [only, ...others] = names;
  return only !== undefined && others.length === 0 ? only : names;
}
