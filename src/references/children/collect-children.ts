import type { Document } from 'mongodb';
import pLimit from 'p-limit';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { SHORT_READ } from '../../connect/deadline.js';
import { absentBecause } from '../../connect/server-error.js';
import { formatCount } from '../../format.js';
import { ageGrowth } from '../../growth/age-growth.js';
import type { Collection } from '../../inventory/collection.js';
import type { StorageStatistics } from '../../inventory/storage.js';
import { findsByValue } from '../../planner/value-search.js';
import { absent, type Absent, type Evidence, present } from '../../presence.js';
import { readChosen } from '../../profile/sampling/chosen-documents.js';
import { planSample, type SampleBounds } from '../../profile/sampling/sample-plan.js';
import { MS_PER_DAY } from '../../time-units.js';
import { childRelation, type ChildRelation } from '../../workload/joins/join.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { idFamily } from '../candidate-fields.js';
import type { ReadCollection } from '../references.js';
import type { ChildFamilies, Children } from './children.js';

interface ChildQuestion {
  readonly parent: Collection;
  readonly child: Collection;
  readonly path: string;
  readonly stored: StorageStatistics & { readonly count: number };
  /** True if an index finds a family without a scan. */
  readonly isIndexed: boolean;
}

const UNKNOWN_COUNT = 'counting children per parent: this server does not report how many documents there are.';

/** Average children per parent from which they are many whatever a count would say. */
const MANY_CHILDREN = 100;

/** Only the families of the first relations are counted. */
const MOST_RELATIONS = 50;

/** Up to here all children are counted: 60 ms, 200 with the look-ups of the parents (measured on 6.0.5). */
const WHOLE_DOCUMENTS = 5_000;
const WHOLE_BYTES = 16 * 1024 * 1024;

/** If no picked family is large, fewer than 0.5 % of the children are in large ones, at 95 % (rule of three: 3 / 600). */
const PICKED: SampleBounds = { documents: 600, bytes: 64 * 1024 * 1024 };
const COUNTED_TO = 200;
const SIZES = { children: { $sum: 1 }, bytes: { $sum: { $bsonSize: '$$ROOT' } } } as const;

const FIGURES = {
  _id: 0,
  children: 1,
  bytes: 1,
  picked: 1,
  hasParent: { $ne: ['$parent', []] },
  born: { $cond: [{ $eq: [{ $type: '$_id' }, 'objectId'] }, { $toDate: '$_id' }, null] },
} as const;

/**
 * Counts how many children a parent has, by one aggregation for each relation: over all children if they are few, else
 * over the families of 600 of them. Large families are picked more often, so their size is not underestimated.
 *
 * @param concurrency reads at once
 */
export async function collectChildren(
  reader: ClusterReader,
  workload: TracedWorkload,
  collections: readonly ReadCollection[],
  concurrency: number,
): Promise<Children> {
  const { questions, gaps } = childQuestions(workload, collections);
  const limit = pLimit(concurrency);
  const counted = await Promise.all(questions.map((question) => limit(countFamilies, reader, question)));
  return {
    families: counted.flatMap((each) => (each.present ? [each.value] : [])),
    gaps: [...gaps, ...counted.filter((each): each is Absent => !each.present)],
  };
}

async function countFamilies(reader: ClusterReader, question: ChildQuestion): Promise<Evidence<ChildFamilies>> {
  const { child, parent, path, isIndexed } = question;
  const operation = `counting how many of ${child.namespace} belong to one of ${parent.namespace}`;
  if (!isCountedWhole(question) && !isIndexed) {
    return absent(
      'bound',
      `${operation} needs an index that begins with \`${path}\`: the collection is too large to read whole.`,
    );
  }
  try {
    return present(familiesOf(question, await readFamilies(reader, question), Date.now()));
  } catch (error) {
    return absentBecause(error, operation, `find on ${child.namespace} and ${parent.namespace}`);
  }
}

function familiesOf(question: ChildQuestion, { families: all, isByChance }: ReadFamilies, now: number): ChildFamilies {
  const families = all.filter(({ hasParent }) => hasParent);
  const isWhole = isCountedWhole(question);
  const aged = families.flatMap(({ born, children }) =>
    born === null ? [] : [{ age: (now - born.getTime()) / MS_PER_DAY, value: children }],
  );
  return {
    parent: question.parent.namespace,
    child: question.child.namespace,
    path: question.path,
    families: families.length,
    complete: isWhole,
    childrenSeen: picked(all),
    ...(isByChance && { isByChance }),
    children: middleAndMost(families.map(({ children }) => children)),
    countedTo: isWhole ? null : COUNTED_TO,
    bytes: middleAndMost(families.map(({ bytes }) => bytes)),
    orphans: picked(all) - picked(families),
    growth: ageGrowth(aged, 'elements'),
  };
}

function picked(families: readonly Family[]): number {
  return families.reduce((sum, family) => sum + family.picked, 0);
}

function middleAndMost(values: readonly number[]): { median: number; most: number } {
  const sorted = [...values].sort((one, other) => one - other);
  return { median: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** Counted on the server: neither ids nor values leave it. */
interface Family {
  readonly children: number;
  readonly bytes: number;
  readonly picked: number;
  readonly hasParent: boolean;
  /** From the ObjectId of the parent, or null. A document value: it stays in this folder. */
  readonly born: Date | null;
}

/** Otherwise some are picked, and an index must find the rest of their families. */
function isCountedWhole({ stored }: ChildQuestion): boolean {
  const { count, size } = stored;
  return count <= WHOLE_DOCUMENTS && size !== null && size <= WHOLE_BYTES;
}

interface ReadFamilies {
  readonly families: readonly Family[];
  /** True if other children would be picked next time. */
  readonly isByChance: boolean;
}

/** @throws the server's or driver's error */
async function readFamilies(reader: ClusterReader, question: ChildQuestion): Promise<ReadFamilies> {
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

/** The relations by which the workload joins children to parents that may have few of them. */
function childQuestions(
  { joinUses }: Pick<TracedWorkload, 'joinUses'>,
  collections: readonly ReadCollection[],
): { questions: ChildQuestion[]; gaps: Absent[] } {
  const known = new Map(collections.map((each) => [each.collection.namespace, each]));
  const relations = new Map<string, ChildRelation>();
  for (const { join } of joinUses) {
    const relation = childRelation(join);
    if (relation !== null) relations.set(JSON.stringify(relation), relation);
  }
  const asked = [...relations.values()].flatMap((relation) => questionOf(relation, known) ?? []);
  const questions = asked.filter((each): each is ChildQuestion => !('present' in each));
  const gaps = asked.filter((each): each is Absent => 'present' in each);
  if (questions.length > MOST_RELATIONS) gaps.push(tooMany(questions.length));
  return { questions: questions.slice(0, MOST_RELATIONS), gaps };
}

/** Null if a parent cannot have few children, or a collection is not linted. */
function questionOf(
  relation: ChildRelation,
  known: ReadonlyMap<string, ReadCollection>,
): ChildQuestion | Absent | null {
  const [parent, child] = [known.get(relation.parent), known.get(relation.child)];
  if (parent?.collection.kind !== 'collection' || child?.collection.kind !== 'collection') return null;
  const { fieldTypes, storage: stored, indexes } = child.evidence;
  const { storage: storedParents } = parent.evidence;
  const missing = [fieldTypes, stored, indexes, storedParents].find((piece) => piece?.present === false);
  if (missing?.present === false) return missing;
  if (
    fieldTypes?.present !== true ||
    stored?.present !== true ||
    indexes?.present !== true ||
    storedParents?.present !== true
  )
    return null;
  const field = fieldTypes.value.fields.find(({ path }) => path === relation.path);
  const family = field === undefined ? null : idFamily(field);
  const [children, parents] = [stored.value.count, storedParents.value.count];
  if (children === null || parents === null) return absent('unsupported', UNKNOWN_COUNT);
  const isFew = children > 0 && children < MANY_CHILDREN * parents;
  // An array of references makes it many-to-many.
  if (field === undefined || family === null || (field.types.array ?? 0) > 0 || !isFew) return null;
  const collation = child.collection.collation ?? null;
  const search = { paths: [relation.path], collation, inExpression: true } as const;
  return {
    parent: parent.collection,
    child: child.collection,
    path: relation.path,
    stored: { ...stored.value, count: children },
    isIndexed: indexes.value.some((index) => findsByValue(index, search, fieldTypes.value)),
  };
}

function tooMany(relations: number): Absent {
  return absent(
    'bound',
    `${formatCount(relations)} relations between parents and children are joined; how many children a parent has was counted for the first ${formatCount(MOST_RELATIONS)}.`,
  );
}
