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
const OPERATOR = /^\$_?[a-z][a-zA-Z]*$/;

/** Arguments that are maps of names, in which arguments of the operator mean nothing. */
const OF_NAMES = words('let vars output sortBy query restrictSearchWithMatch');

/** Keywords of a schema that hold names of fields, beside `required`. All others stay. */
const MAPS_OF_SCHEMAS = words('properties patternProperties dependencies');

/** What shapes name. */
export interface NamesInShapes {
  /** Null if it is not there. */
  namespace(name: string): string | null;
  /** The name of a field, a variable or an output. */
  name(name: string): string;
}

/** Arguments that name a collection, by stage. That of `$out` is the stage itself. */
const NAMING: Readonly<Record<string, string>> = {
  $lookup: 'from',
  $graphLookup: 'from',
  $unionWith: 'coll',
  $merge: 'into',
};

/** A filter, a pipeline, an update or a validator under other names. */
export function renamedShape(shape: unknown, names: NamesInShapes): unknown {
  return ofShape(shape, names, '', NONE);
}

/** @param stage whose arguments it has, if any are kept */
function ofShape(shape: unknown, names: NamesInShapes, stage: string, kept: ReadonlySet<string>): unknown {
  if (typeof shape === 'string') return stage === '$out' ? nameInStage(shape, names) : nameIn(shape, names);
  if (Array.isArray(shape)) return shape.map((one: unknown) => ofShape(one, names, stage, kept));
  if (typeof shape !== 'object' || shape === null) return shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, value]: [string, unknown]) => {
      if (key === '$jsonSchema') return [key, ofSchema(value, names)];
      // Its operands are names of types.
      if (key === '$type') return [key, value];
      if (OPERATOR.test(key)) return [key, ofShape(value, names, key, ARGUMENTS[key] ?? NONE)];
      if (!kept.has(key)) return [names.name(key), ofShape(value, names, '', NONE)];
      if (NAMING[stage] === key && typeof value === 'string') return [key, nameInStage(value, names)];
      return [key, ofShape(value, names, stage, OF_NAMES.has(key) ? NONE : kept)];
    }),
  );
}

function nameIn(text: string, names: NamesInShapes): string {
  return PLACEHOLDER.test(text) ? text : names.name(text);
}

/** What is not there becomes what stands for unknown collections: a name may be another collection's. */
function nameInStage(text: string, names: NamesInShapes): string {
  return text.includes('.') ? (names.namespace(text) ?? '?namespace') : nameIn(text, names);
}

/** A `$jsonSchema`, whose literals are types already. */
function ofSchema(schema: unknown, names: NamesInShapes): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => ofSchema(one, names));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
      if (keyword === 'required') return [keyword, namesIn(value, names)];
      if (MAPS_OF_SCHEMAS.has(keyword)) return [keyword, mapOfSchemas(value, names)];
      return [keyword, ofSchema(value, names)];
    }),
  );
}

function mapOfSchemas(map: unknown, names: NamesInShapes): unknown {
  if (typeof map !== 'object' || map === null) return namesIn(map, names);
  const entries = Object.entries(map).map(([name, value]: [string, unknown]) => {
    return [names.name(name), Array.isArray(value) ? namesIn(value, names) : ofSchema(value, names)];
  });
  return Object.fromEntries(entries);
}

function namesIn(value: unknown, names: NamesInShapes): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => namesIn(one, names));
  return typeof value === 'string' ? nameIn(value, names) : value;
}
