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
/** Operators whose operands are names of types. */
const OF_TYPES = words('$type');
/** Arguments that are maps of names, in which arguments of the operator mean nothing. */
const OF_NAMES = words('let vars output sortBy query restrictSearchWithMatch');

/** Keywords of a schema that hold names of fields. All others stay. */
const MAPS_OF_SCHEMAS = words('properties patternProperties dependencies');
const LISTS_OF_NAMES = words('required');

/** A filter, a pipeline, an update or a validator with pseudonyms in place of names. */
export function pseudonymisedShape(shape: unknown, names: Pseudonyms, kept: ReadonlySet<string> = NONE): unknown {
  if (typeof shape === 'string') return PLACEHOLDER.test(shape) ? shape : names.of(shape);
  if (Array.isArray(shape)) return shape.map((one: unknown) => pseudonymisedShape(one, names, kept));
  if (typeof shape !== 'object' || shape === null) return shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]) => {
      if (key === '$jsonSchema') return [key, pseudonymisedSchema(value, names)];
      if (OF_TYPES.has(key)) return [key, value];
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
      if (LISTS_OF_NAMES.has(keyword)) return [keyword, renamed(value, names)];
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
