import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import { readChosen } from '../../profile/sampling/chosen-documents.js';
import { planSample, type SampleBounds } from '../../profile/sampling/sample-plan.js';
import type { ChildQuestion } from './child-questions.js';

/** Counted on the server: neither ids nor values leave it. */
export interface Family {
  readonly children: number;
  readonly bytes: number;
  readonly picked: number;
  readonly hasParent: boolean;
  /** From the ObjectId of the parent, or null. A document value: it stays in this folder. */
  readonly born: Date | null;
}

/** Up to here all children are counted: 60 ms, 200 with the look-ups of the parents (measured on 6.0.5). */
const WHOLE_DOCUMENTS = 5_000;
const WHOLE_BYTES = 16 * 1024 * 1024;
/** If no picked family is large, fewer than 0.5 % of the children are in large ones, at 95 % (rule of three: 3 / 600). */
const PICKED: SampleBounds = { documents: 600, bytes: 64 * 1024 * 1024 };
export const COUNTED_TO = 200;

/** Otherwise some are picked, and an index must find the rest of their families. */
export function isCountedWhole({ stored }: ChildQuestion): boolean {
  const { count, size } = stored;
  return count <= WHOLE_DOCUMENTS && size !== null && size <= WHOLE_BYTES;
}

export interface ReadFamilies {
  readonly families: readonly Family[];
  /** True if other children would be picked next time. */
  readonly isByChance: boolean;
}

/** @throws the server's or driver's error */
export async function readFamilies(reader: ClusterReader, question: ChildQuestion): Promise<ReadFamilies> {
  const { child, parent, stored, path } = question;
  const read = (families: readonly Document[]) => {
    const pipeline = [
      ...families,
      { $lookup: lookUp(parent.name, '_id', [{ $project: { _id: 1 } }], 'parent') },
      { $project: FIGURES },
    ];
    return reader.aggregate<Family>(child.database, child.name, pipeline, SHORT_READ).toArray();
  };
  if (isCountedWhole(question)) return { families: await read(wholeFamilies(question)), isByChance: false };
  const plan = planSample(stored, stored.count, PICKED, child.clustered);
  const project = [{ $project: { [path]: 1 } }];
  return readChosen(
    reader,
    child,
    plan,
    async ({ stages, method }) => ({
      families: await read([...stages, ...pickedFamilies(question)]),
      isByChance: method === 'random-cursor',
    }),
    project,
  );
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
    { $group: { _id: `$${path}`, picked: { $sum: 1 } } },
    { $lookup: lookUp(child.name, path, [{ $limit: COUNTED_TO }, { $group: { _id: null, ...SIZES } }], 'family') },
    // Children without the field find none by it.
    {
      $set: {
        children: { $ifNull: [{ $arrayElemAt: ['$family.children', 0] }, '$picked'] },
        bytes: { $ifNull: [{ $arrayElemAt: ['$family.bytes', 0] }, 0] },
      },
    },
  ];
}

/** This form works on every supported version, and uses the index. */
function lookUp(from: string, field: string, pipeline: readonly Document[], as: string): Document {
  return {
    from,
    let: { parent: '$_id' },
    pipeline: [{ $match: { $expr: { $eq: [`$${field}`, '$$parent'] } } }, ...pipeline],
    as,
  };
}
