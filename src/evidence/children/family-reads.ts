import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import type { ChildQuestion } from './child-questions.js';

/** The children of one parent, counted on the server. Neither ids nor values leave it. */
export interface Family {
  readonly children: number;
  /** BSON bytes of these children. */
  readonly bytes: number;
  /** Of the children picked, those in this family. */
  readonly picked: number;
  readonly hasParent: boolean;
  /** The time in the parent's ObjectId; null where it is none. A document value: it stays in this folder. */
  readonly born: Date | null;
}

/** Collections of up to so many children and bytes are counted as a whole: 60 ms with the parents' look-ups 200 (measured on 6.0.5). */
const WHOLE_DOCUMENTS = 5_000;
const WHOLE_BYTES = 16 * 1024 * 1024;
/**
 * Children picked at random from larger ones. Where none of their families is large, fewer than one child in a hundred is in
 * a large one, with a certainty of 95 % (rule of three: 3 / 300).
 */
const PICKED_CHILDREN = 300;
/** Children of one family at which counting ends. */
export const COUNTED_TO = 200;

/** True where every child is counted; else some are picked, which takes an index to find the others of their families. */
export function isCountedWhole({ stored }: ChildQuestion): boolean {
  return stored.count <= WHOLE_DOCUMENTS && stored.size <= WHOLE_BYTES;
}

/**
 * Reads the families of a relation, or those of children that are picked at random.
 *
 * @throws the server's or driver's error
 */
export function readFamilies(reader: ClusterReader, question: ChildQuestion): Promise<Family[]> {
  const { child, parent } = question;
  const families = isCountedWhole(question) ? wholeFamilies(question) : pickedFamilies(question);
  const pipeline = [
    ...families,
    { $lookup: lookUp(parent.name, '_id', [{ $project: { _id: 1 } }], 'parent') },
    { $project: FIGURES },
  ];
  return reader.aggregate<Family>(child.database, child.name, pipeline, SHORT_READ).toArray();
}

const SIZES = { children: { $sum: 1 }, bytes: { $sum: { $bsonSize: '$$ROOT' } } } as const;

const FIGURES = {
  _id: 0,
  children: 1,
  bytes: 1,
  picked: 1,
  hasParent: { $ne: ['$parent', []] },
  born: { $cond: [{ $eq: [{ $type: '$_id' }, 'objectId'] }, { $toDate: '$_id' }, null] },
} as const;

function wholeFamilies({ path }: ChildQuestion): Document[] {
  return [{ $group: { _id: `$${path}`, ...SIZES, picked: { $sum: 1 } } }];
}

function pickedFamilies({ path, child }: ChildQuestion): Document[] {
  return [
    { $sample: { size: PICKED_CHILDREN } },
    { $group: { _id: `$${path}`, picked: { $sum: 1 } } },
    { $lookup: lookUp(child.name, path, [{ $limit: COUNTED_TO }, { $group: { _id: null, ...SIZES } }], 'family') },
    // Children whose field is missing find none by it.
    {
      $set: {
        children: { $ifNull: [{ $arrayElemAt: ['$family.children', 0] }, '$picked'] },
        bytes: { $ifNull: [{ $arrayElemAt: ['$family.bytes', 0] }, 0] },
      },
    },
  ];
}

/** In the form that every supported version knows, and that uses the index. */
function lookUp(from: string, field: string, pipeline: readonly Document[], as: string): Document {
  return {
    from,
    let: { parent: '$_id' },
    pipeline: [{ $match: { $expr: { $eq: [`$${field}`, '$$parent'] } } }, ...pipeline],
    as,
  };
}
