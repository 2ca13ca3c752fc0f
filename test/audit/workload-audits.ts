/** Figures of indexes, and of operations by the entries of the profiler. */
import type { Document } from 'mongodb';
import { about, exact, name, pathOf, storageOf, sum, type Audit, type Audited } from './kinds-of-audit.js';

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

/** Documents examined and so on, by the entries of the profiler with one plan. */
export const QUERIES: Record<string, Audit> = {
  executions: exact((it) => begun(it.profiled).length),
  executionsPerDay: exact(() => null),
  documentsExamined: exact((it) => Math.round(perExecution(it.profiled, 'docsExamined'))),
  keysExamined: exact((it) => Math.round(perExecution(it.profiled, 'keysExamined'))),
  documentsReturned: about((it) => perExecution(it.profiled, 'nreturned'), 0.001),
  averageMs: about((it) => perExecution(it.profiled, 'millis'), 0.001),
  shareOfTime: (value) => (value === null || ((value as number) >= 0 && (value as number) <= 1) ? null : 'no share'),
  inMemorySorts: exact((it) => it.profiled.filter(({ hasSortStage }) => hasSortStage === true).length),
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
  examinedPerReturned: about(
    (it) => perExecution(it.profiled, 'docsExamined') / Math.max(1, perExecution(it.profiled, 'nreturned')),
    0.001,
  ),
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
  executions: exact(async (it) => (await joinEntries(it)).length),
  executionsPerDay: exact(() => null),
  documentsExamined: exact(async (it) => Math.round(meanOf(await joinEntries(it), 'docsExamined'))),
  averageMs: about(async (it) => meanOf(await joinEntries(it), 'millis'), 0.001),
  shareOfTime: (value) => (value === null || ((value as number) >= 0 && (value as number) <= 1) ? null : 'no share'),
};
