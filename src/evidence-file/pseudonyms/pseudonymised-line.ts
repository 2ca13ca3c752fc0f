import type { z } from 'zod';
import type { Pseudonyms } from './pseudonyms.js';

/** A type, with the facts of a regular expression or an array, and the rank of a literal among others. */
const PLACEHOLDER =
  /^(?:\[\]|\?(?:number|string|date|objectId|bool|null|object|array|regex|timestamp|binData|minKey|maxKey|symbol|javascript|javascriptWithScope|dbPointer|undefined|decimal|long|nan)(?::(?:prefix|whole|i|unknown|,)+)?(?:<(?:\?[a-zA-Z]*)?>)?(?:#-?\d+)?)$/;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What stages and operators call what they are given. What others are given has names of fields. */
const ARGUMENTS: Readonly<Record<string, ReadonlySet<string>>> = {
  $lookup: words('from localField foreignField let pipeline as db coll'),
  $graphLookup: words(
    'from startWith connectFromField connectToField as maxDepth depthField restrictSearchWithMatch db coll',
  ),
  $unionWith: words('coll pipeline db'),
  $unwind: words('path includeArrayIndex preserveNullAndEmptyArrays'),
  $replaceRoot: words('newRoot'),
  $sample: words('size'),
  $bucket: words('groupBy boundaries default output'),
  $bucketAuto: words('groupBy buckets output granularity'),
  $setWindowFields: words('partitionBy sortBy output'),
  $fill: words('partitionBy partitionByFields sortBy output'),
  $densify: words('field partitionByFields range'),
  $geoNear: words('near distanceField key query includeLocs maxDistance minDistance spherical distanceMultiplier'),
  $out: words('db coll'),
  $merge: words('into on let whenMatched whenNotMatched db coll'),
  $cond: words('if then else'),
  $switch: words('branches case then default'),
  $map: words('input as in'),
  $filter: words('input as cond limit'),
  $reduce: words('input initialValue in'),
  $let: words('vars in'),
  $zip: words('inputs useLongestLength defaults'),
  $sortArray: words('input sortBy'),
  $getField: words('field input'),
  $setField: words('field input value'),
  $unsetField: words('field input'),
  $regexMatch: words('input regex options'),
  $regexFind: words('input regex options'),
  $regexFindAll: words('input regex options'),
  $dateToString: words('date format timezone onNull'),
  $dateFromString: words('dateString format timezone onError onNull'),
  $dateTrunc: words('date unit binSize timezone startOfWeek'),
  $dateAdd: words('startDate unit amount timezone'),
  $dateSubtract: words('startDate unit amount timezone'),
  $dateDiff: words('startDate endDate unit timezone startOfWeek'),
  $dateToParts: words('date timezone iso8601'),
  $dateFromParts: words('year month day hour minute second millisecond timezone isoWeekYear isoWeek isoDayOfWeek'),
  $convert: words('input to onError onNull'),
  $trim: words('input chars'),
  $ltrim: words('input chars'),
  $rtrim: words('input chars'),
  $replaceOne: words('input find replacement'),
  $replaceAll: words('input find replacement'),
  $push: words('$each $slice $sort $position'),
};

const NONE = words('');

/** Arguments that are maps of names, in which arguments of the operator mean nothing. */
const OF_NAMES = words('let vars output sortBy query restrictSearchWithMatch');

/** Keywords of a schema that hold names of fields, beside `required`. All others stay. */
const MAPS_OF_SCHEMAS = words('properties patternProperties dependencies');

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

/** Texts that are no names, by their fields: versions, times, units, and settings of the server. */
const KEPT_TEXTS = new Set([
  'version',
  'startedAt',
  'finishedAt',
  'sha256',
  'granularity',
  'start',
  'stop',
  'level',
  'action',
  'default_language',
  'pseudonyms',
  'hashes',
]);
/** Settings of the server, which hold no names. */
const KEPT = new Set(['collation', 'tool', 'engine']);
/** Options of the server by its own names, and numbers. */
const KEPT_KEYS = new Set(['furtherOptions', 'stages', 'operations', 'shardsContacted']);
/** Sentences, which may name anything. */
const SENTENCES = new Set(['detail', 'limits', 'historyFault']);

/** What stands for a direction in an index key. */
const INDEX_KINDS = new Set(['hashed', 'text', '2d', '2dsphere', '2dsphere_bucket', 'geoHaystack']);
const OF_SHAPES = new Set(['lazy', 'unknown', 'any']);

/**
 * A line of an evidence file with pseudonyms in place of all names. What the schema allows to be any text is a name, unless
 * it is known to be none: so what is added later can't slip through.
 *
 * @param line plain data as the schema describes it
 */
export function pseudonymisedLine(line: unknown, schema: z.ZodType, names: Pseudonyms): unknown {
  return new LineNames(names).of(line, schema, '');
}

class LineNames {
  constructor(private readonly names: Pseudonyms) {}

  /** @param field the nearest field that holds it */
  of(value: unknown, schema: z.ZodType, field: string): unknown {
    if (value === null || KEPT.has(field)) return value;
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
        return this.ofText(value as string, field);
      default:
        return pseudonymisedShape(value, this.names);
    }
  }

  private ofObject(value: Fields, shape: Readonly<Record<string, z.ZodType>>): Fields {
    return mapFields(value, (name, one) => {
      const schema = shape[name];
      // Fields that the schema does not name are of the schema that lets them pass: names of things.
      return schema === undefined
        ? [this.names.of(name), pseudonymisedShape(one, this.names)]
        : [name, this.of(one, schema, name)];
    });
  }

  private ofRecord(value: Fields, { keyType, valueType }: Definition, field: string): Fields {
    const isOfNames = (keyType as z.ZodType).def.type === 'string' && !KEPT_KEYS.has(field);
    // Filters and pipelines, whose fields are names or operators.
    if (OF_SHAPES.has((valueType as z.ZodType).def.type)) return pseudonymisedShape(value, this.names) as Fields;
    return mapFields(value, (name, one) => {
      const [key, below] = isOfNames ? [this.ofText(name, field), `${field} value`] : [name, name];
      return [key, this.of(one, valueType as z.ZodType, below)];
    });
  }

  private ofArray(
    values: readonly unknown[],
    schemaOf: (index: number) => z.ZodType | undefined,
    field: string,
  ): unknown[] {
    return values.map((one, index) => {
      const schema = schemaOf(index);
      return schema === undefined ? pseudonymisedShape(one, this.names) : this.of(one, schema, field);
    });
  }

  private ofText(text: string, field: string): string {
    // Told apart: reasons that are the same are of one cause.
    if (SENTENCES.has(field))
      return `the details are left out, as they may hold names (case ${this.names.mark(text)}).`;
    if (KEPT_TEXTS.has(field)) return text;
    if (field === 'key value' && INDEX_KINDS.has(text)) return text;
    const isKey = (field === 'hint' || field === 'hints') && text.startsWith('{ ');
    if (field === 'planSummaries' || field === 'plans' || isKey) return this.ofPlanSummary(text);
    if (field === 'node' || field === 'member') return this.ofMember(text);
    return this.names.of(text);
  }

  /** `IXSCAN { customer.id: 1, at: -1 }` */
  private ofPlanSummary(text: string): string {
    return text.replaceAll(/([{,] )([^,{}]+)(: )/g, (_, before: string, path: string, after: string) => {
      return `${before}${this.names.of(path)}${after}`;
    });
  }

  /** "the primary", "secondary 1", "a member of shard sh1" */
  private ofMember(text: string): string {
    const [, start, name] = /^(a member of shard )(.+)$/s.exec(text) ?? [];
    if (name !== undefined) return `${start}${this.names.of(name)}`;
    return /^(?:the (?:server|primary|primaries|secondaries)|secondary \d+|a member)$/.test(text)
      ? text
      : this.names.of(text);
  }
}

function fitting(value: unknown, options: readonly z.ZodType[]): z.ZodType {
  const found = options.find((option) => option.safeParse(value).success);
  if (found === undefined) throw new TypeError('Evidence that is not as its schema says has no pseudonyms.');
  return found;
}

function mapFields(value: Fields, map: (name: string, one: unknown) => readonly [string, unknown]): Fields {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => map(name, one)));
}

/** A filter, a pipeline, an update or a validator with pseudonyms in place of names. */
export function pseudonymisedShape(shape: unknown, names: Pseudonyms, kept: ReadonlySet<string> = NONE): unknown {
  if (typeof shape === 'string') return PLACEHOLDER.test(shape) ? shape : names.of(shape);
  if (Array.isArray(shape)) return shape.map((one: unknown) => pseudonymisedShape(one, names, kept));
  if (typeof shape !== 'object' || shape === null) return shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => {
      if (key === '$jsonSchema') return [key, pseudonymisedSchema(value, names)];
      // Its operands are names of types.
      if (key === '$type') return [key, value];
      if (/^\$_?[a-z][a-zA-Z]*$/.test(key)) return [key, pseudonymisedShape(value, names, ARGUMENTS[key] ?? NONE)];
      if (!kept.has(key)) return [names.of(key), pseudonymisedShape(value, names)];
      return [key, pseudonymisedShape(value, names, OF_NAMES.has(key) ? NONE : kept)];
    }),
  );
}

/** A `$jsonSchema`, whose literals are types already. */
function pseudonymisedSchema(schema: unknown, names: Pseudonyms): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => pseudonymisedSchema(one, names));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
      if (keyword === 'required') return [keyword, renamed(value, names)];
      if (MAPS_OF_SCHEMAS.has(keyword)) return [keyword, mapOfSchemas(value, names)];
      return [keyword, pseudonymisedSchema(value, names)];
    }),
  );
}

function mapOfSchemas(map: unknown, names: Pseudonyms): unknown {
  if (typeof map !== 'object' || map === null) return renamed(map, names);
  const entries = Object.entries(map).map(([name, value]: [string, unknown]) => {
    return [names.of(name), Array.isArray(value) ? renamed(value, names) : pseudonymisedSchema(value, names)];
  });
  return Object.fromEntries(entries);
}

function renamed(value: unknown, names: Pseudonyms): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => renamed(one, names));
  return typeof value === 'string' && !PLACEHOLDER.test(value) ? names.of(value) : value;
}
