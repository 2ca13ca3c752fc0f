import type { z } from 'zod';
import { nameKindOf } from '../names.js';
import { ownValue } from '../plain.js';
import { type NamesInShapes, renamedShape } from './renamed-shape.js';

/** How names of evidence are replaced. Null stands for what is not there: the item of a list that is about it is left out. */
export interface Names extends NamesInShapes {
  database(name: string): string | null;
  /** @param namespace its collection, as it is named before; null if none is */
  index(name: string, namespace: string | null): string | null;
  plan(summary: string): string;
  /** Any other text. @param field the nearest field that holds it */
  text(text: string, field: string): string;
  /** Whether a field's values, or else the keys of its record, hold no name. */
  isKept(field: string, part: 'value' | 'keys'): boolean;
}

const same = (name: string) => name;

/** All names as they are. */
export const UNCHANGED: Names = {
  namespace: same,
  database: same,
  index: same,
  plan: same,
  name: same,
  text: same,
  isKept: () => false,
};

type Fields = Record<string, unknown>;
type Definition = z.core.$ZodTypeDef & {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
};

const OF_SHAPES = new Set(['lazy', 'unknown', 'any']);
/** What is about something that is not there. */
const GONE = Symbol('gone');

/** Evidence under other names, by its schema; null if it is about what is not there. @param evidence plain data as the schema describes it */
export function renamed<Of>(evidence: Of, schema: z.ZodType, names: Names): Of | null {
  const found = new Walk(names).of(evidence, schema, '');
  return found === GONE ? null : (found as Of);
}

class Walk {
  /** The namespace that was met last, of what is walked through. */
  private about: string | null = null;

  constructor(private readonly names: Names) {}

  /** @param field the nearest field that holds it */
  of(value: unknown, schema: z.ZodType, field: string): unknown {
    if (value === null || this.names.isKept(field, 'value')) return value;
    const definition = schema.def as Definition;
    switch (definition.type) {
      case 'object':
        return this.ofObject(value as Fields, definition.shape ?? {});
      case 'record':
        return this.ofRecord(value as Fields, definition, field);
      case 'array':
        return this.ofArray(value as readonly unknown[], () => definition.element, field);
      case 'tuple':
        return this.ofArray(value as readonly unknown[], (index) => definition.items?.[index], field);
      case 'optional':
      case 'nullable':
      case 'readonly':
      case 'default':
        return this.of(value, definition.innerType as z.ZodType, field);
      case 'union':
        return this.of(value, fitting(value, definition.options ?? []), field);
      case 'enum':
      case 'literal':
      case 'number':
      case 'int':
      case 'boolean':
      case 'null':
        return value;
      case 'string':
        return this.ofText(value as string, schema, field) ?? GONE;
      default:
        return renamedShape(value, this.names);
    }
  }

  private ofObject(value: Fields, shape: Readonly<Record<string, z.ZodType>>): unknown {
    const fields: Fields = {};
    // In the order of the schema: what is named first is what the rest is about.
    for (const name of new Set([...Object.keys(shape), ...Object.keys(value)])) {
      if (!Object.hasOwn(value, name)) continue;
      const schema = ownValue(shape, name);
      const one = schema === undefined ? renamedShape(value[name], this.names) : this.of(value[name], schema, name);
      if (one === GONE) return GONE;
      // Fields that the schema does not name are of the schema that lets them pass: names of things.
      fields[schema === undefined ? this.names.name(name) : name] = one;
    }
    return fields;
  }

  private ofRecord(value: Fields, { keyType, valueType }: Definition, field: string): unknown {
    // Filters and pipelines, whose fields are names or operators.
    if (OF_SHAPES.has((valueType as z.ZodType).def.type)) return renamedShape(value, this.names);
    const isOfNames = (keyType as z.ZodType).def.type === 'string' && !this.names.isKept(field, 'keys');
    const all = new Map<string, unknown>();
    for (const [name, one] of Object.entries(value)) {
      const key = isOfNames ? this.ofText(name, keyType as z.ZodType, field) : name;
      const below = this.of(one, valueType as z.ZodType, isOfNames ? `${field} value` : name);
      if (key === null || below === GONE) continue;
      const known = all.get(key);
      // Two names of one thing: its figures are counts.
      all.set(key, typeof known === 'number' ? known + Number(below) : below);
    }
    return Object.fromEntries(all);
  }

  private ofArray(
    values: readonly unknown[],
    schemaOf: (index: number) => z.ZodType | undefined,
    field: string,
  ): unknown[] {
    const outer = this.about;
    const all = values.map((one, index) => {
      this.about = outer;
      const schema = schemaOf(index);
      return schema === undefined ? renamedShape(one, this.names) : this.of(one, schema, field);
    });
    this.about = outer;
    return all.filter((one) => one !== GONE);
  }

  private ofText(text: string, schema: z.ZodType, field: string): string | null {
    switch (nameKindOf(schema)) {
      case 'namespace':
        this.about ??= text;
        return this.names.namespace(text);
      case 'database':
        return this.names.database(text);
      case 'index':
        return this.names.index(text, this.about);
      case 'plan':
        return this.names.plan(text);
      case null:
        return this.names.text(text, field);
    }
  }
}

function fitting(value: unknown, options: readonly z.ZodType[]): z.ZodType {
  const found = options.find((option) => option.safeParse(value).success);
  if (found === undefined) throw new TypeError('Evidence that is not as its schema says can not be renamed.');
  return found;
}
