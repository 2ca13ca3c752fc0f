/** Figures of indexes, and of operations by the entries of the profiler. */
import type { Document } from 'mongodb';
import { groupedBy } from '../../src/grouped-by.js';
import { about, atMost, type Audit, type Audited, exact, name, pathOf, storageOf, sum } from './kinds-of-audit.js';
import { valuesAt } from './recomputed.js';

export const INDEXES: Record<string, Audit> = {
  key: name,
  servedBy: name,
  servedByKey: name,
  relation: name,
  nodes: name,
  indexBytes: about((it) => it.storage['indexSizes'][pathOf(it)] as number, 0),
  servedByBytes: about((it) => it.storage['indexSizes'][String(it.finding.evidence['servedBy'])] as number, 0),
  accesses: exact(async (it) => {
    const [entry] = await it.database
      .collection(it.finding.namespace.slice(it.database.databaseName.length + 1))
      .aggregate([{ $indexStats: {} }, { $match: { name: pathOf(it) } }])
      .toArray();
    return Number(entry?.['accesses']?.ops);
  }),
  nodesNotAsked: exact(() => 0),
  hiddenDaysAtLeast: exact(() => 0),
  indexes: exact((it) => Object.keys(it.storage['indexSizes'] as object).length),
  limit: exact(() => 64),
  hiddenIndexes: exact(() => 0),
  totalIndexBytes: exact(storageOf('totalIndexSize')),
  documentBytes: exact(storageOf('size')),
  largestIndexBytes: (value, it) =>
    Object.entries(value as object).every(([index, bytes]) => it.storage['indexSizes'][index] === bytes)
      ? null
      : 'the sizes are other ones',
};

/** Different values of the only field of an index, of each document. */
const keysPerDocument = (it: Audited) =>
  it.documents.map(
    (document) =>
      new Set(valuesAt(document, `${Object.keys(it.finding.evidence['key'] as object)[0]}[]`).map(String)).size,
  );

/** Of indexes on arrays that all documents have. */
export const MULTIKEY: Record<string, Audit> = {
  ...INDEXES,
  medianElementsAtLeast: (value, it) => {
    const median = keysPerDocument(it).toSorted((one, other) => one - other)[Math.floor((it.documents.length - 1) / 2)];
    return (value as number) <= median! ? null : `the median is ${median}`;
  },
  mostElements: exact((it) => Math.max(...keysPerDocument(it))),
  arrays: exact((it) => it.documents.length),
};

/** Bytes of the indexes that a remedy creates, built on a copy of the collection. No checkpoint: it changes the others. */
async function builtIndexBytes({ database, finding }: Audited): Promise<number> {
  const known = built.get(finding);
  if (known !== undefined) return known;
  const [collection, copy] = [finding.namespace.slice(database.databaseName.length + 1), 'audited_copy'];
  await database
    .collection(collection)
    .aggregate([{ $out: copy }])
    .toArray();
  const commands = (finding.remedy.commands ?? []).map(({ command }) => command);
  for (const { indexes } of commands.filter((command) => 'createIndexes' in command))
    await database.command({ createIndexes: copy, indexes });
  const [statistics] = await database
    .collection(copy)
    .aggregate([{ $collStats: { storageStats: {} } }])
    .toArray();
  await database.dropCollection(copy);
  const sizes = Object.entries((statistics?.['storageStats']?.indexSizes ?? {}) as Record<string, number>);
  const bytes = sum(sizes.flatMap(([index, size]) => (index === '_id_' ? [] : [size])));
  built.set(finding, bytes);
  return bytes;
}

const built = new WeakMap<Audited['finding'], number>();

const createdKeys = ({ finding }: Audited) =>
  (finding.remedy.commands ?? []).flatMap(({ command }) =>
    ((command['indexes'] ?? []) as { key: Document }[]).map(({ key }) => Object.keys(key)),
  );

/** Documents that an entry of the profiler says were written, if it writes one of the fields. */
function writtenBy(entry: Document, fields: readonly string[]): number {
  const { op, command, ninserted, ndeleted, nModified } = entry;
  if (op !== 'update') return Number(ninserted ?? 0) + Number(ndeleted ?? 0);
  const update = (command?.u ?? {}) as Document;
  const written = Object.values(update).flatMap((each) => Object.keys(each as object));
  return written.some((path) => fields.includes(path)) ? Number(nModified ?? 0) : 0;
}

/** What the indexes that a remedy creates cost. */
export const NEW_INDEXES: Record<string, Audit> = {
  newIndexEntries: exact((it) => createdKeys(it).length * it.documents.length),
  newIndexEntriesEstimated: (value, it) =>
    (value as number) >= createdKeys(it).length * it.documents.length ? null : 'each document has one at least',
  newIndexBytesEstimated: about(builtIndexBytes, 1),
  newIndexBytesRange: async (value, it) => {
    const [least = Infinity, most = -Infinity] = value as number[];
    const bytes = await builtIndexBytes(it);
    return least <= bytes && bytes <= most ? null : `${bytes} are built`;
  },
  newIndexWrites: exact(async (it) => {
    const entries = await it.profiledOn(it.finding.namespace);
    return sum(createdKeys(it).flatMap((fields) => entries.map((entry) => writtenBy(entry, fields))));
  }),
  newIndexWritesWindow: name,
  newIndexWritesPerDay: exact(() => null),
  superfluousIndexes: name,
  superfluousIndexBytes: exact((it) =>
    sum((it.finding.evidence['superfluousIndexes'] as string[]).map((each) => it.storage['indexSizes'][each])),
  ),
};

/** Of the plans that a finding lists, in its order. */
const byPlan = (figure: (entries: readonly Document[]) => number) =>
  exact((it) =>
    (it.finding.evidence['plans'] as unknown as string[]).map((plan) =>
      figure(it.profiled.filter(({ planSummary }) => planSummary === plan)),
    ),
  );

/** Documents examined and so on, by the entries of the profiler. */
export const QUERIES: Record<string, Audit> = {
  ...NEW_INDEXES,
  plans: name,
  plansExecuted: byPlan(({ length }) => length),
  plansExamined: byPlan((entries) =>
    Math.round(perExecution(entries, 'docsExamined') + perExecution(entries, 'keysExamined')),
  ),
  replanned: exact((it) => it.profiled.filter(({ replanned }) => replanned === true).length),
  executions: exact((it) => begun(it.profiled).length),
  executionsPerDay: exact(() => null),
  documentsExamined: exact((it) => Math.round(perExecution(it.profiled, 'docsExamined'))),
  keysExamined: exact((it) => Math.round(perExecution(it.profiled, 'keysExamined'))),
  documentsReturned: about((it) => perExecution(it.profiled, 'nreturned'), 0.001),
  averageMs: about((it) => perExecution(it.profiled, 'millis'), 0.001),
  shareOfExamined: (value) =>
    value === null || ((value as number) >= 0 && (value as number) <= 1) ? null : 'no share',
  shareOfTime: (value) => (value === null || ((value as number) >= 0 && (value as number) <= 1) ? null : 'no share'),
  inMemorySorts: exact((it) => it.profiled.filter(({ hasSortStage }) => hasSortStage === true).length),
  // Servers before 8.1 do not record them.
  spills: exact(() => null),
  diskUses: exact((it) => it.profiled.filter(({ usedDisk }) => usedDisk === true).length),
  queries: name,
  documentsExaminedWithIndex: (value, it) => {
    const returned = perExecution(it.profiled, 'nreturned');
    return value === 0 || Math.abs((value as number) - returned) < 0.001 ? null : `${returned} are returned`;
  },
  documentsExaminedWithIndexRange: (value, it) => {
    const [low = 0, high = 0] = value as number[];
    const estimate = it.finding.evidence['documentsExaminedWithIndex'] as number;
    return low <= estimate && estimate <= high ? null : 'the estimate lies outside';
  },
  documentsExaminedWithIndexByQuery: name,
  collectionDocuments: exact((it) => it.documents.length),
  documentsSorted: exact((it) => Math.round(perExecution(it.profiled, 'docsExamined'))),
  shareSortedInMemory: exact(
    (it) => it.profiled.filter(({ hasSortStage }) => hasSortStage === true).length / it.profiled.length,
  ),
  executionsThatSkip: exact((it) => it.profiled.filter(({ command }) => command.skip > 0).length),
  documentsSkipped: exact((it) =>
    Math.round(sum(it.profiled.map(({ command }) => Number(command.skip))) / it.profiled.length),
  ),
  deepestSkip: exact((it) => Math.max(...it.profiled.map(({ command }) => Number(command.skip)))),
};

/** Of a collection on which nothing else was recorded. */
export const COMPUTED: Record<string, Audit> = {
  executions: exact((it) => begun(it.profiled).length),
  executionsPerDay: exact(() => null),
  documentsExamined: exact((it) => Math.round(perExecution(it.profiled, 'docsExamined'))),
  keysExamined: exact((it) => Math.round(perExecution(it.profiled, 'keysExamined'))),
  writesRecorded: exact((it) => it.profiled.filter(({ op }) => ['insert', 'update', 'remove'].includes(op)).length),
};

const conflictsOf = ({ profiled }: Audited) => sum(profiled.map(({ writeConflicts }) => Number(writeConflicts ?? 0)));

const groupsIn = (profiled: readonly Document[]) =>
  begun(profiled).filter(({ command }) => command.aggregate !== undefined);
const meanSize = ({ storage }: Audited) => storage['size'] / storage['count'];
const cookedIn = (profiled: readonly Document[]) => profiled.filter(({ command }) => command?.u?.$inc?.cooked === 1);

const tastedIn = (profiled: readonly Document[]) =>
  profiled.filter(({ command }) => command?.update?.$inc?.tasted === 1);

/** By the condition of a query, or by what a write sends and how often it is repeated. */
export const OF_CONDITIONS_AND_WRITES: Record<string, Record<string, Audit>> = {
  'never-matching-condition': {
    ...QUERIES,
    comparedWith: name,
    storedTypes: name,
    sampledValues: atMost((it) => it.documents.length),
  },
  'failing-operations': {
    ...QUERIES,
    executions: exact(({ profiled }) => profiled.filter(({ command }) => '$inc' in (command?.u ?? {})).length),
    error: name,
    failed: exact(({ profiled }) => profiled.filter(({ errName }) => errName !== undefined).length),
  },
  'whole-document-write': {
    ...QUERIES,
    executions: exact(({ profiled }) => profiled.filter(({ op }) => op === 'update').length),
    writtenBytes: about(meanSize, 0.01),
  },
  'memory-bound-aggregation': {
    executions: exact(({ profiled }) => groupsIn(profiled).length),
    executionsPerDay: exact(() => null),
    diskUses: exact(() => 0),
    failed: exact(() => 0),
    heldBytes: about((it) => perExecution(groupsIn(it.profiled), 'docsExamined') * meanSize(it), 0.01),
  },
  'mass-write': {
    ...QUERIES,
    executions: exact(({ profiled }) => profiled.filter(({ command }) => command.multi === true).length),
    mostWritten: exact(({ profiled }) => Math.max(...profiled.map(({ nModified = 0 }) => Number(nModified)))),
  },
  'unsafe-write-concern': {
    byOneMember: exact(({ profiled }) => tastedIn(profiled).filter(({ writeConcern }) => writeConcern.w === 1).length),
    byMajority: exact(
      ({ profiled }) => tastedIn(profiled).filter(({ writeConcern }) => writeConcern.w === 'majority').length,
    ),
  },
  'retried-transactions': {
    failed: exact(({ profiled }) => profiled.filter(({ errName }) => errName === 'WriteConflict').length),
    executions: exact(({ profiled }) => cookedIn(profiled).length),
    failedShare: exact(
      ({ profiled }) =>
        profiled.filter(({ errName }) => errName === 'WriteConflict').length / cookedIn(profiled).length,
    ),
  },
  'write-contention': {
    ...QUERIES,
    writeConflicts: exact(conflictsOf),
    conflictsPerExecution: about((it) => conflictsOf(it) / it.profiled.length, 0.01),
  },
};

/** What reads return, and the heaviest fields of all documents. */
export const READS: Record<string, Audit> = {
  ...QUERIES,
  documentsReturned: exact((it) => Math.round(perExecution(it.profiled, 'nreturned'))),
  bytesReturned: exact((it) => Math.round(perExecution(it.profiled, 'responseLength'))),
  heaviest: (value, it) =>
    (value as { path: string; share: number }[]).every(
      ({ path, share }) => share <= 1 && it.documents.some((document) => path in document),
    )
      ? null
      : 'no field of the documents',
};

/** Of the read that seems to lead to others. */
const LISTED: Record<string, Audit> = {
  listedIn: name,
  documentsListed: exact(async (it) => {
    const entries = await it.profiledOn(String(it.finding.evidence['listedIn']));
    return sum(entries.map(({ nreturned }) => Number(nreturned)));
  }),
  lists: exact(async (it) => begun(await it.profiledOn(String(it.finding.evidence['listedIn']))).length),
};

const valuesAsked = (it: Audited): number[] =>
  begun(it.profiled).map(({ command }) => (command.filter[pathOf(it)].$in as unknown[]).length);

/** Of queries by lists of values, which the profiler has in full. */
export const LISTS: Record<string, Audit> = {
  ...QUERIES,
  documentsReturned: exact((it) => Math.round(perExecution(it.profiled, 'nreturned'))),
  medianValues: exact(
    (it) => valuesAsked(it).toSorted((one, other) => one - other)[Math.floor((it.profiled.length - 1) / 2)],
  ),
  mostValues: exact((it) => Math.max(...valuesAsked(it))),
  ...LISTED,
};

const findsOf = (it: Audited) => begun(it.profiled).filter(({ command }) => command.find !== undefined);

/** Of finds that follow one another. */
export const ONE_BY_ONE: Record<string, Audit> = {
  executions: exact((it) => findsOf(it).length),
  executionsPerDay: exact(() => null),
  mostInTenSeconds: exact((it) => {
    const spans = groupedBy(findsOf(it), ({ ts }) => Math.floor(Number(ts) / 5_000));
    return Math.max(...[...spans].map(([span, { length }]) => length + (spans.get(span + 1)?.length ?? 0)));
  }),
  ...LISTED,
};

const updatesOf = (it: Audited) => it.profiled.filter(({ op }) => op === 'update');

/** Of recorded writes. */
export const UPDATES: Record<string, Audit> = {
  executions: exact((it) => updatesOf(it).length),
  executionsPerDay: exact(() => null),
};

/** Of pipelines that take an array of every document apart. */
export const REBUILT: Record<string, Audit> = {
  ...READS,
  documentsUnwoundEstimated: about(
    (it) => sum(it.documents.map((document) => ((document[pathOf(it)] ?? []) as unknown[]).length)),
    0.05,
  ),
};

/** The batches that `getMore` fetched belong to the execution that they go on with. */
function perExecution(entries: readonly Document[], figure: string): number {
  return sum(entries.map((entry) => Number(entry[figure] ?? 0))) / begun(entries).length;
}

export function meanOf(entries: readonly Document[], figure: string): number {
  return sum(entries.map((entry) => Number(entry[figure]))) / entries.length;
}

export const isJoin = ({ command }: Document) => lookupsIn(command) > 0;
export const joinsOf = (entries: readonly Document[]) => begun(entries).filter(isJoin);

/** Without the batches that `getMore` fetched. */
export function begun(entries: readonly Document[]): Document[] {
  return entries.filter(({ op, command }) => op !== 'getmore' && command?.getMore === undefined);
}

export function lookupsIn(command: Document | undefined): number {
  const stages = (command?.['pipeline'] as Document[] | undefined) ?? [];
  return stages.filter((stage) => '$lookup' in stage).length;
}

export const joinedBy = (it: Audited) => it.other(String((it.finding.evidence['joined'] as string[])[0]));

export const joinEntries = async (it: Audited): Promise<Document[]> => {
  const from = (it.finding.evidence['joinedFrom'] as string[] | undefined) ?? [it.finding.namespace];
  return joinsOf((await Promise.all(from.map((namespace) => it.profiledOn(namespace)))).flat());
};

/** Of the operations that join. */
export const JOINS: Record<string, Audit> = {
  ...NEW_INDEXES,
  executions: exact(async (it) => (await joinEntries(it)).length),
  executionsPerDay: exact(() => null),
  documentsExamined: exact(async (it) => Math.round(meanOf(await joinEntries(it), 'docsExamined'))),
  averageMs: about(async (it) => meanOf(await joinEntries(it), 'millis'), 0.001),
  shareOfTime: (value) => (value === null || ((value as number) >= 0 && (value as number) <= 1) ? null : 'no share'),
};

/** Of joins, in the documents and keys that all operations of the database examine. */
export async function shareOfExamined({ database, profiled }: Audited): Promise<number> {
  const applications = { appName: { $ne: 'mongolint' }, ns: { $not: /\.system\./ }, op: { $ne: 'insert' } };
  const all = await database.collection('system.profile').find(applications).toArray();
  return examinedIn(joinsOf(profiled)) / examinedIn(all);
}

function examinedIn(entries: readonly Document[]): number {
  return sum(entries.map(({ docsExamined, keysExamined }) => Number(docsExamined ?? 0) + Number(keysExamined ?? 0)));
}

/** How many documents have each value of the field that the reported index begins with. */
function leadingValues({ documents, finding }: Audited): Map<string, number> {
  const [field = ''] = Object.keys(finding.evidence['key'] as object);
  const counts = new Map<string, number>();
  for (const document of documents) {
    const value = String(document[field] ?? null);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

export const USELESS: Record<string, Audit> = {
  ...INDEXES,
  values: exact((it) => leadingValues(it).size),
  rarestShare: about((it) => Math.min(...leadingValues(it).values()) / it.documents.length, 0.01),
  recordedExecutions: exact((it) => begun(it.profiled).length),
};

/** Documents whose value of the one field was there before. */
const repeatedValues = exact((it) => {
  const [field = ''] = it.finding.evidence['fields'] as string[];
  return it.documents.length - new Set(it.documents.map((document) => String(document[field]))).size;
});

export const UPSERTS: Record<string, Audit> = {
  ...UPDATES,
  fields: name,
  repeatedInSample: repeatedValues,
  comparedInSample: exact((it) => it.documents.length),
};
