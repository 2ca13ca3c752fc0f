import type { Remedy, RemedyStep } from '../../finding.js';
import { formatCount } from '../../format.js';
import type { Collection } from '../../inventory/collection.js';
import type { Distribution } from '../../profile/document-profile.js';
import { isQueryable } from '../../profile/path-steps.js';
import { partReadsAdvice, elementsText, type PartReads } from '../documents/part-reads.js';
import { SCAN_COST, shellScan, shellStatement } from '../shell-statement.js';
import type { ArrayElements } from './array-elements.js';

/** If no slice shows it, the newest elements are the last. */
const END = -1;

/** Elements that a document keeps: what one page shows. */
const LEAST_KEPT = 10;

const MOST_KEPT = 100;

interface ArrayToBound {
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

/**
 * The remedy that fits what the array holds: an end to each element for logins, time-series collection or buckets for
 * measurements, `$push … $slice` for what is timestamped, a child collection for other embedded documents, the reverse for
 * references, and the outlier pattern if all but a few arrays are short. If reads return a part, it is the part that stays.
 */
export function arrayRemedy(array: ArrayToBound): Remedy {
  if (isOfLogins(array)) return { steps: [...loginSteps(array), ...checkingSteps(array)] };
  if (array.countedPer === 'document') return { steps: [...readsSteps(array), ...enclosingSteps(array)] };
  return {
    steps: [...readsSteps(array), ...outlierSteps(array), ...patternSteps(array), ...checkingSteps(array)],
  };
}

const TEXT_STEP: RemedyStep = {
  text:
    'If the elements are the lines of one text, they are no documents of their own: store the text as one string, and texts of megabytes in ' +
    'GridFS or an object store. Take the next steps for anything else.',
};

/** What users are recognized by: frameworks keep it in the document of the user, and read it there. */
function isOfLogins({ path, elements: { timeField } }: ArrayToBound): boolean {
  return timeField !== null && /(?:token|session)s$/i.test(path);
}

function loginSteps(array: ArrayToBound): RemedyStep[] {
  const { path, elements } = array;
  const time = fieldKey(elements.timeField ?? '');
  return [
    {
      text: `Let the elements expire: with each write to \`${path}\`, remove those that are no longer valid. Whoever still uses one must sign in again.`,
      ...(isReachable(array) && {
        code: `{ $pull: { ${fieldKey(path)}: { ${time}: { $lt: <oldest valid time> } } } }`,
      }),
    },
    cappingStep(array, `If they never expire, cap \`${path}\` with every write instead.`),
    {
      text: `Leave the array in its document if a framework reads it there, as Meteor does \`services.resume.loginTokens\`: moving it would sign everybody out.`,
    },
  ];
}

function isRare({ lengths, tooLong }: ArrayToBound): boolean {
  return lengths.p99 < tooLong && lengths.max >= tooLong;
}

function outlierSteps(array: ArrayToBound): RemedyStep[] {
  const { path, lengths, tooLong } = array;
  if (!isRare(array)) return [];
  const first = formatCount(Math.min(tooLong, Math.max(MOST_KEPT, roundedUp(lengths.p99))));
  return [
    {
      text:
        `Few arrays are long (99 % have at most ${formatCount(lengths.p99)} elements), so the outlier pattern may be enough: keep the ` +
        `first ${first} elements of \`${path}\`, and move the rest to overflow documents with the parent's _id. Set hasOverflow: true on ` +
        'the parent. If nothing limits the growth of these few arrays, take the next steps instead.',
    },
  ];
}

function enclosingSteps(array: ArrayToBound): RemedyStep[] {
  const outer = array.isInArray ? array.path : array.path.slice(0, array.path.lastIndexOf('[]'));
  const [create, move] = childSteps(array, outer);
  return [
    { ...create, text: `Each array is of moderate length, but a document has many of them. ${create.text}` },
    move,
    ...(array.reads === null
      ? [{ text: 'Optional, if most reads return only a few of them: keep those in the parent (subset pattern).' }]
      : []),
  ];
}

function patternSteps(array: ArrayToBound): RemedyStep[] {
  const { path, elements } = array;
  const child = childName(array, path);
  switch (elements.kind) {
    case 'references':
      return reverseSteps(array, child);
    case 'documents':
      if (elements.timeField !== null && elements.measurements)
        return measurementSteps(array, child, elements.timeField);
      return [...childSteps(array, path, elements.timeField), ...subsetSteps(array, child)];
    case 'dates':
    case 'numbers':
      return [
        {
          text:
            'If the values are measurements, write them to a time-series collection (MongoDB 5.0+), or start a new document once ' +
            `\`${path}\` has a fixed number of values (bucket pattern).`,
        },
        cappingStep(array, `If only the ${whichElements(array)} matter, cap the array with every write instead.`),
      ];
    default:
      return [
        ...(elements.lines ? [TEXT_STEP] : []),
        ...childSteps(array, path),
        cappingStep(array, `If only the ${whichElements(array)} matter, cap the array with every write instead.`),
      ];
  }
}

function reverseSteps(array: ArrayToBound, child: string): RemedyStep[] {
  const { collection, path } = array;
  return [
    {
      text:
        `Reverse the reference: store the _id of the ${collection.name} document in each document that \`${path}\` points to. If many ` +
        `${collection.name} documents point to the same one, store one small document per pair in a collection ${child} instead.`,
    },
    { text: 'Index the new field, before queries use it. The build scans the collection.' },
    removingStep(array),
  ];
}

function removingStep(array: ArrayToBound): RemedyStep {
  const { collection, path } = array;
  const text = `Change the application to query that field, then remove \`${path}\`. This cannot be undone.`;
  if (path.includes('[]') || !isReachable(array)) return { text };
  const key = fieldKey(path);
  return {
    text: `${text} This scans the collection and writes each document that has it; run it at a quiet hour.`,
    code: shellStatement(
      collection.namespace,
      'updateMany',
      `{ ${key}: { $exists: true } }`,
      `{ $unset: { ${key}: "" } }`,
    ),
  };
}

function measurementSteps({ collection, path }: ArrayToBound, child: string, timeField: string): RemedyStep[] {
  const options = `{ timeseries: { timeField: ${JSON.stringify(timeField)}, metaField: "parentId" } }`;
  return [
    {
      text: "Create a time-series collection (MongoDB 5.0+) for these timestamped measurements, with the parent's _id as metaField.",
      code: `db.getSiblingDB(${JSON.stringify(collection.database)}).createCollection(${JSON.stringify(child)}, ${options})`,
    },
    {
      text:
        `Write new measurements there, and copy the elements of \`${path}\` to it once. Alternative on any version: start a new document ` +
        'per hour or day (bucket pattern) instead of appending forever.',
    },
  ];
}

/** The index comes first: it costs nothing while the collection is empty. */
function childSteps(array: ArrayToBound, path: string, timeField: string | null = null): [RemedyStep, RemedyStep] {
  const child = childName(array, path);
  const order = timeField === null ? '' : `, ${fieldKey(timeField)}: -1`;
  const link =
    path === array.path && path.includes('[]')
      ? "with its document's _id in parentId and the key of the enclosing element"
      : "with the parent's _id in parentId";
  return [
    {
      text: `Create the collection ${child} with an index on the parent${timeField === null ? '' : ', newest first'}.`,
      code: shellStatement(`${array.collection.database}.${child}`, 'createIndex', `{ parentId: 1${order} }`),
    },
    { text: `Move the elements of \`${path}\` to it: one document each, ${link}.` },
  ];
}

/** What stays in the parent: an offer if nothing is known of the reads, and nothing if they return no element. */
function subsetSteps(array: ArrayToBound, child: string): RemedyStep[] {
  const { reads, path } = array;
  if (reads !== null && reads.elements === null) return [];
  const which = whichElements(array);
  const why =
    reads === null
      ? `Optional, if most reads of the parent return only a few elements: keep the ${which} in it (subset pattern). `
      : '';
  return [cappingStep(array, `${why}Cap \`${path}\` with every write.`, child)];
}

function readsSteps({ path, reads }: ArrayToBound): RemedyStep[] {
  return reads === null ? [] : [{ text: partReadsAdvice(path, reads) }];
}

function checkingSteps(array: ArrayToBound): RemedyStep[] {
  const { collection, path, elements, tooLong } = array;
  if (!isReachable(array)) return [];
  const isDropped = elements.kind === 'references' && !isRare(array);
  const field = `${path.replaceAll('[]', '')}${isDropped ? '' : `.${tooLong}`}`;
  const meaning = isDropped ? 'no document has the array' : `no array has more than ${formatCount(tooLong)} elements`;
  return [
    {
      text: `Check: no result means that ${meaning}. ${SCAN_COST}`,
      code: `${shellScan(collection.namespace, `{ ${fieldKey(field)}: { $exists: true } }`, '{ _id: 1 }')}.limit(1)`,
    },
  ];
}

function childName({ collection }: ArrayToBound, path: string): string {
  return `${collection.name}_${path.split(/[.[\]]+/).findLast((name) => name !== '' && name !== '*') ?? 'elements'}`;
}

/** The step with the update that appends one element and cuts the array. */
function cappingStep(array: ArrayToBound, action: string, child?: string): RemedyStep {
  const { path, elements } = array;
  // The first elements are kept as they are: only the application knows whether they are the oldest or the newest.
  const isFromBeginning = (array.reads?.elements ?? END) > 0;
  const timeField = isFromBeginning ? null : elements.timeField;
  const sort = timeField === null ? '' : `$sort: { ${fieldKey(timeField)}: 1 }, `;
  const slice = `${isFromBeginning ? '' : '-'}${kept(array)}`;
  const filters = path.includes('[]') ? ' Name the enclosing element in arrayFilters.' : '';
  const first = timeField === null ? '' : `, those without \`${timeField}\` first`;
  const save = child === undefined ? 'save what you still need before that' : `copy them to ${child} before that`;
  return {
    text: `${action}${filters} The first such write to a longer array drops its other elements for good${first}: ${save}.`,
    ...(isReachable(array) && {
      code: `{ $push: { ${fieldKey(positional(path))}: { $each: [element], ${sort}$slice: ${slice} } } }`,
    }),
  };
}

/** The elements that stay: "newest 20", or "last 10" if reads return those. */
function whichElements(array: ArrayToBound): string {
  const { reads, elements } = array;
  if (reads !== null && reads.elements !== null) return elementsText(reads.elements);
  return `${elements.kind === 'documents' && elements.timeField === null ? 'last' : 'newest'} ${kept(array)}`;
}

function roundedUp(elements: number): number {
  return Math.ceil(elements / 10) * 10;
}

/** A field's name, or a path, as a key in an object of JavaScript. */
function fieldKey(name: string): string {
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

/** Whether a query or an update can name the array: a wrong name would find nothing, or write to another array. */
function isReachable({ path, isInArray }: ArrayToBound): boolean {
  return !isInArray && isQueryable(path);
}
