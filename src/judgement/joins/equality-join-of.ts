import type { BsonType } from '../../profile/document-profile.js';
import type { EqualityJoin, JoinForm, LocalType } from '../indexes/usability/equality-join.js';
import { isClassicByPosition } from '../indexes/usability/join-position.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { Join, JoinKey } from '../../workload/joins/join.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';
import { assumedFilter } from './assumed-filter.js';
import { collationOf, fieldTypesOn, type JoinedCluster } from './joined-cluster.js';
import { holdsArrays, joinedValues, type JoinedValues } from './joined-values.js';

/** A key for which the field of an index is known. */
export type IndexableKey = JoinKey & { readonly index: { readonly possible: true } };

export function isIndexable(key: JoinKey): key is IndexableKey {
  return key.index.possible === true;
}

export function equalityJoinOf(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): EqualityJoin {
  const { join } = use;
  const { namespace, path } = key.index;
  const form = formOf(join, key);
  const foreignArrays = holdsArrays(fieldTypesOn(cluster, namespace), path);
  return {
    form,
    foreignField: path,
    collation: collationOf(cluster, use),
    ...(join.form === 'fields-and-pipeline' && { withPipeline: true }),
    ...(isClassic(use, cluster) && { inClassicEngine: true }),
    ...localTypes(form, localValues(join, key, cluster)),
    ...(foreignArrays !== undefined && { foreignArrays }),
    ...filterFor(join, null),
  };
}

/** The join as one index meets it: conditions on the fields of its filter are assumed to ask for what it holds. */
export function asMetBy(equality: EqualityJoin, { join }: JoinUse, index: IndexDescription): EqualityJoin {
  return index.partialFilterExpression === undefined ? equality : { ...equality, ...filterFor(join, index) };
}

function filterFor({ conditions }: Join, index: IndexDescription | null): Pick<EqualityJoin, 'filter'> {
  const filter = assumedFilter(conditions, index);
  return Object.keys(filter).length === 0 ? {} : { filter };
}

/** The values of the outer documents that a key compares; null if unknown. */
export function localValues(
  { position }: Join,
  { local: { origin } }: JoinKey,
  cluster: JoinedCluster,
): JoinedValues | null {
  return origin.traced ? joinedValues(origin, fieldTypesOn(cluster, origin.namespace), position.afterUnwind) : null;
}

export function formOf({ form, keys }: Join, key: JoinKey): JoinForm {
  if (form === 'graph') return 'graphLookup';
  // The first key is that of `localField` and `foreignField`, if there are any; the others are the pipeline's.
  return (form === 'fields' || form === 'fields-and-pipeline') && key === keys[0] ? 'localField' : 'exprEquality';
}

/** For `$graphLookup` only the values of the first step are known, so its types are left open. */
function localTypes(
  form: JoinForm,
  values: JoinedValues | null,
): Pick<EqualityJoin, 'localTypes' | 'localElementTypes'> {
  if (values === null || form === 'graphLookup') return {};
  const types = Object.keys(values.types) as LocalType[];
  return {
    localTypes: values.isMissing ? [...types, 'missing'] : types,
    localElementTypes: Object.keys(values.elementTypes) as BsonType[],
  };
}

/** Whether the classic engine ran it, or must have: in `$facet`, through a view, or after a stage that only it runs. */
function isClassic({ join, operation }: JoinUse, { server }: JoinedCluster): boolean {
  if (join.at.includes('$facet') || join.foreign.namespace !== join.foreign.base) return true;
  if (operation === null) return false;
  const figures = Object.values(operation.figures);
  const [slotBased, classic] = [sum(figures, 'slotBasedExecutions'), sum(figures, 'classicExecutions')];
  if (slotBased + classic > 0) return slotBased === 0;
  const isPlain = /^\d+$/.test(join.at) && join.source.namespace === join.source.base;
  return isPlain && isClassicByPosition(operation.shape.pipeline ?? [], Number(join.at), server);
}

function sum(
  figures: readonly { slotBasedExecutions: number; classicExecutions: number }[],
  name: 'slotBasedExecutions' | 'classicExecutions',
): number {
  return figures.reduce((total, each) => total + each[name], 0);
}
