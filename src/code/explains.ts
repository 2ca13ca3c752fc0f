import { databaseOf, nameOf } from '../namespace.js';
import { isObjectShape, type ObjectShape, type Shape } from '../workload/shapes/shape.js';
import type { OperationShape } from '../workload/workload.js';
import { ANY } from './code-filter.js';
import { contradicts, mayBeMongoose } from './filter-contradiction.js';
import { JOINING, type CodeShape, type CodeStage, type CodeUpdate, type Place } from './place.js';
import { isSamePath } from './same-path.js';
import { lineText } from './source-line.js';

/** What mongoose adds on its own (timestamps, defaults), and leaves out if it is undefined. */
const SETTING = new Set(['$set', '$setOnInsert', '$unset']);

/** The places that may have sent an operation. A wrapper's own counts if none of its callers explains it. */
export function placesOf(shape: OperationShape, places: readonly Place[]): readonly Place[] {
  const all = places.filter((place) => explains(place, shape));
  const through = new Set(all.flatMap((place) => (place.through === undefined ? [] : [lineText(place.through)])));
  return all.filter((place) => place.unlisted !== 'wrapper' || !through.has(lineText(place)));
}

/**
 * Whether nothing in a place contradicts that it sent an operation of this shape: neither collection and kind, nor paths,
 * operators, stages and sort, as far as they are known.
 */
export function explains(place: Place, shape: OperationShape): boolean {
  const { collection, oneOf, database, kinds, shapes, method } = place;
  if (collection !== null && collection !== nameOf(shape.namespace)) return false;
  if (oneOf?.includes(nameOf(shape.namespace)) === false) return false;
  if (database !== null && database !== databaseOf(shape.namespace)) return false;
  if (!kinds.includes(shape.kind)) return false;
  if (shape.truncated === true) return true;
  if (isOfOtherNumber(method, shape)) return false;
  return shapes === null || shapes.some((way) => isPossible(way, shape, place));
}

/** `updateOne` never asks for many. */
function isOfOtherNumber(method: string, { kind, multi }: OperationShape): boolean {
  if (kind !== 'update' && kind !== 'delete') return false;
  return (
    ((method.endsWith('One') || method === 'save') && multi === true) || (method.endsWith('Many') && multi !== true)
  );
}

function isPossible(way: CodeShape, shape: OperationShape, place: Place): boolean {
  if (shape.kind === 'aggregate')
    return way.stages === undefined ? isCount(way, shape, place) : isPipeline(way, shape.pipeline ?? [], place);
  return (
    (way.filter === undefined || !contradicts(way.filter, shape.filter, place.library)) &&
    (way.sort === undefined || isSameOrder(way.sort ?? {}, shape.sort ?? {})) &&
    (way.limited === undefined || shape.kind !== 'find' || way.limited === (shape.limited === true)) &&
    (way.update === undefined || isUpdate(way.update, shape.update ?? (shape.kind === 'find' ? {} : undefined), place))
  );
}

function isSameOrder(one: ObjectShape, other: ObjectShape): boolean {
  return JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
}

/** `countDocuments` sends an aggregate of its own. */
function isCount({ filter }: CodeShape, { pipeline: sent }: OperationShape, { method, library }: Place): boolean {
  if (method !== 'countDocuments') return true;
  const pipeline: readonly ObjectShape[] = sent ?? [];
  const last = pipeline.at(-1)?.['$group'];
  if (!isObjectShape(last) || Object.keys(last).join() !== '_id,n') return false;
  const [first] = pipeline;
  const others = pipeline.slice(0, -1).filter((stage) => !('$match' in stage || '$skip' in stage || '$limit' in stage));
  const match = first?.['$match'];
  return (
    others.length === 0 && (filter === undefined || !contradicts(filter, isObjectShape(match) ? match : {}, library))
  );
}

function isPipeline({ stages = [], more }: CodeShape, recorded: readonly ObjectShape[], place: Place): boolean {
  if (more !== true)
    return (
      stages.length === recorded.length &&
      stages.every((stage, index) => isStage(stage, recorded[index] as ObjectShape, place))
    );
  let from = 0;
  return stages.every((stage) => {
    const found = recorded.findIndex((other, index) => index >= from && isStage(stage, other, place));
    from = found + 1;
    return found !== -1;
  });
}

function isStage({ name, filter, join }: CodeStage, recorded: ObjectShape, { library }: Place): boolean {
  if (name === ANY) return true;
  const [[other, body] = ['', '']] = Object.entries(recorded);
  // A projection of what is not known may only exclude.
  const isAlike = other === name || (name === '$project' && other === '$unset');
  if (!isAlike) return false;
  if (filter !== undefined) return !contradicts(filter, isObjectShape(body) ? body : {}, library);
  if (join === undefined || !isObjectShape(body)) return true;
  const [local, foreign] = JOINING.get(name) ?? ['', ''];
  const { from } = body;
  return (
    (join.from === null || (typeof from === 'string' && nameOf(from) === join.from)) &&
    (join.localField === null || join.localField === body[local]) &&
    (join.foreignField === null || join.foreignField === body[foreign])
  );
}

function isUpdate(update: CodeUpdate | 'replacement', recorded: Shape | undefined, { library }: Place): boolean {
  if (update === 'replacement') return recorded === '?object';
  if (!isObjectShape(recorded)) return false;
  const isLax = (operator: string) => mayBeMongoose(library) && SETTING.has(operator);
  const { shape, closed, sometimes } = update;
  // mongoose leaves out what is undefined.
  const isThere =
    mayBeMongoose(library) ||
    Object.entries(shape).every(([operator, paths]) => {
      if (sometimes.has(operator)) return true;
      const there = recorded[operator];
      if (!isObjectShape(there)) return false;
      return (
        !isObjectShape(paths) ||
        Object.keys(paths).every(
          (path) => sometimes.has(`${operator} ${path}`) || Object.keys(there).some((other) => isSamePath(path, other)),
        )
      );
    });
  return (
    isThere &&
    Object.entries(recorded).every(([operator, paths]) => {
      const known = shape[operator];
      if (isLax(operator)) return true;
      if (known === undefined) return !closed;
      if (!isObjectShape(known) || !isObjectShape(paths)) return true;
      return Object.keys(paths).every((path) => Object.keys(known).some((other) => isSamePath(other, path)));
    })
  );
}
