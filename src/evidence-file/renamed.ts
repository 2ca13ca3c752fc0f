import type { z } from 'zod';
import { kindOf, type NameKind } from '../names.js';
import { ownValue } from '../plain.js';
import { type NamesInShapes, renamedShape } from './renamed-shape.js';

/** How names of evidence are replaced. */
export interface Names extends NamesInShapes {
  /**
   * Null if what it names is not there: the item of a list that is about it is left out.
   *
   * @param about the namespace that was named before it; null if none was
   */
  of(text: string, kind: NameKind | null, about: string | null): string | null;
}

const same = (name: string) => name;

/** All names as they are. */
export const UNCHANGED: Names = { namespace: same, name: same, of: same };

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
/** The option of an index whose text is no name. */
const LANGUAGE = 'default_language';
/** What is about something that is not there. */
const GONE = Symbol('gone');

/** Evidence under other names, by its schema; null if it is about what is not there. @param evidence plain data as the schema describes it */
export function renamed<Of>(evidence: Of, schema: z.ZodType, names: Names): Of | null {
  const found = new Walk(names).of(evidence, schema);
  return found === GONE ? null : (found as Of);
}

class Walk {
  /** The namespace that was met last, of what is walked through. */
  private about: string | null = null;

  constructor(private readonly names: Names) {}

  of(value: unknown, schema: z.ZodType): unknown {
    if (value === null || kindOf(schema) === 'no name') return value;
    const definition = schema.def as Definition;
    switch (definition.type) {
      case 'object':
        return this.ofObject(value as Fields, definition.shape ?? {});
      case 'record':
        return this.ofRecord(value as Fields, definition);
      case 'array':
        return this.ofArray(value as readonly unknown[], () => definition.element);
      case 'tuple':
        return this.ofArray(value as readonly unknown[], (index) => definition.items?.[index]);
      case 'optional':
      case 'nullable':
      case 'readonly':
      case 'default':
        return this.of(value, definition.innerType as z.ZodType);
      case 'union':
        return this.of(value, fitting(value, definition.options ?? []));
      case 'enum':
      case 'literal':
      case 'number':
      case 'int':
      case 'boolean':
      case 'null':
        return value;
      case 'string':
        return this.ofText(value as string, schema) ?? GONE;
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
      const one = schema === undefined ? renamedShape(value[name], this.names) : this.of(value[name], schema);
      if (one === GONE) return GONE;
      // Fields that the schema does not name are of the schema that lets them pass: names of things.
      fields[schema === undefined ? this.names.name(name) : name] = one;
    }
    return fields;
  }

  private ofRecord(value: Fields, { keyType, valueType }: Definition): unknown {
    // Filters and pipelines, whose fields are names or operators.
    if (OF_SHAPES.has((valueType as z.ZodType).def.type)) return renamedShape(value, this.names);
    const all = new Map<string, unknown>();
    for (const [name, one] of Object.entries(value)) {
      const key = this.ofKey(name, keyType as z.ZodType);
      const below = name === LANGUAGE ? one : this.of(one, valueType as z.ZodType);
      if (key === null || below === GONE) continue;
      const known = all.get(key);
      // Two names of one thing: its figures are counts.
      all.set(key, typeof known === 'number' ? known + Number(below) : below);
    }
    return Object.fromEntries(all);
  }

  private ofKey(name: string, schema: z.ZodType): string | null {
    const isName = schema.def.type === 'string' && kindOf(schema) !== 'option' && kindOf(schema) !== 'no name';
    return isName ? this.ofText(name, schema) : name;
  }

  private ofArray(values: readonly unknown[], schemaOf: (index: number) => z.ZodType | undefined): unknown[] {
    const outer = this.about;
    const all = values.map((one, index) => {
      this.about = outer;
      const schema = schemaOf(index);
      return schema === undefined ? renamedShape(one, this.names) : this.of(one, schema);
    });
    this.about = outer;
    return all.filter((one) => one !== GONE);
  }

  private ofText(text: string, schema: z.ZodType): string | null {
    const kind = kindOf(schema);
    if (kind === 'namespace') this.about ??= text;
    return this.names.of(text, kind, this.about);
  }
}

function fitting(value: unknown, options: readonly z.ZodType[]): z.ZodType {
  const found = options.find((option) => option.safeParse(value).success);
  if (found === undefined) throw new TypeError('Evidence that is not as its schema says can not be renamed.');
  return found;
}
