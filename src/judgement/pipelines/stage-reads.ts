import { fieldOf, overlap, referencesOf, stageOf } from '../../workload/joins/references.js';
import { stageEffect } from '../../workload/joins/stage-effect.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';

/** The paths that a stage needs of the documents that reach it; null if it may need any. */
export function pathsRead(stage: ObjectShape): readonly string[] | null {
  const { name, body } = stageOf(stage);
  switch (name) {
    case '$match':
      return pathsOfFilter(body);
    case '$sort':
      return isObjectShape(body) && !Object.values(body).includes('?meta') ? Object.keys(body) : null;
    case '$limit':
    case '$skip':
    case '$unset':
      return [];
    case '$unwind':
      return isObjectShape(body) ? pathsOf(body['path'] ?? '$') : null;
    case '$project':
      return pathsOfProjection(body);
    case '$addFields':
    case '$group':
    case '$replaceRoot':
      return pathsOf(body);
    case '$lookup':
      return isObjectShape(body) ? pathsOfJoin(body) : null;
    case '$graphLookup':
      return isObjectShape(body) ? pathsOf(body['startWith'] ?? '$') : null;
    default:
      return null;
  }
}

/** Whether a stage may read a field, or one within it or around it. */
export function mayRead(stage: ObjectShape, path: string): boolean {
  const read = pathsRead(stage);
  return read === null || read.some((each) => overlap(each, path));
}

/** The path that a field, as it is named after some stages, has before them; null if it is not the same field. */
export function pathBefore(stages: readonly ObjectShape[], path: string): string | null {
  let current = path;
  for (const stage of stages.toReversed()) {
    const effect = stageEffect(stage, current, false);
    if (effect.kind !== 'field' || effect.barrier !== null || effect.path === '') return null;
    current = effect.path;
  }
  return current;
}

/** Null if an expression reads the whole document. */
function pathsOf(expression: Shape): readonly string[] | null {
  const fields = [...referencesOf(expression).fields];
  return fields.includes('') ? null : fields;
}

function pathsOfFilter(filter: Shape): readonly string[] | null {
  if (Array.isArray(filter)) return together((filter as readonly Shape[]).map(pathsOfFilter));
  if (!isObjectShape(filter)) return null;
  return together(
    Object.entries(filter).map(([subject, operand]) => {
      if (subject === '$expr') return pathsOf(operand);
      if (subject === '$or' || subject === '$and' || subject === '$nor') return pathsOfFilter(operand);
      return subject.startsWith('$') ? null : [subject];
    }),
  );
}

function pathsOfProjection(body: Shape): readonly string[] | null {
  if (!isObjectShape(body)) return null;
  return together(
    Object.entries(body).map(([path, value]) => (value === true ? [path] : value === false ? [] : pathsOf(value))),
  );
}

function pathsOfJoin({ localField, let: variables }: ObjectShape): readonly string[] | null {
  const own = typeof localField === 'string' ? [localField] : [];
  return together([own, variables === undefined ? [] : pathsOf(variables)]);
}

function together(parts: readonly (readonly string[] | null)[]): readonly string[] | null {
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

/** The field that a `$unwind` takes apart. */
export function unwoundField(stage: ObjectShape): string | null {
  const { name, body } = stageOf(stage);
  return name === '$unwind' && isObjectShape(body) ? fieldOf(body['path'] ?? '') : null;
}
