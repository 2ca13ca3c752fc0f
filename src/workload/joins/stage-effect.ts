import { isObjectShape, type ObjectShape, type Shape } from '../shapes/shape.js';
import { below, fieldOf, joined, operatorOf, overlap, stageOf } from './references.js';

/** What a field, named by its path after a stage, was before the stage. */
export type StageEffect =
  | {
      readonly kind: 'field';
      readonly path: string;
      /**
       * What keeps the server from moving a comparison of this field ahead of the stage; null if it can. Measured on
       * 6.0.5 and 6.0.27.
       */
      readonly barrier: 'stage' | 'nested-rename' | null;
    }
  | { readonly kind: 'expression'; readonly expression: Shape }
  /** A path in the documents that the stage joins; empty for the whole document. */
  | { readonly kind: 'joined'; readonly path: string }
  | { readonly kind: 'removed' }
  | { readonly kind: 'opaque' };

const TRANSPARENT = new Set(['$match', '$sort', '$_internalUnpackBucket', '$out', '$merge']);

/** Stages that leave documents as they are, but select them: a comparison ahead of them would select others. */
const DECIDING = new Set(['$limit', '$skip', '$sample', '$geoNear', '$densify']);

const REMOVED: StageEffect = { kind: 'removed' };
const OPAQUE: StageEffect = { kind: 'opaque' };

/** Follows a path back over one stage. `inExpression`: the comparison is made in `$expr`, which `$redact` blocks. */
export function stageEffect(stage: ObjectShape, path: string, inExpression: boolean): StageEffect {
  const { name, body } = stageOf(stage);
  const unchanged = (barrier: 'stage' | null = null): StageEffect => ({ kind: 'field', path, barrier });
  if (TRANSPARENT.has(name)) return unchanged();
  if (DECIDING.has(name)) return unchanged('stage');
  switch (name) {
    case '$redact':
      return unchanged(inExpression ? 'stage' : null);
    case '$unset':
      return Array.isArray(body) && body.some((other) => below(path, String(other)) !== null) ? REMOVED : unchanged();
    case '$unwind':
      return unwindEffect(body, path);
    case '$addFields':
      return assignment(body, path) ?? unchanged();
    case '$project':
      return projectEffect(body, path);
    case '$fill':
      return writes(body, path) ? unchanged('stage') : unchanged();
    case '$setWindowFields':
      return writes(body, path) ? OPAQUE : unchanged('stage');
    case '$lookup':
    case '$graphLookup':
      return joinEffect(body, path);
    // A comparison is moved into the other side of the union too, which is not followed.
    case '$unionWith':
      return unchanged();
    case '$group':
      return groupEffect(body, path);
    case '$replaceRoot':
      return replaceRootEffect(body, path);
    case '$bucket':
    case '$bucketAuto':
      return path === '_id' && isObjectShape(body)
        ? { kind: 'expression', expression: body['groupBy'] ?? '?object' }
        : OPAQUE;
    default:
      return OPAQUE;
  }
}

function unwindEffect(body: Shape, path: string): StageEffect {
  const { path: unwound = '', includeArrayIndex: index } = isObjectShape(body) ? body : {};
  if (typeof index === 'string' && below(path, index) !== null) return OPAQUE;
  return { kind: 'field', path, barrier: overlap(String(unwound).slice(1), path) ? 'stage' : null };
}

function projectEffect(body: Shape, path: string): StageEffect {
  const assigned = assignment(body, path);
  if (assigned !== null) return assigned;
  const entries = Object.entries(isObjectShape(body) ? body : {});
  const excludes = entries.some(([name, value]) => value === false && below(path, name) !== null);
  const includes = entries.some(([name, value]) => value !== false && name !== '_id');
  const isKept = below(path, '_id') !== null || entries.some(([name, value]) => value === true && overlap(name, path));
  return excludes || (includes && !isKept) ? REMOVED : { kind: 'field', path, barrier: null };
}

/** Null if the assignment leaves the path alone. */
function assignment(body: Shape, path: string): StageEffect | null {
  if (!isObjectShape(body)) return null;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'boolean') continue;
    const rest = below(path, name);
    if (rest !== null) return assignedField(value, rest);
    if (below(name, path) !== null) return OPAQUE;
  }
  return null;
}

function assignedField(value: Shape, rest: string): StageEffect {
  const source = fieldOf(value);
  if (source !== null) {
    // The server follows `{a: '$b'}` but not `{a: '$b.c'}`: arrays on the way would make it another field.
    return { kind: 'field', path: joined(source, rest), barrier: source.includes('.') ? 'nested-rename' : null };
  }
  if (rest === '') return { kind: 'expression', expression: value };
  const inner = isObjectShape(value) && operatorOf(value) === null ? assignment(value, rest) : null;
  return inner ?? OPAQUE;
}

function joinEffect(body: Shape, path: string): StageEffect {
  const { as: field, depthField } = isObjectShape(body) ? body : {};
  const rest = typeof field === 'string' ? below(path, field) : null;
  if (rest === null) return { kind: 'field', path, barrier: null };
  return rest === depthField ? OPAQUE : { kind: 'joined', path: rest };
}

const PICKING_ACCUMULATORS = new Set(['$first', '$last', '$min', '$max', '$push', '$addToSet']);

function groupEffect(body: Shape, path: string): StageEffect {
  if (!isObjectShape(body)) return OPAQUE;
  const key = below(path, '_id');
  if (key !== null) return assignedField(body['_id'] ?? '?null', key);
  for (const [name, accumulator] of Object.entries(body)) {
    const rest = below(path, name);
    const picked = rest === null ? null : operatorOf(accumulator);
    if (picked === null || rest === null || !PICKING_ACCUMULATORS.has(picked.operator)) continue;
    const assigned = assignedField(picked.operand, rest);
    return assigned.kind === 'field' ? { ...assigned, barrier: 'stage' } : assigned;
  }
  return OPAQUE;
}

function replaceRootEffect(body: Shape, path: string): StageEffect {
  const newRoot = (isObjectShape(body) ? body['newRoot'] : undefined) ?? '?object';
  const source = fieldOf(newRoot);
  if (source !== null) return { kind: 'field', path: joined(source, path), barrier: source === '' ? null : 'stage' };
  if (!isObjectShape(newRoot) || operatorOf(newRoot) !== null) return OPAQUE;
  const assigned = assignment(newRoot, path) ?? REMOVED;
  return assigned.kind === 'field' ? { ...assigned, barrier: 'stage' } : assigned;
}

/** Whether the `output` of a stage holds a path, or a part of it. */
function writes(body: Shape, path: string): boolean {
  const output = isObjectShape(body) ? body['output'] : undefined;
  return isObjectShape(output) && Object.keys(output).some((other) => overlap(other, path));
}
