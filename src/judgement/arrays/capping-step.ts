import type { RemedyStep } from '../../finding.js';
import { elementsText, type PartReads } from '../documents/part-reads.js';
import { isQueryable } from '../../profile/path-steps.js';
import type { Distribution } from '../../profile/document-profile.js';
import type { Collection } from '../../inventory/collection.js';
import type { ArrayElements } from './array-elements.js';

/** If no slice shows it, the newest elements are the last. */
const END = -1;

/** Elements that a document keeps: what one page shows. */
const LEAST_KEPT = 10;

export const MOST_KEPT = 100;

/** The step with the update that appends one element and cuts the array. */
export function cappingStep(array: ArrayToBound, action: string, child?: string): RemedyStep {
  const { path, elements } = array;
  // The first elements are kept as they are: only the application knows whether they are the oldest or the newest.
  const isFromBeginning = (array.reads?.elements ?? END) > 0;
  const timeField = isFromBeginning ? null : elements.timeField;
  const sort = timeField === null ? '' : `$sort: { ${fieldKey(timeField)}: 1 }, `;
  const slice = `${isFromBeginning ? '' : '-'}${kept(array)}`;
  const filters = path.includes('[]') ? ' Name the enclosing element in arrayFilters.' : '';
  const first = timeField === null ? '' : `, those without \`${timeField}\` first`;
  const save = child === undefined ? 'save what you still need before' : `copy them to ${child} before`;
  return {
    text: `${action}${filters} The first such write to a longer array drops its other elements for good${first}: ${save}.`,
    ...(isReachable(array) && {
      code: `{ $push: { ${fieldKey(positional(path))}: { $each: [element], ${sort}$slice: ${slice} } } }`,
    }),
  };
}

/** The elements that stay: "newest 20", or "last 10" if reads return those. */
export function whichElements(array: ArrayToBound): string {
  const { reads, elements } = array;
  if (reads !== null && reads.elements !== null) return elementsText(reads.elements);
  return `${elements.kind === 'documents' && elements.timeField === null ? 'last' : 'newest'} ${kept(array)}`;
}

export function roundedUp(elements: number): number {
  return Math.ceil(elements / 10) * 10;
}

/** A field's name, or a path, as a key in an object of JavaScript. */
export function fieldKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function kept({ lengths, reads }: ArrayToBound): number {
  if (reads !== null && reads.elements !== null) return Math.abs(reads.elements);
  return Math.min(MOST_KEPT, Math.max(LEAST_KEPT, roundedUp(lengths.median)));
}

/** `threads[].posts` → `threads.$[outer].posts`, as an update names it. */
function positional(path: string): string {
  let level = 0;
  return path.replaceAll('[]', () => {
    level += 1;
    return `.$[outer${level === 1 ? '' : level}]`;
  });
}

export interface ArrayToBound {
  readonly collection: Pick<Collection, 'name' | 'database' | 'namespace'>;
  /** Path of the array, without `[]` at its end. */
  readonly path: string;
  /** True for the inner arrays of an array of arrays: `path` then leads to the outer one. */
  readonly isInArray: boolean;
  readonly elements: ArrayElements;
  /** Elements per array; or per document, if only all arrays of a document together are long. */
  readonly lengths: Distribution;
  readonly countedPer: 'array' | 'document';
  readonly tooLong: number;
  /** The part of it that reads return; null if they return the whole, or it is not known. */
  readonly reads: PartReads | null;
}

/** Whether a query or an update can name the array: a wrong name would find nothing, or write to another array. */
export function isReachable({ path, isInArray }: ArrayToBound): boolean {
  return !isInArray && isQueryable(path);
}
