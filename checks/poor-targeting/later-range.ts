import type { IndexDescription, RemedyStep } from '../../src/check.js';
import { formatCount } from '../../src/format.js';
import { foundWith } from '../../src/judgement/advice/index-value.js';
import type { QueryPlace } from '../../src/judgement/advice/query-suggestions.js';
import { byIndex } from '../../src/judgement/advice/query-suggestions.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { JudgedSize } from '../../src/judgement/judged-size.js';
import { queryCost, returnsAllThatMatch, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { equalFields, type KeyField, recordedSkips, scannedKeys } from '../../src/judgement/queries/scattered-keys.js';
import { spacedJson, shellStatement } from '../../src/judgement/shell-statement.js';

/** How many times fewer keys another order must be estimated to examine: the estimate takes conditions as independent. */
const FEWER = 10;

/** A range behind another range, or behind the sort, in the key of the index that was used. */
interface LaterRange {
  readonly path: string;
  /** The field whose keys are walked to test it. */
  readonly before: string;
  /** The key with the range in front of that field. */
  readonly better: IndexDescription['key'];
  /** Keys per execution of an index with that key: an estimate. */
  readonly keys: number;
}

/**
 * Null if there is none, or if an index that begins with it would not examine far fewer keys. Of the keys that are walked,
 * the share that is returned matches the later range. By that share of what the equalities before it find, an index with this
 * range first would examine `returned × found ÷ keys`; and what is returned, if all that they find was walked.
 */
export function laterRange(query: Query, { keysExamined, documentsReturned }: QueryCost): LaterRange | null {
  const [size, equal] = [sizeFor(query), equalFields(query)];
  if (size === null || !query.tellsMatches || keysExamined === null || documentsReturned === null) return null;
  if (query.conditions.alternatives.length > 0 || recordedSkips(query) !== null) return null;
  const [key, ...others] = scannedKeys(query);
  if (key === undefined || others.length > 0) return null;
  const start = key.findIndex(([path]) => !equal.has(path));
  const ranges = new Set(query.conditions.all.flatMap(({ path, role }) => (role === 'range' ? [path] : [])));
  const later = key.slice(start + 1).find(([path]) => ranges.has(path));
  const before = key[start];
  if (start === -1 || later === undefined || before === undefined) return null;
  const isWalkedWhole = start > 0 && !ranges.has(before[0]) && returnsAllThatMatch(query);
  const found = isWalkedWhole ? keysExamined : foundByEqualities(query, key.slice(0, start), size);
  const keys = Math.max(1, documentsReturned) * Math.max(1, found / Math.max(1, keysExamined));
  const better = [...key.slice(0, start), later, ...key.slice(start).filter((field) => field !== later)];
  if (keys * FEWER > keysExamined) return null;
  return { path: later[0], before: before[0], better: Object.fromEntries(better), keys };
}

/** Documents that the first fields of a key find, at the recorded size: all of them if the sample does not tell. */
function foundByEqualities(query: Query, fields: readonly KeyField[], { documents, recorded }: JudgedSize): number {
  const found = foundWith(query, Object.fromEntries(fields))?.documents ?? documents;
  return recorded * (found / Math.max(1, documents));
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
  const first = Object.keys(later.better).slice(0, Object.keys(later.better).indexOf(later.path) + 1);
  const hasBetter = existing.some(
    ({ key, hidden }) => !hidden && first.every((path, position) => Object.keys(key)[position] === path),
  );
  return hasBetter ? 'served' : { path: later.path, remedy: { steps: remedySteps(query, later) } };
}

function remedySteps({ known: { collection } }: Query, { path, before, better, keys }: LaterRange): RemedyStep[] {
  const { namespace } = collection;
  return [
    {
      text:
        `Few documents match the condition on \`${path}\`. Create an index with \`${path}\` in front of \`${before}\`: it is estimated to ` +
        `examine ${formatCount(Math.ceil(keys))} keys per execution. The build scans the collection.`,
      code: shellStatement(namespace, 'createIndex', spacedJson(better)),
    },
    {
      text: 'Compare totalKeysExamined of both in explain("executionStats"), each as the hint of the query. Keep the index with fewer, and drop the other unless another query needs it.',
    },
  ];
}
