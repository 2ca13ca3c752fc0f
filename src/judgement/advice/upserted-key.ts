import type { ValueSpread } from '../../profile/value-tally.js';
import { equalPaths, everyCondition } from '../queries/conditions.js';
import type { Query } from '../queries/query.js';

/** Different values, as a share of those compared in the sample, below which a field that most documents share is no key. */
export const VALUES_OF_KEY = {
  default: 0.5,
  unit: 'share',
  description: 'different values, as a share of those sampled; below, the field is no key, and the finding an info',
  source: 'judgement: documents that a race inserted twice are few; half of them are twice there by design',
} as const;

/** Whether an upsert looks for its document by exactly these fields: they are to be unique, or two at once insert it twice. */
export function isKeyOfUpsert(query: Query, fields: readonly string[]): boolean {
  const { operation, conditions } = query;
  const equal = new Set(equalPaths(conditions));
  const isExact = equal.size === everyCondition(conditions).length && equal.size === fields.length;
  if (operation.shape.upsert !== true || !isExact || !fields.every((path) => equal.has(path))) return false;
  return mayBeKey(sampledValues(query, fields), VALUES_OF_KEY.default);
}

/** @param least different values, as a share of those compared */
export function mayBeKey(sampled: ValueSpread | null, least: number): boolean {
  return sampled === null || sampled.distinct >= least * sampled.compared;
}

/** How the sampled values of the one field are spread, told apart by hashes within the run; null if unknown. */
export function sampledValues({ known: { fieldTypes } }: Query, fields: readonly string[]): ValueSpread | null {
  const [field, ...others] = fields;
  if (!fieldTypes.present || others.length > 0) return null;
  const found = fieldTypes.value.fields.filter(({ path }) => path === field || path.startsWith(`${field}[]`));
  const [one] = found;
  return one !== undefined && found.length === 1 && one.path === field && one.types.array === undefined
    ? (one.spread ?? null)
    : null;
}
