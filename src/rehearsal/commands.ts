import type { Document } from 'mongodb';
import { databaseOf, nameOf } from '../namespace.js';
import { stageOf } from '../workload/joins/references.js';
import { isObjectShape, type ObjectShape, type Shape } from '../workload/shapes/shape.js';
import { WRITE_KINDS, type OperationShape } from '../workload/workload.js';
import { NotRunnable, type Constants } from './constants.js';

/** What an execution returned when it was recorded, on average: the limit of one that is limited. */
export interface Recorded {
  readonly returned: number;
  /** Documents that it skipped. */
  readonly skipped: number;
}

const FILTERING = new Set(['$match']);
const EXPRESSIONS = new Set(['$project', '$addFields', '$group', '$replaceRoot', '$redact']);
const COUNTS = new Set(['$limit', '$skip', '$sample']);
const AS_THEY_ARE = new Set(['$unset', '$unwind']);
const WRITING = new Set(['$out', '$merge']);

/** What is run of an operation's shape, as half a sentence; null if all of it is. */
export function partThatRuns({ kind, pipeline }: OperationShape): string | null {
  if (WRITE_KINDS.has(kind)) return 'its query, as a find';
  const writes = pipeline?.some((stage) => WRITING.has(stageOf(stage).name)) === true;
  return writes ? 'all but its last stage, which writes' : null;
}

/** Namespaces that a shape reads beside its own, by joins and unions at any depth. */
export function joinedBy(pipeline: readonly ObjectShape[]): string[] {
  return pipeline.flatMap((stage) => {
    const { name, body } = stageOf(stage);
    if (!isObjectShape(body)) return [];
    if (name === '$facet') return Object.values(body).flatMap((each) => joinedBy(each as readonly ObjectShape[]));
    const from = body['from'] ?? body['coll'];
    const nested = Array.isArray(body['pipeline']) ? joinedBy(body['pipeline'] as readonly ObjectShape[]) : [];
    return [...(typeof from === 'string' ? [from] : []), ...nested];
  });
}

/**
 * A command that does what the shape says, with constants: of a write, its query as a find.
 *
 * @throws NotRunnable if the shape does not say enough
 */
export function commandOf(shape: OperationShape, constants: Constants, recorded: Recorded): Document {
  const { kind, namespace, filter = {}, sort, projection, collation, pipeline, distinctField } = shape;
  if (shape.truncated === true) throw new NotRunnable('the recorded command was cut off');
  const name = nameOf(namespace);
  const common = collation === undefined ? {} : { collation };
  const writer = new PipelineWriter(constants, databaseOf(namespace), recorded);
  if (kind === 'insert') throw new NotRunnable('an insert reads nothing');
  if (kind === 'aggregate')
    return { aggregate: name, pipeline: writer.pipeline(withoutOutput(pipeline ?? [])), cursor: {}, ...common };
  const query = constants.filter(filter);
  if (kind === 'distinct') return { distinct: name, key: distinctField, query, ...common };
  const isOne = WRITE_KINDS.has(kind) && shape.multi !== true;
  const limit = isOne ? 1 : shape.limited === true ? limitOf(recorded) : null;
  const limited = limit === null ? {} : { limit };
  if (kind === 'count') return { count: name, query, ...limited, ...common };
  return {
    find: name,
    filter: query,
    ...(sort !== undefined && { sort: sortOf(sort) }),
    ...(projection !== undefined && kind === 'find' && { projection: constants.expression(projection) }),
    ...limited,
    ...(recorded.skipped > 0 && { skip: Math.round(recorded.skipped) }),
    ...common,
  };
}

function withoutOutput(pipeline: readonly ObjectShape[]): readonly ObjectShape[] {
  return pipeline.filter((stage) => !WRITING.has(stageOf(stage).name));
}

class PipelineWriter {
  constructor(
    private readonly constants: Constants,
    private readonly database: string,
    private readonly recorded: Recorded,
  ) {}

  pipeline(shapes: readonly ObjectShape[]): Document[] {
    return shapes.map((stage) => {
      const { name, body } = stageOf(stage);
      return { [name]: this.#body(name, body) };
    });
  }

  #body(name: string, body: Shape): unknown {
    if (AS_THEY_ARE.has(name)) return body;
    if (FILTERING.has(name)) return this.constants.filter(body as ObjectShape);
    if (EXPRESSIONS.has(name)) return this.constants.expression(body);
    if (name === '$sort') return sortOf(body);
    if (COUNTS.has(name)) return this.#count(name);
    if (!isObjectShape(body)) throw new NotRunnable(`what ${name} asks for is not recorded`);
    if (name === '$facet')
      return Object.fromEntries(
        Object.entries(body).map(([facet, pipeline]) => [facet, this.pipeline(pipeline as readonly ObjectShape[])]),
      );
    if (['$lookup', '$graphLookup', '$unionWith'].includes(name)) return this.#joined(body);
    throw new NotRunnable(`what ${name} asks for is not recorded`);
  }

  #count(name: string): unknown {
    const limit = limitOf(this.recorded);
    if (name === '$skip') return Math.round(this.recorded.skipped);
    return name === '$sample' ? { size: limit } : limit;
  }

  #joined(body: ObjectShape): Document {
    return Object.fromEntries(
      Object.entries(body).map(([name, part]) => {
        if (name === 'from' || name === 'coll') return [name, this.#collection(part)];
        if (name === 'pipeline') return [name, this.pipeline(part as readonly ObjectShape[])];
        if (name === 'let' || name === 'startWith') return [name, this.constants.expression(part)];
        return [name, name === 'restrictSearchWithMatch' ? this.constants.filter(part as ObjectShape) : part];
      }),
    );
  }

  #collection(namespace: Shape): string {
    if (typeof namespace !== 'string' || databaseOf(namespace) !== this.database)
      throw new NotRunnable('it reads another database');
    return nameOf(namespace);
  }
}

function limitOf({ returned }: Recorded): number {
  return Math.max(1, Math.ceil(returned));
}

function sortOf(sort: Shape): Document {
  if (!isObjectShape(sort) || Object.values(sort).includes('?meta'))
    throw new NotRunnable('it sorts by a score, which is not recorded');
  return { ...sort };
}
