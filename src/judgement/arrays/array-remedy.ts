import type { Distribution } from '../../evidence/documents/document-profile.js';
import { elementsText, partReadsAdvice, type PartReads } from '../documents/part-reads.js';
import type { TextRemedy } from '../../finding.js';
import { formatCount } from '../../format.js';
import type { Collection } from '../../inventory/collection.js';
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
  /** What reads want of it; null where they want the whole, or it is not known. */
  readonly reads: PartReads | null;
}

/** Where no slice tells otherwise, the newest elements are the last. */
const END = -1;

const IF_FEW_ARE_READ = 'If the parent is mostly read for a few of them,';

/** Newest elements that a document keeps: what a page shows at once, and never more than a hundred. Elements. */
const KEPT = { least: 10, most: 100, step: 10 } as const;

/**
 * The remedy that fits what the array holds: time-series collection or buckets for measurements, `$push … $slice` for what
 * is timestamped, a child collection for other embedded documents, the reference turned round for references, and the
 * outlier pattern where all but a few arrays are short. Where reads ask for a part, it is the part that stays.
 */
export function arrayRemedy(array: ArrayToBound): TextRemedy {
  const { path, reads } = array;
  const advice = reads === null ? '' : ` ${partReadsAdvice(path, reads)}`;
  if (array.countedPer === 'document') return { text: `${enclosingText(array)}${advice}` };
  return { text: `${isRare(array) ? `${outlierText(array)} ` : ''}${patternText(array)}${advice}` };
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

function enclosingText(array: ArrayToBound): string {
  const { collection, path } = array;
  const outer = path.slice(0, path.lastIndexOf('[]'));
  return (
    `Each array is of moderate length, but a document has many: move the elements of \`${outer}\` to a collection ` +
    `${collection.name}_${nameOf(outer)}, one document each with the parent's _id in parentId, and index { parentId: 1 }, so that ` +
    `none holds more than its own.${enclosingSubsetText(array)}`
  );
}

function enclosingSubsetText(array: ArrayToBound): string {
  if (isLeftOut(array)) return '';
  return array.reads === null
    ? ` ${IF_FEW_ARE_READ} keep those in it (subset pattern).`
    : ' Keep in the parent only those that are read with it (subset pattern).';
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
        `\`${path}\` has a fixed number of values (bucket pattern). If only the ${whichText(array)} matter, cap the array: ${pushUpdate(array)}`
      );
    default:
      return (
        `Move the elements of \`${path}\` to a collection ${child}, one document each with ${parentText(path)}, and ` +
        `index { parentId: 1 }. If only the ${whichText(array)} matter, cap the array instead: ${pushUpdate(array)}`
      );
  }
}

function childText(array: ArrayToBound, child: string): string {
  return (
    `Move the elements of \`${array.path}\` to a collection ${child}, one document each with ${parentText(array.path)}, ` +
    'and index { parentId: 1 }.' +
    subsetText(array)
  );
}

/** What stays in the parent. Where no reads tell, it is an offer, not a fact. */
function subsetText(array: ArrayToBound, timeField?: string): string {
  if (isLeftOut(array)) return '';
  const which = timeField === undefined ? 'last' : 'newest';
  const keep =
    array.reads === null
      ? `${IF_FEW_ARE_READ} keep those in it (subset pattern), say the ${which} ${kept(array)},`
      : `Keep in the parent only the ${whichText(array)} that are read with it (subset pattern)`;
  return ` ${keep} by capping the array with every write: ${pushUpdate(array, timeField)}`;
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
    `index { parentId: 1, ${key(timeField)}: -1 }.` +
    subsetText(array, timeField)
  );
}

/** What ties an element to where it was. */
function parentText(path: string): string {
  return path.includes('[]')
    ? "its document's _id in parentId and the key of the enclosing element"
    : "the parent's _id in parentId";
}

/** The update that appends one element and cuts the array, and what becomes of what is in it. */
function pushUpdate(array: ArrayToBound, timeField?: string): string {
  const { path } = array;
  // The first elements are kept as they are: whether they are the oldest or the newest, only the application knows.
  const isFromBeginning = (array.reads?.elements ?? END) > 0;
  const sort = timeField === undefined || isFromBeginning ? '' : `$sort: { ${key(timeField)}: 1 }, `;
  const push = `{ $push: { ${key(positional(path))}: { $each: [element], ${sort}$slice: ${isFromBeginning ? '' : '-'}${kept(array)} } } }`;
  const filters = path.includes('[]') ? ' with arrayFilters for the enclosing element' : '';
  const first = sort === '' ? '' : `, those without \`${timeField}\` before all others`;
  return `${push}${filters}. The first such write to a longer array drops the rest of its elements for good${first}: save before what is still wanted.`;
}

/** `threads[].posts` → `threads.$[outer].posts`, as an update names it; names that are data stay open. */
function positional(path: string): string {
  let level = 0;
  return path.replaceAll('*', '<name>').replaceAll('[]', () => {
    level += 1;
    return `.$[outer${level === 1 ? '' : level}]`;
  });
}

/** Elements that stay in the document: those that reads ask for, or what a page may show. */
function kept({ lengths, reads }: ArrayToBound): number {
  if (reads !== null && reads.elements !== null) return Math.abs(reads.elements);
  return Math.min(KEPT.most, Math.max(KEPT.least, roundedUp(lengths.median)));
}

/** Those that matter: "newest", or "last 10" where reads tell. */
function whichText({ reads }: ArrayToBound): string {
  return reads === null || reads.elements === null ? 'newest' : elementsText(reads.elements);
}

/** True where reads ask for no element at all. */
function isLeftOut({ reads }: ArrayToBound): boolean {
  return reads !== null && reads.elements === null;
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
