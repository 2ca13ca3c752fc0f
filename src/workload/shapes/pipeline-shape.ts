import { ownValue } from '../../plain.js';
import { expressionShape, fieldExpressions, projectionShape } from './expression-shape.js';
import { filterShape, type FilteredThing } from './filter-shape.js';
import { arrayOf, bodyOf, scalarText, type LiteralReader } from './placeholder.js';
import { GIVEN_DOCUMENTS, type ObjectShape, type PipelineShape, type Shape } from './shape.js';
import { fieldPath, sortShape } from './sort-shape.js';

type Body = Record<string, unknown>;

interface Reading {
  readonly database: string;
  readonly literal: LiteralReader;
  /** What reaches the stage. */
  readonly of: FilteredThing;
}

type StageReader = (body: unknown, reading: Reading) => readonly ObjectShape[];

const INTERNAL_STAGES = new Set(['$_internalInhibitOptimization', '$mergeCursors']);

/** Query stats write `$documents` as `$queue` and stages that read this field (measured on 6.0.27). */
const QUEUED_DOCUMENTS = '_tempDocumentsField';

/**
 * Abbreviated stages are written out as the server does in `$queryStats` (measured on 6.0.27), so that a pipeline has
 * the same shape in every source.
 */
export function pipelineShape(pipeline: unknown, database: string, literal: LiteralReader): PipelineShape {
  const stages = arrayOf(pipeline);
  const ofStored = stages.findIndex((stage) => !('$match' in bodyOf(stage)));
  return stages.flatMap((stage, index) =>
    stageShapes(stage, { database, literal, of: ofStored < 0 || index <= ofStored ? 'stored' : 'computed' }),
  ) as unknown as PipelineShape;
}

function stageShapes(stage: unknown, reading: Reading): readonly ObjectShape[] {
  const [entry] = Object.entries(bodyOf(stage));
  if (entry === undefined) return [];
  const [name, body] = entry;
  if (INTERNAL_STAGES.has(name) || takesQueueApart(name, body)) return [];
  const reader = ownValue(STAGE_READERS, name);
  return reader === undefined ? [{ [name]: '?object' }] : reader(body, reading);
}

function takesQueueApart(name: string, body: unknown): boolean {
  if (name === '$project') return QUEUED_DOCUMENTS in bodyOf(body);
  return (
    (name === '$unwind' && bodyOf(body)['path'] === `$${QUEUED_DOCUMENTS}`) ||
    (name === '$replaceRoot' && bodyOf(body)['newRoot'] === `$${QUEUED_DOCUMENTS}`)
  );
}

const STAGE_READERS: Readonly<Record<string, StageReader>> = {
  $match: (body, { literal, of }) => [{ $match: filterShape(body, literal, of) }],
  $project: (body, { literal }) => [projectStage(projectionShape(body, literal))],
  $addFields: (body, { literal }) => [{ $addFields: Object.fromEntries(fieldExpressions(body, literal)) }],
  $set: (body, { literal }) => [{ $addFields: Object.fromEntries(fieldExpressions(body, literal)) }],
  $unset: (body) => [
    { $unset: (Array.isArray(body) ? body : [body]).map((path) => fieldPath(scalarText(path))).sort() },
  ],
  $unwind: (body) => [{ $unwind: unwindShape(body) }],
  $group: (body, { literal }) => [{ $group: groupShape(body, literal) }],
  $sort: (body) => [{ $sort: sortShape(body) }],
  $limit: () => [{ $limit: '?number' }],
  $skip: () => [{ $skip: '?number' }],
  $sample: () => [{ $sample: { size: '?number' } }],
  $count: (body) => countShapes(fieldPath(scalarText(body))),
  $sortByCount: (body, { literal }) => sortByCountShapes(expressionShape(body, literal)),
  $replaceRoot: (body, { literal }) => [replaceShape(bodyOf(body)['newRoot'], literal)],
  $replaceWith: (body, { literal }) => [replaceShape(body, literal)],
  $redact: (body, { literal }) => [{ $redact: expressionShape(body, literal) }],
  $queue: () => [{ $documents: '?object' }],
  $lookup: (body, reading) => [{ $lookup: lookupShape(bodyOf(body), reading) }],
  $graphLookup: (body, reading) => [{ $graphLookup: graphLookupShape(bodyOf(body), reading) }],
  $facet: (body, reading) => [{ $facet: facetShape(bodyOf(body), reading) }],
  $unionWith: (body, reading) => [{ $unionWith: unionShape(body, reading) }],
  $bucket: (body, { literal }) => [{ $bucket: { groupBy: expressionShape(bodyOf(body)['groupBy'], literal) } }],
  $bucketAuto: (body, { literal }) => [{ $bucketAuto: { groupBy: expressionShape(bodyOf(body)['groupBy'], literal) } }],
  $setWindowFields: (body, { literal }) => [{ $setWindowFields: windowShape(bodyOf(body), literal, windowFunction) }],
  $fill: (body, { literal }) => [{ $fill: windowShape(bodyOf(body), literal, () => '?object') }],
  $densify: (body) => [{ $densify: densifyShape(bodyOf(body)) }],
  $geoNear: (body, { literal }) => [{ $geoNear: geoNearShape(bodyOf(body), literal) }],
  $out: (body, { database }) => [{ $out: namespaceShape(body, database) }],
  $merge: (body, { database }) => [
    { $merge: { into: namespaceShape(typeof body === 'string' ? body : bodyOf(body)['into'], database) } },
  ],
};

const WINDOW_FUNCTION = /^\$[a-zA-Z]{1,30}$/;

/** `$unset` is short for a projection that only excludes. */
function projectStage(projection: ObjectShape): ObjectShape {
  const paths = Object.keys(projection);
  const onlyExcludes = paths.length > 0 && paths.every((path) => projection[path] === false);
  return onlyExcludes ? { $unset: paths.sort() } : { $project: projection };
}

function unwindShape(body: unknown): ObjectShape {
  const {
    path,
    includeArrayIndex,
    preserveNullAndEmptyArrays: preserve,
  } = typeof body === 'string' ? ({ path: body } as Body) : bodyOf(body);
  return {
    path: fieldPath(scalarText(path)),
    // Query stats write it if it is true, as a placeholder (measured on 6.0.27).
    ...(preserve !== undefined && preserve !== false && { preserveNullAndEmptyArrays: true }),
    ...(typeof includeArrayIndex === 'string' && { includeArrayIndex: fieldPath(includeArrayIndex) }),
  };
}

function groupShape(body: unknown, literal: LiteralReader): ObjectShape {
  const fields = Object.entries(bodyOf(body)).map(([name, expression]): [string, Shape] => {
    if (name === '_id') return [name, expressionShape(expression, literal)];
    const isCount = Object.keys(bodyOf(expression))[0] === '$count';
    return [fieldPath(name), isCount ? { $sum: '?number' } : expressionShape(expression, literal)];
  });
  return Object.fromEntries(fields);
}

function countShapes(field: string): ObjectShape[] {
  return [{ $group: { _id: '?null', [field]: { $sum: '?number' } } }, { $project: { [field]: true, _id: false } }];
}

function sortByCountShapes(expression: Shape): ObjectShape[] {
  return [{ $group: { _id: expression, count: { $sum: '?number' } } }, { $sort: { count: -1 } }];
}

function replaceShape(newRoot: unknown, literal: LiteralReader): ObjectShape {
  return { $replaceRoot: { newRoot: expressionShape(newRoot, literal) } };
}

function lookupShape(body: Body, reading: Reading): ObjectShape {
  const variables = Object.entries(bodyOf(body['let'])).map(
    ([name, expression]) => [fieldPath(name), expressionShape(expression, reading.literal)] as const,
  );
  return {
    // As in query stats of 6.0.27 if documents are given instead of a collection.
    from: namespaceShape(body['from'] ?? GIVEN_DOCUMENTS, reading.database),
    ...pathArgument(body, 'localField'),
    ...pathArgument(body, 'foreignField'),
    ...(variables.length > 0 && { let: Object.fromEntries(variables) }),
    ...(body['pipeline'] !== undefined && { pipeline: nested(body['pipeline'], reading) }),
    ...pathArgument(body, 'as'),
  };
}

function graphLookupShape(body: Body, reading: Reading): ObjectShape {
  const { restrictSearchWithMatch: restriction } = body;
  return {
    from: namespaceShape(body['from'], reading.database),
    startWith: expressionShape(body['startWith'], reading.literal),
    ...pathArgument(body, 'connectFromField'),
    ...pathArgument(body, 'connectToField'),
    ...(restriction !== undefined && { restrictSearchWithMatch: filterShape(restriction, reading.literal) }),
    ...pathArgument(body, 'depthField'),
    ...pathArgument(body, 'as'),
  };
}

function facetShape(body: Body, reading: Reading): ObjectShape {
  return Object.fromEntries(
    Object.entries(body).map(([name, pipeline]) => [fieldPath(name), nested(pipeline, reading)]),
  );
}

function unionShape(body: unknown, reading: Reading): ObjectShape {
  const { coll, db, pipeline } = typeof body === 'string' ? ({ coll: body } as Body) : bodyOf(body);
  const from = typeof coll === 'string' ? { coll, ...(typeof db === 'string' && { db }) } : undefined;
  return {
    ...(from !== undefined && { coll: namespaceShape(from, reading.database) }),
    pipeline: nested(pipeline, reading),
  };
}

/** The shape of a stage that computes fields of documents from those beside them. */
function windowShape(body: Body, literal: LiteralReader, shapeOf: (computed: unknown) => Shape): ObjectShape {
  return {
    ...(body['partitionBy'] !== undefined && { partitionBy: expressionShape(body['partitionBy'], literal) }),
    sortBy: sortShape(body['sortBy']),
    output: Object.fromEntries(
      Object.entries(bodyOf(body['output'])).map(([path, computed]) => [fieldPath(path), shapeOf(computed)]),
    ),
  };
}

/** By its name alone, which begins with a dollar sign and is no data. */
function windowFunction(computed: unknown): Shape {
  const name = Object.keys(bodyOf(computed)).find((key) => WINDOW_FUNCTION.test(key));
  return name === undefined ? '?object' : { [name]: '?object' };
}

function densifyShape(body: Body): ObjectShape {
  const { field, partitionByFields: partition } = body;
  return {
    field: fieldPath(scalarText(field)),
    ...(Array.isArray(partition) && { partitionByFields: partition.map((path) => fieldPath(scalarText(path))) }),
  };
}

function geoNearShape(body: Body, literal: LiteralReader): ObjectShape {
  return {
    ...pathArgument(body, 'distanceField'),
    ...pathArgument(body, 'key'),
    query: filterShape(body['query'] ?? {}, literal),
  };
}

/** The name of a collection may contain dots, that of a database does not. */
function namespaceShape(target: unknown, database: string): string {
  if (typeof target === 'string') return `${database}.${target}`;
  const { db, coll } = bodyOf(target);
  return typeof coll === 'string' ? `${typeof db === 'string' ? db : database}.${coll}` : '?namespace';
}

function nested(pipeline: unknown, { database, literal }: Reading): PipelineShape {
  return pipelineShape(pipeline, database, literal);
}

function pathArgument(body: Body, name: string): ObjectShape {
  const path = body[name];
  return typeof path === 'string' ? { [name]: fieldPath(path) } : {};
}
