import type { IndexDescription } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount } from '../../src/format.js';
import { foundWith } from '../../src/judgement/advice/index-value.js';
import { byIndex, type QueryPlace } from '../../src/judgement/advice/query-suggestions.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { type QueryCost, queryCost, returnsAllThatMatch } from '../../src/judgement/queries/query-cost.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { equalFields, type KeyField, recordedSkips, scannedKeys } from '../../src/judgement/queries/scattered-keys.js';

/** From so many for each one that is needed: a small collection may hide more, and all executions of a day may examine much. */
export const FEW = { info: 10 };

/** A range behind another range, or behind the sort, in the key of the index that was used. */
interface LaterRange {
  /** The fields of that index up to the range, but for those that are walked to test it, and then these. */
  readonly first: readonly KeyField[];
  readonly rest: readonly [KeyField, ...KeyField[]];
  /** Keys per execution of an index with these: an estimate. */
  readonly keys: number;
}

/**
 * Null if there is none, or if an index that begins with it would not examine far fewer keys. Of the keys that are walked,
 * the share that is returned matches the later range. By that share of what the equalities before it find, an index with this
 * range first would examine `returned × found ÷ keys`; and what is returned, if all that they find was walked.
 */
export function laterRange(query: Query, { keysExamined, documentsReturned }: QueryCost): LaterRange | null {
  const [size, equal, [key, ...others]] = [sizeFor(query), equalFields(query), scannedKeys(query)];
  const { all, alternatives } = query.conditions;
  const isOneWalk = others.length === 0 && alternatives.length === 0 && recordedSkips(query) === null;
  if (size === null || key === undefined || !isOneWalk || !query.returnsEachMatch) return null;
  if (keysExamined === null || documentsReturned === null) return null;
  const isRange = (path: string) => all.some((each) => each.path === path && each.role === 'range');
  const start = key.findIndex(([path]) => !equal.has(path));
  const [fixed, [before, ...behind]] = [key.slice(0, start), key.slice(start)];
  const later = behind.find(([path]) => isRange(path));
  if (start === -1 || later === undefined || before === undefined) return null;
  const share =
    (foundWith(query, Object.fromEntries(fixed))?.documents ?? size.documents) / Math.max(1, size.documents);
  const isWalkedWhole = start > 0 && !isRange(before[0]) && returnsAllThatMatch(query);
  const found = isWalkedWhole ? keysExamined : size.recorded * share;
  const keys = Math.max(1, documentsReturned) * Math.max(1, found / Math.max(1, keysExamined));
  if (keys * FEW.info > keysExamined) return null;
  return { first: [...fixed, later], rest: [before, ...behind.filter((field) => field !== later)], keys };
}

/** By the index that would find the documents, or by the range that stands behind another in the one that serves them. */
export function placeOf(
  query: Query,
  existing: readonly IndexDescription[],
  cluster: JoinedCluster,
): QueryPlace | 'served' {
  const place = byIndex(query, existing, cluster);
  const cost = place === 'served' ? queryCost([query], cluster.workload) : null;
  const later = cost === null ? null : laterRange(query, cost);
  if (later === null) return place;
  const { first, rest, keys } = later;
  const [path] = first.at(-1) ?? [''];
  const isFirst = (fields: readonly string[]) => first.every(([each], position) => fields[position] === each);
  if (existing.some(({ key, hidden }) => !hidden && isFirst(Object.keys(key)))) return 'served';
  const why =
    `Few documents match the condition on \`${path}\`. Create an index with \`${path}\` in front of \`${rest[0][0]}\`: it is estimated to ` +
    `examine ${formatCount(Math.ceil(keys))} keys per execution.`;
  const steps = stepsOf(
    ...accompanyingIndex(Object.fromEntries([...first, ...rest]), query.known, why),
    'Compare totalKeysExamined of both in explain("executionStats"), each as the hint of the query. Keep the index with fewer, and drop the other unless another query needs it.',
  );
  return { path, remedy: { steps } };
}
