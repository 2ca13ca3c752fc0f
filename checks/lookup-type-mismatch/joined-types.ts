import type { ClusterVerdict, FieldTypes, TypeCounts } from '../../src/check.js';
import { formOf, localValues } from '../../src/judgement/joins/equality-join.js';
import { fieldTypesOn, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { joinedValues, type JoinedValues } from '../../src/judgement/joins/joined-values.js';
import { queryPath } from '../../src/profile/path-steps.js';
import { familyCounts, type TypeFamily } from '../../src/profile/type-families.js';
import type { JoinKey, Origin } from '../../src/workload/joins/join.js';
import type { JoinUse } from '../../src/workload/joins/workload-joins.js';

/** What one side of a join compares, by families of types that can be equal. */
export interface JoinSide {
  readonly namespace: string;
  readonly path: string;
  /** The path as in the profile, with `[]` for elements of arrays; null if the values have several forms. */
  readonly storedPath: string | null;
  /** Values by family, without null and missing ones. */
  readonly families: ReadonlyMap<TypeFamily, number>;
  readonly values: number;
  /** Documents in which they were seen. */
  readonly documents: number;
  /** Whether every document was read, so that there can be no further type. */
  readonly complete: boolean;
  /** The operator that the join converts this side with; null if it compares what is stored. */
  readonly conversion: string | null;
}

export interface JoinedTypes {
  readonly use: JoinUse;
  readonly local: JoinSide;
  readonly foreign: JoinSide;
  /** Whether arrays are compared element by element; `$expr` compares them as a whole. */
  readonly byElements: boolean;
  /** Overlap of the families on both sides, 0 to 1. At 0, no value of one side can equal a value of the other. */
  readonly overlap: number;
}

export function joinedTypes(cluster: JoinedCluster): JoinedTypes[] {
  return cluster.workload.joinUses.flatMap((use) =>
    use.join.keys.filter(({ operator }) => operator === '$eq').flatMap((key) => typesOf(use, key, cluster) ?? []),
  );
}

/**
 * What is joined and was not sampled, so that its types are unknown; and what a finding would be on if only the other side
 * was not.
 */
export function unsampledSides({ collections, workload }: JoinedCluster): ClusterVerdict[] {
  const gaps = new Map<string, ClusterVerdict>();
  const keys = workload.joinUses.flatMap(({ join }) => join.keys.filter(({ operator }) => operator === '$eq'));
  for (const { local, foreign } of keys) {
    const sides = { local: local.origin, foreign: foreign.origin };
    const changed = local.origin.traced ? sideToChange({ ...sides, local: local.origin }) : foreign.origin;
    for (const side of [local.origin, foreign.origin]) {
      const known = side.traced ? collections.get(side.namespace) : undefined;
      if (!side.traced || known?.collection.kind !== 'collection' || known.fieldTypes.present) continue;
      const { reason: notJudged, detail } = known.fieldTypes;
      gaps.set(side.namespace, { namespace: side.namespace, notJudged, detail });
      const namespace = changed.traced ? changed.namespace : side.namespace;
      if (!gaps.has(namespace))
        gaps.set(namespace, { namespace, notJudged, detail: `it is joined with ${side.namespace}: ${detail}` });
    }
  }
  return [...gaps.values()];
}

/** The side that refers to the other, whose type is to be changed. An `_id` can't be. */
export function sideToChange<Side extends { readonly path: string }, Other>(sides: {
  readonly local: Side;
  readonly foreign: Other;
}): Side | Other {
  return sides.local.path === '_id' ? sides.foreign : sides.local;
}

function typesOf(use: JoinUse, key: JoinKey, cluster: JoinedCluster): JoinedTypes | null {
  // An expression on the foreign side has values of other types than its field.
  if (key.foreign.written === null) return null;
  const byElements = formOf(use.join, key) !== 'exprEquality';
  const foreignOrigin = key.foreign.origin;
  const foreignTypes = foreignOrigin.traced ? fieldTypesOn(cluster, foreignOrigin.namespace) : null;
  const local = sideOf(key.local.origin, localValues(use.join, key, cluster), byElements, cluster);
  const foreign = sideOf(foreignOrigin, joinedValues(foreignOrigin, foreignTypes), byElements, cluster);
  return local === null || foreign === null
    ? null
    : { use, local, foreign, byElements, overlap: overlapOf(local, foreign) };
}

function sideOf(
  origin: Origin,
  values: JoinedValues | null,
  byElements: boolean,
  cluster: JoinedCluster,
): JoinSide | null {
  if (!origin.traced || values === null) return null;
  const families = new Map<TypeFamily, number>();
  const fieldTypes = fieldTypesOn(cluster, origin.namespace);
  const add = (types: TypeCounts) => {
    for (const [family, count] of familyCounts(types)) families.set(family, (families.get(family) ?? 0) + count);
  };
  add(byElements ? { ...values.types, array: 0 } : values.types);
  if (byElements) add(values.elementTypes);
  return {
    namespace: origin.namespace,
    path: origin.path,
    storedPath: storedPath(origin.path, fieldTypes),
    families,
    values: [...families.values()].reduce((sum, count) => sum + count, 0),
    documents: fieldTypes?.documents ?? 0,
    complete: fieldTypes?.complete === true,
    conversion: origin.conversion,
  };
}

/** Nested arrays are several forms, and so are values in some documents and arrays of values in others. */
function storedPath(path: string, fieldTypes: FieldTypes | null): string | null {
  const stored = fieldTypes?.fields.filter(
    (field) => queryPath(field.path) === path && familyCounts(field.types).some(([family]) => family !== 'array'),
  );
  return stored?.length === 1 ? (stored[0]?.path ?? null) : null;
}

function overlapOf(one: JoinSide, other: JoinSide): number {
  if (one.values === 0 || other.values === 0) return 1;
  return [...one.families].reduce(
    (sum, [family, count]) => sum + Math.min(count / one.values, (other.families.get(family) ?? 0) / other.values),
    0,
  );
}
