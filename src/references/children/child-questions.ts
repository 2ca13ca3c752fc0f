import type { Collection } from '../../inventory/collection.js';
import { findsByField } from '../../inventory/index-relation.js';
import { childRelation, type ChildRelation } from '../../workload/joins/workload-joins.js';
import { formatCount } from '../../format.js';
import type { CollectedEvidence } from '../../evidence/source.js';
import { absent, type Absent } from '../../presence.js';
import { idFamily } from '../candidate-fields.js';
import type { StorageStatistics } from '../../inventory/storage.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';

export interface KnownCollection {
  readonly collection: Collection;
  readonly evidence: CollectedEvidence;
}

export interface ChildQuestion {
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

/** The relations by which the workload joins children to parents that may have few of them. */
export function childQuestions(
  { joinUses }: Pick<TracedWorkload, 'joinUses'>,
  collections: readonly KnownCollection[],
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
  known: ReadonlyMap<string, KnownCollection>,
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
  const collation = family === 'string' ? (child.collection.collation ?? null) : 'any';
  const search = { path: relation.path, collation, inExpression: true } as const;
  return {
    parent: parent.collection,
    child: child.collection,
    path: relation.path,
    stored: { ...stored.value, count: children },
    isIndexed: indexes.value.some((index) => findsByField(index, search)),
  };
}

function tooMany(relations: number): Absent {
  return absent(
    'bound',
    `${formatCount(relations)} relations between parents and children are joined; how many children a parent has was counted for the first ${formatCount(MOST_RELATIONS)}.`,
  );
}
