import type { RemedyStep } from '../src/check.js';
import { formatBytes, formatShare, inWords, plural } from '../src/format.js';
import { type HeavyPath, NEARLY_ALL, payloadPaths, weighedFields } from '../src/judgement/documents/heaviest-paths.js';
import { type PartReads, partReads, partReadsAdvice } from '../src/judgement/documents/part-reads.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { everyCondition } from '../src/judgement/queries/conditions.js';
import { exclusion, leftOutFields, projectedFind } from '../src/judgement/queries/left-out-fields.js';
import { queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { isRepeated } from '../src/judgement/queries/query-size.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../src/judgement/queries/worst-query-check.js';
import { sumOf } from '../src/judgement/quotient.js';
import type { FieldType } from '../src/profile/field-types.js';
import { below, overlap } from '../src/workload/joins/references.js';
import { readsByCollection } from '../src/workload/reads/collection-reads.js';

/** Documents per execution from which a read is a list, and not a search for one or two. Judgement. */
const LIST = 5;

/** Bytes of the heavy fields in a document, up to which a list may well show them: a printed page of text. Judgement. */
const PAGE_OF_TEXT = 4 * 1024;

/** Fields beside `_id`, the heavy ones and those whose values were asked for, from which a list has something to show. Judgement. */
const SHOWN_FIELDS = 2;

/** Share of the documents that must have a field for lists to show it. */
const COMMON = 0.5;

interface OverFetchingList extends FoundQuery {
  readonly cost: QueryCost;
  readonly heavy: readonly [HeavyPath, ...HeavyPath[]];
  /** For each heavy field, how most recorded reads do without it; null if they don't. */
  readonly proofs: readonly (PartReads | null)[];
  readonly leftOut: readonly string[];
  /** Per execution. */
  readonly documents: number;
  readonly bytes: number;
  /** Bytes of the heavy fields, per execution. */
  readonly saved: number;
}

/**
 * A repeated read of several whole documents is a finding if a few large fields are nearly all of its bytes: texts and binary
 * data, or what most other reads leave out.
 */
export const overFetching = defineWorstQueryCheck({
  id: 'over-fetching',
  title: 'Over-fetching list',
  summary: 'lists that return large fields of each document, which are nearly all of their bytes',
  thresholds: {
    info: {
      default: 64 * 1024,
      unit: 'bytes',
      description: 'bytes of large fields per execution',
      source: 'judgement: at a hundred lists a second, a twentieth of a line of 1 Gbit/s',
    },
    warning: {
      default: 256 * 1024,
      unit: 'bytes',
      description: 'bytes of large fields per execution',
      source: 'judgement: at a hundred lists a second, a fifth of a line of 1 Gbit/s',
    },
  },
  byPlans: true,
  find: ({ cluster }) => queriesOf(cluster).flatMap((query) => listIn(query, cluster) ?? []),
  path: () => null,
  causedBy: ({ heavy: [{ path }] }) => path,
  rank: ({ saved, cost }) => saved * cost.executions,
  severity({ query, cost, saved }, { limits }) {
    if (saved < limits.info || !isRepeated(query, cost)) return null;
    return saved >= limits.warning ? 'warning' : 'info';
  },
  confidence: ({ proofs }) => (proofs.includes(null) ? 'medium' : 'high'),
  message(all) {
    const [{ heavy, documents, bytes, saved, cost }] = all;
    return (
      `${namesOf(heavy)} ${heavy.length === 1 ? 'makes' : 'make'} up ${formatShare(saved / bytes)} of what a list returns: ` +
      `${textOf(all)} returns ${plural(Math.round(documents), 'document')} and ${formatBytes(bytes)} per execution on ` +
      `average (${cost.window}), and no projection leaves ${heavy.length === 1 ? 'it' : 'them'} out.`
    );
  },
  figures: (all) => ({
    documentsReturned: Math.round(all[0].documents),
    bytesReturned: Math.round(all[0].bytes),
    heaviest: all[0].heavy.map(({ path, share }) => ({ path, share })),
    queries: all.map(({ query }) => queryText(query)),
  }),
  remedy: remedySteps,
});

/** Null if the query is no list, or its documents have no few large fields that a list can do without. */
function listIn(query: Query, { workload }: JoinedCluster): OverFetchingList | null {
  const { fieldTypes, storage, collection } = query.known;
  const leftOut = query.operation.shape.truncated === true ? null : leftOutFields(query);
  const cost = leftOut === null ? null : queryCost([query], workload);
  const documents = cost?.documentsReturned ?? 0;
  if (leftOut === null || cost === null || documents < LIST || !fieldTypes.present) return null;
  const fields = weighedFields(fieldTypes.value.fields);
  const returned = fields.filter(({ path }) => leftOut.every((each) => below(path, each) === null));
  const top = returned.filter(({ parent }) => parent === null);
  const shareReturned = sumOf(top, ({ shareOfBytes }) => shareOfBytes) ?? 0;
  const heavy = payloadPaths(returned, shareReturned);
  if (heavy === null) return null;
  const average = (storage.present ? storage.value.averageDocumentSize : null) ?? 0;
  const bytes = cost.facts.responseBytes.mean ?? documents * average * shareReturned;
  const saved = (bytes * heavy.reduce((sum, { share }) => sum + share, 0)) / shareReturned;
  const known = everyCondition(query.conditions).filter(({ role }) => role === 'equality' || role === 'list');
  const others = top.filter(
    ({ path, documents: having }) =>
      path !== '_id' &&
      having >= COMMON * fieldTypes.value.documents &&
      ![...known, ...heavy].some((each) => overlap(each.path, path)),
  );
  if (saved < PAGE_OF_TEXT * documents || others.length < SHOWN_FIELDS) return null;
  const reads = workload.derived.once(workload, 'readsByCollection', () => readsByCollection(workload));
  const proofs = heavy.map(({ path }) => partReads(path, reads.get(collection.namespace), Infinity));
  const isPayload = ({ path }: HeavyPath, at: number) =>
    proofs[at] !== null || fields.some((each) => each.path === path && isTextOrBinary(each));
  return heavy.every(isPayload) ? { query, cost, heavy, proofs, leftOut, documents, bytes, saved } : null;
}

function isTextOrBinary({ types }: FieldType): boolean {
  const { string = 0, binData = 0 } = types;
  return string + binData >= NEARLY_ALL * (sumOf(Object.values(types), (count) => count) ?? 0);
}

function remedySteps({ query, cost, heavy, proofs, leftOut, saved }: OverFetchingList): RemedyStep[] {
  const paths = heavy.map(({ path }) => path);
  const excluded = [...leftOut.filter((each) => paths.every((path) => below(each, path) === null)), ...paths];
  const perDay = cost.executionsPerDay === null ? '' : `, ${formatBytes(saved * cost.executionsPerDay)} a day`;
  return [
    {
      text:
        `Leave ${paths.length === 1 ? 'it' : 'them'} out of the list, and read ${namesOf(heavy)} with the one document that is opened. ` +
        `This saves ${formatBytes(saved)} per execution${perDay}. Which fields the application shows is not recorded.`,
      code: projectedFind(query, exclusion(excluded)),
    },
    ...heavy.flatMap(({ path }, at) => {
      const proof = proofs[at] ?? null;
      return proof === null ? [] : [{ text: partReadsAdvice(path, proof) }];
    }),
    {
      text: 'The server still reads the whole documents. If most requests are such lists, keep the large fields in a collection of their own, with the same `_id`; files and images in an object store or GridFS.',
    },
    { text: 'Check that `responseLength` of the list is lower in the profiler (`reslen` in the log).' },
  ];
}

function namesOf(heavy: readonly HeavyPath[]): string {
  return inWords(heavy.map(({ path }) => `\`${path}\``));
}
