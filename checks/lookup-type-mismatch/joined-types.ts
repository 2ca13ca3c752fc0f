import type { FieldTypes, NotJudged, TypeCounts } from '../../src/check.js';
import { formOf, localValues } from '../../src/judgement/joins/equality-join.js';
import { documentsOf, fieldTypesOn, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { joinedValues, type JoinedValues } from '../../src/judgement/joins/joined-values.js';
import { shareWithin } from '../../src/judgement/margins.js';
import { queryPath } from '../../src/profile/path-steps.js';
import { familyCounts, type TypeFamily } from '../../src/profile/type-families.js';
import type { JoinKey, JoinUse, Origin } from '../../src/workload/joins/join.js';

/** What one side of a join compares, by families of types that can be equal. */
export interface JoinSide {
  readonly namespace: string;
  readonly path: string;
  /** The path as in the profile, with `[]` for elements of arrays; null if the values have several forms. */
  readonly storedPath: string | null;
  /** Values by family, the commonest first, without null and missing ones. */
  readonly families: ReadonlyMap<TypeFamily, number>;
  readonly values: number;
  /** The operator that the join converts this side with; null if it compares what is stored. */
  readonly conversion: string | null;
  /** Share of the collection's documents that were read, 0 to 1: if all were, there can be no further type. */
  readonly seen: number;
}

export interface JoinedTypes {
  readonly use: JoinUse;
  /** The side that refers to the other, whose type is to be changed: an `_id` can't be. */
  readonly side: JoinSide;
  readonly other: JoinSide;
  /** Whether arrays are compared element by element; `$expr` compares them as a whole. */
  readonly byElements: boolean;
  /** Overlap of the families on both sides, 0 to 1. At 0, no value of one side can equal a value of the other. */
  readonly overlap: number;
  /** What it is at most in the whole collections. */
  readonly overlapAtMost: number;
  /** Values of the side that shows the fewest of them by a sample; Infinity if both collections were read whole. */
  readonly sampled: number;
}

/** What each known join by equality compares, or why it is unknown, for the collection that a finding would be on. */
export function joinedTypes(cluster: JoinedCluster): (JoinedTypes | (NotJudged & { readonly namespace: string }))[] {
  return cluster.workload.joinUses.flatMap((use) =>
    use.join.keys.filter(({ operator }) => operator === '$eq').flatMap((key) => typesOf(use, key, cluster) ?? []),
  );
}

function typesOf(use: JoinUse, key: JoinKey, cluster: JoinedCluster): ReturnType<typeof joinedTypes>[number] | null {
  const [local, foreign] = [key.local.origin, key.foreign.origin];
  if (!local.traced || !foreign.traced) return null;
  const isLocal = local.path !== '_id';
  const { namespace } = isLocal ? local : foreign;
  for (const each of [local.namespace, foreign.namespace]) {
    const known = cluster.collections.get(each);
    if (known?.collection.kind !== 'collection' || known.fieldTypes.present) continue;
    const { reason, detail } = known.fieldTypes;
    const what = each === namespace ? detail : `it is joined with ${each}: ${detail}`;
    return { namespace, notJudged: reason, detail: what };
  }
  // An expression on the foreign side has values of other types than its field.
  if (key.foreign.written === null) return null;
  const byElements = formOf(use.join, key) !== 'exprEquality';
  const foreignValues = joinedValues(foreign, fieldTypesOn(cluster, foreign.namespace));
  const one = sideOf(local, localValues(use.join, key, cluster), byElements, cluster);
  const two = sideOf(foreign, foreignValues, byElements, cluster);
  if (one === null || two === null) return null;
  const [side, other] = isLocal ? [one, two] : [two, one];
  return { use, side, other, byElements, ...overlapOf(side, other) };
}

function sideOf(
  { namespace, path, conversion }: Extract<Origin, { readonly traced: true }>,
  values: JoinedValues | null,
  byElements: boolean,
  cluster: JoinedCluster,
): JoinSide | null {
  const fieldTypes = fieldTypesOn(cluster, namespace);
  if (values === null || fieldTypes === null) return null;
  const compared: TypeCounts[] = byElements ? [{ ...values.types, array: 0 }, values.elementTypes] : [values.types];
  const families = new Map<TypeFamily, number>();
  for (const [family, count] of compared.flatMap(familyCounts))
    families.set(family, (families.get(family) ?? 0) + count);
  const share = fieldTypes.documents / Math.max(1, documentsOf(cluster, namespace) ?? Infinity);
  return {
    namespace,
    path,
    storedPath: storedPath(path, fieldTypes),
    families: new Map([...families].toSorted(([, one], [, two]) => two - one)),
    values: [...families.values()].reduce((sum, count) => sum + count, 0),
    conversion,
    seen: fieldTypes.complete ? 1 : Math.min(1, share),
  };
}

/** Nested arrays are several forms, and so are values in some documents and arrays of values in others. */
function storedPath(path: string, { fields }: FieldTypes): string | null {
  const stored = fields.filter(
    (field) => queryPath(field.path) === path && familyCounts(field.types).some(([family]) => family !== 'array'),
  );
  return stored.length === 1 ? (stored[0]?.path ?? null) : null;
}

/** A family that both sides hold is rare on one of them: the shares of such values on both sides add up to the overlap. */
function overlapOf(one: JoinSide, other: JoinSide): Pick<JoinedTypes, 'overlap' | 'overlapAtMost' | 'sampled'> {
  const shared = [...one.families].map(([family, count]) =>
    Math.min(count / one.values, (other.families.get(family) ?? 0) / other.values),
  );
  const overlap = one.values === 0 || other.values === 0 ? 1 : shared.reduce((sum, share) => sum + share, 0);
  const sampled = Math.min(...[one, other].map(({ seen, values }) => (seen === 1 ? Infinity : values)));
  const part = { share: Math.min(one.seen, other.seen), byChance: false };
  const isSure = overlap === 0 || sampled === Infinity;
  const overlapAtMost = isSure ? overlap : shareWithin(Math.round(overlap * sampled), sampled, part)[1];
  return { overlap, overlapAtMost, sampled };
}
