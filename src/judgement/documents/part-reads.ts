import { formatCount, formatShare } from '../../format.js';
import { queryPath } from '../../profile/path-steps.js';
import { SOURCE_NAMES, windowText } from '../../workload/coverage/recording.js';
import { below, fieldOf, operatorOf, overlap, referencesOf, stageOf } from '../../workload/joins/references.js';
import type { CollectionReads, DocumentRead } from '../../workload/reads/collection-reads.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import type { Slice } from '../../workload/shapes/slices.js';

const TRANSPARENT = new Set(['$limit', '$skip', '$sample', '$geoNear']);

/** The part of a field that reads return, if most return no more than a part. In executions. */
export interface PartReads {
  readonly reads: number;
  readonly without: number;
  /** Slices from the end, or from the beginning, whichever are more frequent. */
  readonly ofSlice: number;
  /** The longest of these slices: the first so many elements, or the last so many if negative; null without any. */
  readonly elements: number | null;
  readonly seenBy: string;
}

/** Fewer reads show no habit: judgement. */
export const FEWEST_READS = 20;

/** From this share on, reads of the whole field are the exception: judgement. */
const MOST_OF_THE_READS = 0.5;

const BEGINNING = 1;

const END = -1;

/** @param tooMany elements from which a slice is no smaller than the whole */
export function partReads(path: string, seen: CollectionReads | undefined, tooMany: number): PartReads | null {
  if (seen === undefined || seen.executions < FEWEST_READS) return null;
  const { source, coverage, executions, reads } = seen;
  const uses = reads.map((read) => ({ use: fieldUse(queryPath(path), read), executions: read.executions }));
  const executionsOf = (isWanted: (use: FieldUse) => boolean) =>
    uses.reduce((sum, each) => (isWanted(each.use) ? sum + each.executions : sum), 0);
  const isFrom = (end: number) => (use: FieldUse) =>
    typeof use === 'number' && Math.sign(use) === end && Math.abs(use) < tooMany;
  const end = executionsOf(isFrom(BEGINNING)) > executionsOf(isFrom(END)) ? BEGINNING : END;
  const [without, ofSlice] = [executionsOf((use) => use === 'none'), executionsOf(isFrom(end))];
  if (without + ofSlice < MOST_OF_THE_READS * executions) return null;
  const slices = uses.filter(({ use }) => isFrom(end)(use)).map(({ use }) => Math.abs(use as number));
  return {
    reads: executions,
    without,
    ofSlice,
    elements: slices.length === 0 ? null : end * Math.max(...slices),
    seenBy: `${SOURCE_NAMES[source]}: ${windowText(executions, coverage)}`,
  };
}

function partReadsText(path: string, { reads, without, ofSlice, elements }: PartReads): string {
  const name = `\`${path}\``;
  const part = (count: number) => `${formatCount(count)} (${formatShare(count / reads)})`;
  const slices =
    elements === null ? [] : [`${part(ofSlice)} return at most the ${elementsText(elements)} elements of ${name}`];
  const excluding = without === 0 ? [] : [`${part(without)} exclude ${elements === null ? name : 'it'}`];
  return `Of ${formatCount(reads)} reads, ${[...slices, ...excluding].join(', ')}`;
}

export function elementsText(elements: number): string {
  return `${elements < 0 ? 'last' : 'first'} ${formatCount(Math.abs(elements))}`;
}

export function partReadsAdvice(path: string, part: PartReads): string {
  const advice =
    part.elements === null
      ? 'Move it out of the document, and read it only when it is needed.'
      : `Keep the ${elementsText(part.elements)} in the document and all others outside (subset pattern).`;
  return `${partReadsText(path, part)} (${part.seenBy}). ${advice}`;
}

export function partReadsFigures({ reads, without, ofSlice, elements, seenBy }: PartReads) {
  return { seenBy, all: reads, without, ofSlice, sliceElements: elements };
}

/** What a read needs of a field: all of it, nothing, or so many elements from the beginning or (negative) from the end. */
export type FieldUse = 'whole' | 'none' | number;

/** If it is unknown what a read needs, it is the whole field. */
export function fieldUse(path: string, { stages, slices }: DocumentRead): FieldUse {
  let wanted: FieldUse = 'none';
  for (const stage of stages) {
    const { name, body } = stageOf(stage);
    const effect = effectOf(name, body, path);
    if (effect === 'slice' || effect === 'slice-and-drop') wanted = slicedUse(slices[path]);
    if (effect === 'whole' || wanted === 'whole') return 'whole';
    if (effect === 'drop' || effect === 'slice-and-drop') return wanted;
  }
  return 'whole';
}

/** What a stage does with a field: keeps it, drops it, takes a slice (and keeps the rest or not), or needs all of it. */
type Effect = 'keep' | 'drop' | 'slice' | 'slice-and-drop' | 'whole';

function effectOf(name: string, body: Shape, path: string): Effect {
  if (TRANSPARENT.has(name)) return 'keep';
  switch (name) {
    case '$match':
      return isInFilter(body, path) ? 'whole' : 'keep';
    case '$sort':
      return isObjectShape(body) && Object.keys(body).some((each) => overlap(each, path)) ? 'whole' : 'keep';
    case '$project':
      return isObjectShape(body) ? projectEffect(body, path) : 'whole';
    case '$unset':
      return Array.isArray(body) && (body as readonly string[]).some((each) => below(path, each) !== null)
        ? 'drop'
        : 'keep';
    case '$addFields':
      return isObjectShape(body) ? assignmentEffect(Object.entries(body), path) : 'whole';
    case '$group':
    case '$replaceRoot':
      return refersTo(body, path) ? 'whole' : 'drop';
    case '$lookup':
      return isInLookup(body, path) ? 'whole' : 'keep';
    case '$unwind':
      return isObjectShape(body) && overlap(String(body['path']).slice(1), path) ? 'whole' : 'keep';
    default:
      return 'whole';
  }
}

function projectEffect(body: ObjectShape, path: string): Effect {
  const entries = Object.entries(body);
  const assigned = entries.filter(([, value]) => typeof value !== 'boolean');
  const effect = assignmentEffect(assigned, path);
  if (effect === 'whole' || effect === 'drop' || effect === 'slice-and-drop') return effect;
  if (entries.some(([name, value]) => value === false && below(path, name) !== null)) return 'drop';
  // The fields that stay of an object are all fields of the projection except those that a find's own `$slice` cuts.
  const includes = entries.some(([name, value]) => value !== false && name !== '_id' && !isOwnSlice(value));
  if (!includes) return effect;
  if (entries.some(([name, value]) => value === true && overlap(name, path))) return 'whole';
  return effect === 'slice' ? 'slice-and-drop' : 'drop';
}

function assignmentEffect(entries: readonly (readonly [string, Shape])[], path: string): Effect {
  let effect: Effect = 'keep';
  let isReplaced = false;
  for (const [name, value] of entries) {
    const isOwn = isOwnSlice(value);
    if (isOwn ? name === path : isSliceOf(value, path)) effect = 'slice';
    else if (isOwn || operatorOf(value)?.operator === '$elemMatch' ? overlap(name, path) : refersTo(value, path))
      return 'whole';
    if (below(path, name) !== null) isReplaced = true;
  }
  if (!isReplaced) return effect;
  return effect === 'slice' ? 'slice-and-drop' : 'drop';
}

/** A find's own `$slice`: of numbers alone. */
function isOwnSlice(value: Shape): boolean {
  const operation = operatorOf(value);
  return operation?.operator === '$slice' && !referencesOf(operation.operand).fields.size;
}

function isSliceOf(value: Shape, path: string): boolean {
  const operation = operatorOf(value);
  if (operation?.operator !== '$slice' || !Array.isArray(operation.operand)) return false;
  const [source, ...numbers] = operation.operand as readonly Shape[];
  return source !== undefined && fieldOf(source) === path && numbers.every((each) => !refersTo(each, path));
}

function isInFilter(filter: Shape, path: string): boolean {
  if (!isObjectShape(filter)) return Array.isArray(filter) && filter.some((each) => isInFilter(each as Shape, path));
  return Object.entries(filter).some(([name, condition]) => {
    if (name === '$expr') return refersTo(condition, path);
    return name.startsWith('$') ? isInFilter(condition, path) : overlap(name, path);
  });
}

function isInLookup(body: Shape, path: string): boolean {
  if (!isObjectShape(body)) return true;
  const { localField, let: variables } = body;
  return (
    (typeof localField === 'string' && overlap(localField, path)) ||
    (variables !== undefined && refersTo(variables, path))
  );
}

function refersTo(expression: Shape, path: string): boolean {
  return [...referencesOf(expression).fields].some((field) => field === '' || overlap(field, path));
}

/** Both ends of an array are two parts of it; a slice of unknown length says nothing. */
function slicedUse(slice: Slice | undefined): FieldUse {
  if (slice === undefined || (slice.first > 0 && slice.last > 0)) return 'whole';
  return slice.first > 0 ? slice.first : -slice.last;
}
