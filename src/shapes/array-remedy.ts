import type { Distribution } from '../evidence/documents/document-profile.js';
import type { Remedy } from '../findings/finding.js';
import { formatCount } from '../format.js';
import type { Collection } from '../inventory/collection.js';
import type { ArrayElements } from './array-elements.js';

/** An array that has to be bounded, with what decides how. */
export interface ArrayToBound {
  readonly collection: Pick<Collection, 'name'>;
  /** Path of the array, without `[]` at its end. */
  readonly path: string;
  readonly elements: ArrayElements;
  /** Elements per array, or per document where only all arrays of a document together are long. */
  readonly lengths: Distribution;
  readonly countedPer: 'array' | 'document';
  /** Elements from which an array of this kind is too long. */
  readonly tooLong: number;
}

/** Newest elements that a document keeps: what a page shows at once, and never more than a hundred. Elements. */
const KEPT = { least: 10, most: 100, step: 10 } as const;

/**
 * The remedy that fits what the array holds: time-series collection or buckets for measurements, `$push … $slice` for what
 * is timestamped, a child collection for other embedded documents, the reference turned round for references, and the
 * outlier pattern where all but a few arrays are short.
 */
export function arrayRemedy(array: ArrayToBound): Remedy {
  if (array.countedPer === 'document') return { text: enclosingText(array) };
  return { text: isRare(array) ? `${outlierText(array)} ${patternText(array)}` : patternText(array) };
}

/** Whether fewer than one array in a hundred is too long: the outlier pattern's case. */
function isRare({ lengths, tooLong }: ArrayToBound): boolean {
  return lengths.p99 < tooLong && lengths.max >= tooLong;
}

function outlierText({ path, lengths, tooLong }: ArrayToBound): string {
  const first = Math.min(tooLong, Math.max(KEPT.most, roundedUp(lengths.p99)));
  return (
    `Few arrays are long (99 % have at most ${formatCount(lengths.p99)} elements), so the outlier pattern may do: keep the ` +
    `first ${formatCount(first)} elements of \`${path}\`, move the rest to overflow documents that carry the parent's _id, ` +
    'and set hasOverflow: true on the parent. Where nothing limits the growth of those few, rather choose the lasting way.'
  );
}

function enclosingText({ collection, path }: ArrayToBound): string {
  const outer = path.slice(0, path.lastIndexOf('[]'));
  return (
    `Each array is of moderate length, but a document has many: move the elements of \`${outer}\` to a collection ` +
    `${collection.name}_${nameOf(outer)}, one document each with the parent's _id in parentId, and index { parentId: 1 }, so that ` +
    'none holds more than its own. Keep in the parent only the few that are read with it (subset pattern).'
  );
}

function patternText(array: ArrayToBound): string {
  const { collection, path, elements } = array;
  const child = `${collection.name}_${nameOf(path)}`;
  switch (elements.kind) {
    case 'references':
      return (
        `Turn the reference round: store the _id of the ${collection.name} document in each document that \`${path}\` points ` +
        `to, index that field, and drop the array; for many-to-many, use one small document per pair in a collection ${child}.`
      );
    case 'documents':
      return elements.timeField === null ? childText(array, child) : timedText(array, child, elements.timeField);
    case 'dates':
    case 'numbers':
      return (
        `If the values are measurements, write them to a time-series collection (MongoDB 5.0+), or start a new document once ` +
        `\`${path}\` has a fixed number of values (bucket pattern). If only the newest matter, cap the array: ${pushUpdate(array)}`
      );
    default:
      return (
        `Move the elements of \`${path}\` to a collection ${child}, one document each with ${parentText(path)}, and ` +
        `index { parentId: 1 }. If only the newest matter, cap the array instead: ${pushUpdate(array)}`
      );
  }
}

function childText(array: ArrayToBound, child: string): string {
  return (
    `Move the elements of \`${array.path}\` to a collection ${child}, one document each with ${parentText(array.path)}, ` +
    `and index { parentId: 1 }. Keep in the parent only the ${kept(array)} that are read with it (subset pattern): ` +
    pushUpdate(array)
  );
}

function timedText(array: ArrayToBound, child: string, timeField: string): string {
  const { path, elements } = array;
  if (elements.measurements) {
    return (
      `The elements are timestamped measurements: write them to a time-series collection (MongoDB 5.0+) with timeField ` +
      `"${timeField}" and the parent's _id as metaField, or start a new document per hour or day (bucket pattern) instead of ` +
      `appending to \`${path}\` for ever.`
    );
  }
  return (
    `Move the elements of \`${path}\` to a collection ${child}, one document each with ${parentText(path)}, and ` +
    `index { parentId: 1, ${key(timeField)}: -1 }. Keep the newest ${kept(array)} in the parent (subset pattern) by capping ` +
    `the array with every write: ${pushUpdate(array, timeField)}`
  );
}

/** What ties an element to where it was. */
function parentText(path: string): string {
  return path.includes('[]') ? "its document's _id in parentId and the key of the enclosing element" : "the parent's _id in parentId";
}

/** The update that appends one element and cuts the array. */
function pushUpdate(array: ArrayToBound, timeField?: string): string {
  const { path } = array;
  const sort = timeField === undefined ? '' : `$sort: { ${key(timeField)}: 1 }, `;
  const push = `{ $push: { ${key(positional(path))}: { $each: [element], ${sort}$slice: -${kept(array)} } } }`;
  return path.includes('[]') ? `${push} with arrayFilters for the enclosing element.` : `${push}.`;
}

/** `threads[].posts` → `threads.$[outer].posts`, as an update names it; names that are data stay open. */
function positional(path: string): string {
  let level = 0;
  return path.replaceAll('*', '<name>').replaceAll('[]', () => {
    level += 1;
    return `.$[outer${level === 1 ? '' : level}]`;
  });
}

function kept({ lengths }: ArrayToBound): number {
  return Math.min(KEPT.most, Math.max(KEPT.least, roundedUp(lengths.median)));
}

function roundedUp(value: number): number {
  return Math.ceil(value / KEPT.step) * KEPT.step;
}

function nameOf(path: string): string {
  return path.split(/[.[\]]+/).findLast((name) => name !== '' && name !== '*') ?? 'elements';
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
